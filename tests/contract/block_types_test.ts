/** Blocks and objects in rich text are unions by the definitions of the site, in the types and in real answers. */
import type { Json } from "../../kv/model/entities/entity.ts";
import { assertEquals } from "../support/harness/assert.ts";
import { describedApp } from "./described_app.ts";
import { typeCheck } from "./type_check.ts";

const USES = `
import { createClient, type BlockValues, type Post, type RichTextSpan } from "./types.ts";
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

export function words(post: Post): string[] {
  same<Post["parts"], ({ type: "quote"; id: string; data: BlockValues["quote"] } | { type: "figure"; id: string; data: BlockValues["figure"] })[] | null>(true);
  same<NonNullable<Post["only"]>[number]["type"], "quote">(true);
  const found: string[] = [];
  for (const block of [...post.parts ?? [], ...post.blocks]) {
    if (block.type === "quote") found.push(block.data.words ?? "", ...spans(block.data.note ?? []));
    // @ts-expect-error The key is one of another block.
    else block.data.words;
    if (block.type === "figure") found.push(String(block.data.size ?? 0));
    // @ts-expect-error There is no such block.
    if (block.type === "video") found.push("");
  }
  for (const part of post.body ?? []) {
    if (part._type === "quote") found.push(part.words ?? "");
    if (part._type === "image") found.push(part.alt ?? "");
    if (part._type === "block") found.push(...spans([part]));
  }
  return found;
}

function spans(lines: NonNullable<Post["body"]>): string[] {
  return lines.flatMap((line) => line._type === "block" ? line.children ?? [] : [])
    .filter((child): child is RichTextSpan => child._type === "span").map(({ text }) => text);
}

export async function run(baseUrl: string, token: string, fetch: (request: Request) => Promise<Response>) {
  const posts = createClient({ baseUrl, token, fetch }).collection("posts");
  const line = { _type: "block", children: [{ _type: "span", text: "Inner" }] };
  const made = await posts.create({
    title: "River",
    seo: { text: "Rivers", rank: 1 },
    rows: [{ size: 2, note: "Wide" }],
    parts: [{ type: "quote", data: { words: "Said", note: [line] } }, { type: "figure", data: { size: 3 } }],
    body: [line, { _type: "quote", words: "Inline" }, { _type: "image", alt: "A lamp" }],
  });
  // @ts-expect-error The value has another type.
  void (() => posts.create({ title: "x", parts: [{ type: "figure", data: { size: "3" } }] }));
  // @ts-expect-error The field does not allow the block.
  void (() => posts.create({ title: "x", only: [{ type: "figure", data: {} }] }));
  const sent = await posts.update(made.id, { parts: made.parts, body: made.body, title: "Sea" });
  const { data } = await posts.list({ fields: ["title", "seo.text", "rows.size", "parts.quote.words", "by.title", "by.cover"], include: ["by"] });
  const part = data[0]!;
  same<typeof part.seo, { text?: string | null } | null>(true);
  same<typeof part.rows, { size?: number | null }[] | null>(true);
  same<typeof part.parts, ({ type: "quote"; id: string; data: { words?: string | null } } | { type: "figure"; id: string })[] | null>(true);
  same<typeof part.by, { id: string; title: string; cover: string | null } | string | null>(true);
  // @ts-expect-error The key was not asked for.
  part.seo?.rank;
  // @ts-expect-error There is no such key in the group.
  void (() => posts.list({ fields: ["seo.nothing"] }));
  // @ts-expect-error There is no such key in the block.
  void (() => posts.list({ fields: ["parts.figure.words"] }));
  return { words: words(sent), part, document: sent };
}
`;

Deno.test("blocks and rich text are typed by definition, and answers are what the types say", async () => {
  await using test = await describedApp();
  await test.setUp();
  const blocks = [
    {
      name: "quote",
      fields: [{ name: "words", type: "text" }, { name: "note", type: "rich_text" }],
    },
    { name: "figure", fields: [{ name: "size", type: "number" }] },
  ];
  for (const one of blocks) {
    const fields = one.fields.map((field) => ({ label: field.name, ...field }));
    const made = await test.admin("POST", "/blocks", { ...one, label: one.name, fields } as never);
    assertEquals(made.status, 201, made.text);
  }
  await test.define({
    slug: "posts",
    fields: [
      { name: "parts", type: "block" },
      { name: "only", type: "block", options: { allowed: ["quote"] } },
      { name: "body", type: "rich_text" },
      { name: "cover", type: "media" },
      { name: "by", type: "reference", options: { collection: "posts" } },
      {
        name: "seo",
        type: "group",
        options: {
          fields: [{ name: "text", type: "text" }, { name: "rank", type: "number" }] as never,
        },
      },
      {
        name: "rows",
        type: "repeater",
        options: {
          fields: [{ name: "size", type: "number" }, { name: "note", type: "text" }] as never,
        },
      },
    ],
  });
  const token = await test.token();
  const folder = await Deno.makeTempDir({ prefix: "blocks-" });
  try {
    const { text } = await test.call("GET", "/api/v1/_meta/types.ts", { token });
    assertEquals(await typeCheck(folder, { "types.ts": text, "uses.ts": USES }), "");
    const { run } = await import(`file://${folder}/uses.ts`);
    const { words, part, document } = await run("http://localhost", token, test.fetch);
    assertEquals(
      [part.seo, part.rows, part.parts.map(({ data }: { data?: Json }) => data ?? null), part.by],
      [{ text: "Rivers" }, [{ size: 2 }], [{ words: "Said" }, null], null],
    );
    assertEquals(words, ["Said", "Inner", "3", "Inner", "Inline", "A lamp"]);
    const answer = `import type { Post } from "./types.ts";\nexport const post: Post = ${
      JSON.stringify(document)
    };\n`;
    assertEquals(await typeCheck(folder, { "answer.ts": answer }), "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
