/** What the types module says of included documents is what the API answers, wherever a reference is kept. */
import { CLIENT_SOURCE } from "../../routes/v1/types/types_client.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { referencePaths } from "../../routes/query/include.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { seededRandom } from "../support/harness/harness.ts";
import { type DescribedApp, describedApp } from "./described_app.ts";
import { typeCheck } from "./type_check.ts";

const SEEDS = [1, 2, 3, 4];
/** Rows, groups and blocks inside one another. */
const DEPTH = 3;

type Field = { name: string; type: string; options?: Record<string, Json> };

/** Fields and values by chance; references lead to one author. */
class Dice {
  readonly #random: () => number;
  #names = 0;

  constructor(seed: number, readonly author: string) {
    this.#random = seededRandom(seed);
  }

  one<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)]!;
  }

  fields(depth: number, blocks: readonly string[]): Field[] {
    return Array.from({ length: depth === 0 ? 2 : 3 }, () => this.#field(depth, blocks));
  }

  #field(depth: number, blocks: readonly string[]): Field {
    const name = `f${this.#names++}`;
    const plain = ["text", "reference", "reference", "media", "rich_text"];
    const nested = ["repeater", "group", ...(blocks.length > 0 ? ["block"] : [])];
    const type = this.one(depth === 0 ? plain : [...plain, ...nested, ...nested]);
    if (type === "reference") return { name, type, options: { collection: "authors" } };
    if (type === "block") return { name, type, options: { allowed: [...blocks] } };
    if (type !== "repeater" && type !== "group") return { name, type };
    return { name, type, options: { fields: this.fields(depth - 1, blocks) as never } };
  }

  values(fields: readonly Field[], blocks: Map<string, Field[]>): Record<string, Json> {
    return Object.fromEntries(
      fields.map((field) => [field.name, this.#value(field, blocks)] as const)
        .filter(([, value]) => value !== null),
    );
  }

  #value({ type, options = {} }: Field, blocks: Map<string, Field[]>): Json {
    if (this.#random() < 0.1) return null;
    const inner = (options.fields ?? []) as unknown as Field[];
    if (type === "text") return "Words";
    if (type === "reference") return this.author;
    if (type === "group") return this.values(inner, blocks);
    if (type === "repeater") return [this.values(inner, blocks), this.values(inner, blocks)];
    if (type !== "block") return null;
    return (options.allowed as string[]).map((name, index) => ({
      type: name,
      id: `b${index}`,
      data: this.values(blocks.get(name)!, blocks),
    }));
  }
}

/** A site by chance: two kinds of blocks, and posts that hold references everywhere. */
async function posts(test: DescribedApp, seed: number) {
  await test.setUp();
  await test.define({ slug: "authors", fields: [{ name: "city", type: "text" }] });
  const token = await test.token();
  const author = { title: "Ada", status: "published" };
  const { json: { id } } = await test.call("POST", "/api/v1/authors", { token, body: author });
  const dice = new Dice(seed, id);
  const blocks = new Map<string, Field[]>();
  for (const name of ["quote", "figure"]) {
    const fields = dice.fields(1, []);
    blocks.set(name, fields);
    const body = { name, label: name, fields: fields as never };
    const made = await test.admin("POST", "/blocks", body);
    assertEquals(made.status, 201, made.text);
  }
  const fields = dice.fields(DEPTH, [...blocks.keys()]);
  const made = await test.admin("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    exposed: true,
    fields: fields as never,
  });
  assertEquals(made.status, 201, made.text);
  for (let n = 0; n < 3; n++) {
    const body = { title: `Post ${n}`, status: "published", ...dice.values(fields, blocks) };
    const { status, text } = await test.call("POST", "/api/v1/posts", { token, body });
    assertEquals(status, 201, text);
  }
  return { token, dice };
}

Deno.test("types of documents with includes in rows, groups and blocks are those of the answers", async () => {
  const modules: Record<string, string> = {};
  let nested = 0;
  for (const seed of SEEDS) {
    await using test = await describedApp();
    const { token, dice } = await posts(test, seed);
    const { text } = await test.call("GET", "/api/v1/_meta/types.ts", { token });
    assert(text.includes(CLIENT_SOURCE.slice(0, 100)));
    modules[`types_${seed}.ts`] = text;
    const schema = await test.deps.content.schema.current();
    const paths = [...referencePaths(schema.bySlug.get("posts")!, schema.blocks)]
      .map(([path]) => path);
    const choices = [...paths.slice(0, 6).map((path) => [path]), paths.slice(0, 8)];
    nested += paths.filter((path) => path.includes(".")).length;
    const uses = [`import type { ReadResult } from "./types_${seed}.ts";`];
    for (const [index, include] of choices.entries()) {
      if (include.length === 0) continue;
      const query = `include=${include.join(",")}&perPage=100`;
      const answer = await test.call("GET", `/api/v1/posts?${query}`, { token });
      assertEquals(answer.status, 200, answer.text);
      const type = `ReadResult<"posts", never, ${
        include.map((one) => JSON.stringify(one)).join(" | ")
      }, never>`;
      uses.push(`export const a${index}: ${type}[] = ${JSON.stringify(answer.json.data)};`);
      const form = `ReadResult<"posts", never, ${JSON.stringify(dice.one(include))}, "html">`;
      uses.push(`export type F${index} = ${form};`);
    }
    modules[`uses_${seed}.ts`] = uses.join("\n");
  }
  assert(nested > 10, `only ${nested} references are nested`);
  const folder = await Deno.makeTempDir();
  try {
    assertEquals(await typeCheck(folder, modules), "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an included document is typed inside a repeater, a group and a block", async () => {
  await using test = await describedApp();
  await test.setUp();
  await test.define({ slug: "authors", fields: [{ name: "city", type: "text" }] });
  const author: Field = { name: "author", type: "reference", options: { collection: "authors" } };
  const quote = {
    name: "quote",
    label: "Quote",
    fields: [author, { name: "words", type: "text" }],
  };
  await test.admin("POST", "/blocks", quote as never);
  await test.admin("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    exposed: true,
    fields: [
      {
        name: "gallery",
        type: "repeater",
        options: { fields: [{ name: "pic", type: "media" }, author] },
      },
      { name: "hero", type: "group", options: { fields: [author] } },
      { name: "parts", type: "block", options: { allowed: ["quote"] } },
    ] as never,
  });
  const token = await test.token();
  const { text } = await test.call("GET", "/api/v1/_meta/types.ts", { token });
  const uses = `
import type { ReadResult, Author, Medium } from "./types.ts";
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_same: Same<A, B>): void {}
type Post = ReadResult<"posts", never, "gallery.pic" | "hero.author" | "parts.quote.author" | "blocks.quote.author", never>;
declare const post: Post;
const [row] = post.gallery!;
same<typeof row, undefined | { pic?: Medium | string | null; author?: string | null }>(true);
same<NonNullable<Post["hero"]>["author"], Author | string | null | undefined>(true);
for (const block of [...post.parts!, ...post.blocks]) {
  if (block.type === "quote") {
    same<typeof block.data.author, Author | string | null | undefined>(true);
    same<typeof block.data.words, string | null | undefined>(true);
  }
}
`;
  const folder = await Deno.makeTempDir();
  try {
    const said = await typeCheck(folder, { "types.ts": text, "uses.ts": uses });
    assertEquals(said, "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
