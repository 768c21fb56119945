/** The schema as files: pulled, compared, pushed as one change, reverted. */
import { COLLECTIONS_MAX } from "../../../../kv/limits/content.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { detailsOf } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

type Files = Record<string, Record<string, Json>>;

async function site() {
  const test = await testApp();
  await test.setUp();
  const token = await test.token({ name: "deploy" });
  const ask = (method: string, path: string, body?: Json) =>
    test.call(method, `/api/admin/schema${path}`, { token, ...(body !== undefined && { body }) });
  /** Runs jobs that wait for others, too. */
  const settle = async () => {
    for (let n = 0; n < 4; n++) {
      await test.runner.drain();
      test.context.advance(1_000);
    }
  };
  const pull = async (): Promise<{ etag: string; files: Files }> => (await ask("GET", "")).json;
  const push = async (files: Files, options: Record<string, Json> = {}) => {
    const { etag } = await pull();
    const answer = await ask("POST", "/push", { files, etag, ...options });
    if (answer.status !== 202) return answer;
    await settle();
    const job = await ask("GET", `/jobs/${answer.json.jobId}`);
    return { ...answer, json: { ...answer.json, job: job.json } };
  };
  return {
    ...test,
    [Symbol.asyncDispose]: test[Symbol.asyncDispose],
    deploy: token,
    ask,
    pull,
    push,
    settle,
  };
}

const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [
    { name: "body", label: "Body", type: "text" },
    { name: "rating", label: "Rating", type: "number", indexed: true },
    { name: "about", label: "About", type: "reference", options: { collection: "pages" } },
  ],
};
const PAGES = { slug: "pages", name: "Pages", fields: [] };
const QUOTE = { name: "quote", label: "Quote", fields: [{ name: "t", label: "T", type: "text" }] };

async function withPosts(test: Pick<Awaited<ReturnType<typeof site>>, "push" | "pull">) {
  const files: Files = {
    "collections/posts.json": POSTS,
    "collections/pages.json": PAGES,
    "blocks/quote.json": QUOTE,
  };
  const pushed = await test.push(files);
  assertEquals([pushed.status, pushed.json.job?.state], [202, "done"], pushed.text);
  return (await test.pull()).files;
}

Deno.test("an empty schema becomes what the files define, in one version each", async () => {
  await using test = await site();
  const files = await withPosts(test);
  assertEquals(Object.keys(files), [
    "collections/pages.json",
    "collections/posts.json",
    "blocks/quote.json",
  ]);
  const posts = files["collections/posts.json"]!;
  assertEquals(Object.keys(posts).slice(0, 5), ["id", "slug", "name", "description", "exposed"]);
  const text = JSON.stringify(files);
  assert(!text.includes("createdAt") && !text.includes('"key"'));
  const again = await test.ask("POST", "/diff", { files });
  assertEquals(again.json.operations, []);
  const { json } = await test.admin("GET", "/collections/posts");
  assertEquals(json.fields.map(({ name }: { name: string }) => name), ["body", "rating", "about"]);
  const versions = await test.admin("GET", `/versions/collection/${json.id}`);
  assertEquals(versions.json.data.length, 1);
  assert(JSON.stringify(versions.json).includes("deploy"), "the version names the token");
});

