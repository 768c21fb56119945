/**
 * Included documents that a process has in memory: they are used as long as nothing in their collection is
 * written, by whichever process, and never shown to a token that may not see them.
 */
import { unpublishDocument } from "../../../../kv/documents/status.ts";
import { type Json, UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals, assertNotEquals } from "../../../support/harness/assert.ts";
import { type Answer, callApp, secondApp } from "../../../support/sites/app.ts";
import { headless } from "../../../support/sites/headless.ts";

const text = (name: string) => ({ name, label: name, type: "text" });

/** Posts by two authors who live in a city each, in two processes. */
async function story() {
  const test = await headless([
    { name: "author", type: "reference", options: { collection: "authors" } },
  ]);
  const collection = async (slug: string, fields: Json[]) =>
    await test.collection({ slug, name: slug, fields });
  await collection("cities", [text("country")]);
  const city = { name: "city", label: "City", type: "reference" };
  await collection("authors", [text("email"), { ...city, options: { collection: "cities" } }]);
  const create = async (slug: string, body: Record<string, Json>): Promise<string> => {
    const published = { status: "published", ...body };
    return (await test.v1("POST", `/${slug}`, { body: published })).json.id;
  };
  const cities = [
    await create("cities", { title: "Oslo" }),
    await create("cities", { title: "Rome" }),
  ];
  const authors = [
    await create("authors", { title: "Ada", city: cities[0]! }),
    await create("authors", { title: "Bo", city: cities[1]! }),
  ];
  const posts = [
    await create("posts", { title: "One", author: authors[0]! }),
    await create("posts", { title: "Two", author: authors[1]! }),
  ];
  const { app, deps: otherDeps } = secondApp(test.context);
  const other = (method: string, path: string, body?: Json) =>
    callApp(app, method, `/api/v1${path}`, { token: test.full, ...(body && { body }) });
  /** What an answer needs of the store. */
  const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = test.context.store.counts.reads;
    await work();
    return test.context.store.counts.reads - before;
  };
  return { test, cities, authors, posts, other, otherDeps, readsOf };
}

const LIST = "/posts?sort=title&include=author.city";
/** Authors and their cities, as a list shows them. */
const shown = ({ json }: Answer): string[] =>
  json.data.map(({ author }: { author: Record<string, Json> }) =>
    typeof author === "string"
      ? "?"
      : `${author.title} of ${(author.city as { title?: string }).title}`
  );

Deno.test("include: cached documents are not read again while their collection is unchanged", async () => {
  const { test, authors, posts, other, readsOf } = await story();
  await using _closed = test;
  const list = () => test.v1("GET", LIST);
  const one = () => test.v1("GET", `/posts/${posts[0]}?include=author.city`);
  const bySlug = () => test.v1("GET", "/posts/by-slug/one?include=author.city");
  const asked = [list, one, bySlug];
  for (const ask of asked) await ask();
  // The keys of the token and of everything that was guessed go out together; a slug leads to a document.
  for (const [index, reads] of [1, 1, 2].entries()) {
    assertEquals(await readsOf(asked[index]!), reads);
  }

  await other("PATCH", `/authors/${authors[0]}`, { email: "ada@example.org" });
  assertEquals(await readsOf(list), 2, "authors are read again, cities are not");
  assertEquals(await readsOf(list), 1);
});

Deno.test("include: what another process writes is there at once, and changes the tag", async () => {
  const { test, cities, authors, posts, other } = await story();
  await using _closed = test;
  const paths = [LIST, `/posts/${posts[0]}?include=author.city`];
  const steps: [method: string, path: string, body: Json | undefined, expected: string[]][] = [
    ["PATCH", `/authors/${authors[0]}`, { title: "Ada L." }, ["Ada L. of Oslo", "Bo of Rome"]],
    ["PATCH", `/cities/${cities[0]}`, { title: "Bergen" }, ["Ada L. of Bergen", "Bo of Rome"]],
    ["PATCH", `/cities/${cities[0]}`, { country: "Norway" }, ["Ada L. of Bergen", "Bo of Rome"]],
    ["DELETE", `/authors/${authors[0]}`, undefined, ["?", "Bo of Rome"]],
  ];
  for (const [method, path, body, expected] of steps) {
    const before = await Promise.all(paths.map((one) => test.v1("GET", one)));
    for (const [index, answer] of before.entries()) {
      const headers = { "if-none-match": answer.headers.get("etag")! };
      assertEquals((await test.v1("GET", paths[index]!, { headers })).status, 304);
    }
    assert((await other(method, path, body)).status < 300);
    for (const [index, answer] of before.entries()) {
      const etag = answer.headers.get("etag")!;
      const after = await test.v1("GET", paths[index]!, { headers: { "if-none-match": etag } });
      assertEquals(after.status, 200, `${method} ${path}`);
      assertNotEquals(after.headers.get("etag"), etag);
      if (index === 0) assertEquals(shown(after), expected);
    }
  }
});

Deno.test("include: every list shows at least the writes acknowledged before it began, while another process writes", async () => {
  const { test, authors, other } = await story();
  await using _closed = test;
  let acknowledged = 0;
  let isWriting = true;
  const write = async () => {
    for (let n = 1; n <= 40; n++) {
      assertEquals((await other("PATCH", `/authors/${authors[0]}`, { email: `${n}` })).status, 200);
      acknowledged = n;
    }
    isWriting = false;
  };
  const read = async () => {
    while (isWriting) {
      const least = acknowledged;
      const { json } = await test.v1("GET", LIST);
      const seen = Number(json.data[0].author.email ?? 0);
      assert(seen >= least, `${seen} after ${least}`);
    }
  };
  await Promise.all([write(), read(), read(), read()]);
  assertEquals((await test.v1("GET", LIST)).json.data[0].author.email, "40");
});

Deno.test("include: documents cached for one token are not shown to another", async () => {
  const { test, authors, otherDeps, readsOf } = await story();
  await using _closed = test;
  const reader = await test.token({ scopes: ["posts:read", "authors:read"] });
  const list = (token: string) => test.v1("GET", LIST, { token });
  for (let round = 0; round < 2; round++) {
    assertEquals(shown(await list(test.full)), ["Ada of Oslo", "Bo of Rome"]);
    assertEquals(shown(await list(reader)), ["Ada of undefined", "Bo of undefined"]);
  }
  await unpublishDocument(otherDeps.content, UNATTENDED, authors[0]!);
  for (let round = 0; round < 2; round++) {
    assertEquals(shown(await list(test.full)), ["Ada of Oslo", "Bo of Rome"]);
    assertEquals(shown(await list(reader)), ["?", "Bo of undefined"]);
  }
  assertEquals(await readsOf(() => list(reader)), 1);
});