Deno.test("a diff names every operation", async () => {
  await using test = await site();
  const files = await withPosts(test);
  const token = test.deploy;
  for (const [rating, n] of [[1, 1], [2, 2]] as const) {
    await test.call("POST", "/api/v1/posts", {
      token,
      body: { title: `T${n}`, rating, body: "x" },
    });
  }
  const posts = structuredClone(files["collections/posts.json"]!);
  const [body, rating, about] = posts.fields as [Record<string, Json>, Record<string, Json>, Json];
  Object.assign(posts, { slug: "articles", name: "Articles" });
  posts.fields = [{ ...body, name: "text" }, { ...rating, type: "boolean", indexed: false }, {
    name: "more",
    label: "More",
    type: "text",
  }];
  void about;
  const next: Files = {
    "collections/articles.json": posts,
    "collections/pages.json": files["collections/pages.json"]!,
  };
  const { json } = await test.ask("POST", "/diff", { files: next });
  assertEquals(json.operations.map(({ line }: { line: string }) => line), [
    "rename collection posts → articles",
    "change collection articles: name",
    "rename field articles.body → text",
    "change type articles.rating number → boolean: 2 documents, 1 would be lost",
    "create field articles.more",
    "remove field posts.about: 0 documents",
    "remove block quote",
  ]);
  const refused = await test.push(next);
  assertEquals(detailsOf(refused), [
    "allowLoss INVALID_CHOICE",
    "delete INVALID_CHOICE",
    "delete INVALID_CHOICE",
  ]);
  const dry = await test.push(next, { delete: true, allowLoss: true, dryRun: true });
  assertEquals([dry.status, dry.json.operations.length], [200, 7]);
  const pushed = await test.push(next, { delete: true, allowLoss: true });
  assertEquals([pushed.status, pushed.json.job.state], [202, "done"], JSON.stringify(pushed.json));
  assertEquals((await test.ask("POST", "/diff", { files: next })).json.operations, []);
  const list = await test.call("GET", "/api/v1/articles?sort=title", { token });
  assertEquals(list.json.data.map((one: Record<string, Json>) => [one.text, one.rating]), [
    ["x", true],
    ["x", null],
  ]);
  // What the push has changed is undone, as long as nothing else has changed since.
  const reverted = await test.ask("POST", `/pushes/${pushed.json.id}/revert`);
  assertEquals(reverted.status, 202, reverted.text);
  await test.settle();
  assertEquals((await test.ask("POST", "/diff", { files })).json.operations, []);
  assertEquals((await test.ask("POST", `/pushes/${pushed.json.id}/revert`)).status, 409);
});

Deno.test("a push is refused when the schema has moved on, or a file is wrong", async () => {
  await using test = await site();
  const files = await withPosts(test);
  const stale = await test.ask("POST", "/push", { files, etag: "other" });
  assertEquals(stale.status, 409);
  const wrong: Files = {
    ...files,
    "collections/a.json": { slug: "a", name: "", fields: [{ name: "x", type: "nothing" }] },
    "collections/b.json": { slug: "posts", name: "B" },
    "collections/c.json": {
      slug: "c",
      name: "C",
      fields: [{ name: "r", type: "reference", options: { collection: "none" } }],
    },
  };
  assertEquals(detailsOf(await test.push(wrong)), [
    "collections/a.json.fields.0.type INVALID_CHOICE",
    "collections/a.json.name TOO_SHORT",
    "collections/b.json NOT_UNIQUE",
    "collections/c.json.fields.0.options INVALID_REFERENCE",
  ]);
});

Deno.test("the schema takes a session with the permission, or a token with all scopes", async () => {
  await using test = await site();
  const status = async (token?: string) =>
    (await test.call("GET", "/api/admin/schema", token === undefined ? {} : { token })).status;
  assertEquals(await status(), 401);
  assertEquals(await status(await test.token({ scopes: ["*:read"] })), 403);
  assertEquals((await test.admin("GET", "/schema")).status, 200);
});

Deno.test("steps change values once each, and a changed file is refused", async () => {
  await using test = await site();
  const files: Files = {
    "collections/posts.json": {
      slug: "posts",
      name: "Posts",
      fields: [
        { name: "kind", label: "K", type: "select", options: { choices: ["old", "new", "x"] } },
        {
          name: "seo",
          label: "S",
          type: "group",
          options: { fields: [{ name: "rank", label: "R", type: "number" }] },
        },
      ],
    },
  };
  await test.push(files);
  const token = test.deploy;
  for (const [title, kind] of [["1", "old"], ["2", "x"], ["3", null]]) {
    await test.call("POST", "/api/v1/posts", { token, body: { title: title!, kind: kind! } });
  }
  const steps: Json[] = [
    { op: "map", field: "posts.kind", values: { old: "new" } },
    { op: "default", field: "posts.seo.rank", value: 5 },
  ];
  const pulled = (await test.pull()).files;
  const withSteps = { ...pulled, "migrations/001.json": steps as unknown as Record<string, Json> };
  const { json } = await test.ask("POST", "/diff", { files: withSteps });
  assertEquals(json.operations.map(({ line }: { line: string }) => line), [
    "run migrations/001.json: 2 steps",
  ]);
  const pushed = await test.push(withSteps);
  assertEquals(pushed.json.job?.state, "done", JSON.stringify(pushed.json));
  const list = await test.call("GET", "/api/v1/posts?sort=title", { token });
  assertEquals(
    list.json.data.map((one: { kind: Json; seo: { rank: Json } }) => [one.kind, one.seo.rank]),
    [["new", 5], ["x", 5], [null, 5]],
  );
  assertEquals((await test.ask("POST", "/diff", { files: withSteps })).json.operations, []);
  const other = [steps[0]!] as unknown as Record<string, Json>;
  assertEquals(detailsOf(await test.push({ ...pulled, "migrations/001.json": other })), [
    "migrations/001.json INVALID_CHOICE",
  ]);
  const wrong = [{ op: "default", field: "posts.none", value: 1 }, {
    op: "map",
    field: "posts.kind",
    values: { a: "nothing" },
  }] as unknown as Record<string, Json>;
  assertEquals(detailsOf(await test.push({ ...pulled, "migrations/002.json": wrong })), [
    "migrations/002.json.0.field INVALID_REFERENCE",
    "migrations/002.json.1.values INVALID_CHOICE",
  ]);
});

Deno.test("a name that a rename frees is a new field, and an id stands once", async () => {
  await using test = await site();
  const files = await withPosts(test);
  const posts = files["collections/posts.json"]!;
  const [body, ...others] = posts.fields as [Record<string, Json>, ...Json[]];
  const renamed = { ...body, name: "text", label: "Text" };
  const fresh = { name: "body", label: "Body", type: "number" };
  const next = {
    ...files,
    "collections/posts.json": { ...posts, fields: [fresh, renamed, ...others] },
  };
  const { json } = await test.ask("POST", "/diff", { files: next });
  assertEquals(json.operations.map(({ line }: { line: string }) => line).slice(0, 2), [
    "create field posts.body",
    "rename field posts.body → text",
  ]);
  const pushed = await test.push(next);
  assertEquals([pushed.status, pushed.json.job?.state], [202, "done"], pushed.text);
  assertEquals((await test.ask("POST", "/diff", { files: next })).json.operations, []);
  const twice: Files = {
    ...files,
    "collections/posts.json": { ...posts, fields: [body, { ...body, name: "copy" }, ...others] },
    "collections/pages.json": { ...files["collections/pages.json"], fields: [{ ...body }] },
  };
  assertEquals(detailsOf(await test.push(twice)), [
    "collections/posts.json.fields.0.id NOT_UNIQUE",
    "collections/posts.json.fields.1.id NOT_UNIQUE",
  ]);
  const moved: Files = {
    ...files,
    "collections/posts.json": { ...posts, fields: others },
    "collections/pages.json": { ...files["collections/pages.json"], fields: [body] },
  };
  assertEquals(detailsOf(await test.push(moved, { delete: true })), [
    "collections/pages.json.fields.0.id INVALID_REFERENCE",
  ]);
});

Deno.test("a push is checked as changes of the admin API are", async () => {
  await using test = await site();
  const files = await withPosts(test);
  for (const title of ["A", "B"]) {
    await test.call("POST", "/api/v1/posts", { token: test.deploy, body: { title } });
  }
  const posts = files["collections/posts.json"]!;
  const single = { ...files, "collections/posts.json": { ...posts, singleton: true } };
  assertEquals((await test.push(single)).status, 409);
  const { "collections/posts.json": _, ...withoutPosts } = files;
  assertEquals((await test.push(withoutPosts, { delete: true })).status, 409);
  const inside = { name: "r", label: "R", type: "reference", options: { collection: "none" } };
  const nested = {
    ...files,
    "collections/new.json": {
      slug: "new",
      name: "New",
      fields: [{ name: "g", label: "G", type: "group", options: { fields: [inside] } }],
    },
    "blocks/card.json": { name: "card", label: "Card", fields: [inside] },
  };
  assertEquals(detailsOf(await test.push(nested)), [
    "blocks/card.json.fields.0.options INVALID_REFERENCE",
    "collections/new.json.fields.0.options.fields.0.options INVALID_REFERENCE",
  ]);
  const localized = { slug: "fr", name: "F", localized: true, fields: [] };
  const withLanguages = { ...files, "collections/fr.json": localized };
  assertEquals(detailsOf(await test.push(withLanguages)), [
    "collections/fr.json.localized UNKNOWN_KEY",
  ]);
  await test.admin("PATCH", "/settings", { languages: [{ code: "en" }, { code: "fr" }] });
  const text = { name: "t", label: "T", type: "text", localized: true };
  const wrong = {
    "collections/fr.json": { ...localized, localized: false, languages: ["de"], fields: [text] },
  };
  assertEquals(detailsOf(await test.push({ ...files, ...wrong })), [
    "collections/fr.json.fields.0.localized INVALID_CHOICE",
    "collections/fr.json.languages.0 INVALID_LANGUAGE",
    "collections/fr.json.slug INVALID_CHOICE",
  ]);
  const many = Array.from({ length: COLLECTIONS_MAX }, (_, n) => [
    `collections/c${n}.json`,
    { slug: `c${n}`, name: "C", fields: [] },
  ]);
  const full = await test.push({ ...files, ...Object.fromEntries(many) });
  assertEquals([full.status, full.json.error.code], [409, "CONFLICT"]);
});

Deno.test("a push larger than a commit shows readers the old schema or the new one", async () => {
  await using test = await site();
  const files: Files = {};
  for (let n = 0; n < 40; n++) {
    const fields = Array.from({ length: 12 }, (_, at) => (
      { name: `f${at}`, label: `Field ${at}`, type: "text", help: "h".repeat(300) }
    ));
    files[`collections/c${n}.json`] = { slug: `c${n}`, name: `C${n}`, fields };
  }
  const shapes = new Set<string>();
  const noteShape = async () => {
    const { collections } = await test.deps.content.schema.current();
    shapes.add(`${collections.length} with ${collections.flatMap(({ fields }) => fields).length}`);
  };
  const { etag } = await test.pull();
  const begun = await test.ask("POST", "/push", { files, etag });
  assertEquals(begun.status, 202, begun.text);
  const watch = setInterval(() => void noteShape(), 1);
  await test.settle();
  clearInterval(watch);
  await noteShape();
  assertEquals((await test.ask("GET", `/jobs/${begun.json.jobId}`)).json.error, null);
  assertEquals([...shapes].filter((shape) => shape !== "0 with 0"), ["40 with 480"]);
  assertEquals((await test.ask("POST", "/diff", { files })).json.operations, []);
  const { json } = await test.admin("GET", "/collections/c39");
  const field = `/versions/field_definition/${json.fields[11].id}`;
  assertEquals((await test.admin("GET", field)).json.data.length, 1);
  const reverted = await test.ask("POST", `/pushes/${begun.json.id}/revert`);
  assertEquals(reverted.status, 202, reverted.text);
  await test.settle();
  const undone = await test.ask("GET", `/jobs/${reverted.json.jobId}`);
  assertEquals(undone.json.state, "done", undone.text);
  assertEquals(Object.keys((await test.pull()).files), []);
  assertEquals((await test.admin("GET", field)).json.data.length, 2, "no field is left behind");
});

Deno.test("a push that finds another schema changes nothing and leaves no field behind", async () => {
  await using test = await site();
  const fields = Array.from({ length: 120 }, (_, at) => (
    { name: `f${at}`, label: "F", type: "text" }
  ));
  const { etag } = await test.pull();
  const files = { "collections/c.json": { slug: "c", name: "C", fields } };
  const begun = await test.ask("POST", "/push", { files, etag });
  assertEquals(begun.status, 202, begun.text);
  await test.admin("POST", "/collections", { slug: "other", name: "Other" });
  await test.settle();
  const job = await test.ask("GET", `/jobs/${begun.json.jobId}`);
  assertEquals([job.json.state, (job.json.error as string).includes("has changed")], [
    "failed",
    true,
  ], job.text);
  assertEquals(Object.keys((await test.pull()).files), ["collections/other.json"]);
  const left = test.context.store.list({ prefix: ["current", "field_definition"] });
  for await (const { value } of left) assert((value as { gone?: true }).gone, "a field is left");
});
