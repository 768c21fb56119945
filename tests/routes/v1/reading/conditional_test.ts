/** Entity tags and the conditions made with them. */
import { createField } from "../../../../kv/schema/fields.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { parseField } from "../../../../kv/model/fields/field_input.ts";
import type { Answer } from "../../../support/sites/app.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "../../../support/harness/assert.ts";
import {
  assertFramed,
  assertRefused,
  type Headless,
  headless,
  NO_ID,
  versionCount,
} from "../../../support/sites/headless.ts";

const tagOf = (answer: Answer) => answer.headers.get("etag")!;

/** 304: no body, and the headers that a 200 would have had. */
function assertNotModified(answer: Answer, etag: string): void {
  assertEquals([answer.status, answer.text], [304, ""]);
  assertFramed(answer);
  assertEquals(tagOf(answer), etag);
  assertMatch(answer.headers.get("cache-control")!, /^private, no-cache(, no-transform)?$/);
  assertMatch(answer.headers.get("ratelimit")!, /^"default";r=\d+;t=\d+$/);
  for (const name of ["content-type", "content-length", "location"]) {
    assertEquals(answer.headers.get(name), null, name);
  }
}

Deno.test("every single-document answer carries the same strong tag", async () => {
  await using test = await headless([]);
  const made = await test.v1("POST", "/posts", { body: { title: "Hello" } });
  const path = `/posts/${made.json.id}`;
  const etag = tagOf(made);
  assertMatch(etag, /^"[\x21\x23-\x7e]+"$/);
  const unchanged = await test.v1("PATCH", path, { body: { title: "Hello" } });
  for (const answer of [await test.v1("GET", path), unchanged]) assertEquals(tagOf(answer), etag);
  assertEquals(tagOf(await test.v1("GET", "/posts/by-slug/hello")), etag);
  const changed = await test.v1("PATCH", path, { body: { title: "Hello!" } });
  assertNotEquals(tagOf(changed), etag);
  assertEquals(tagOf(await test.v1("GET", path)), tagOf(changed));
});

for (const method of ["GET", "HEAD"]) {
  Deno.test(`${method} with If-None-Match answers 304 while nothing changed`, async () => {
    await using test = await headless([]);
    const { id } = await test.post({ title: "Hello" });
    for (const path of [`/posts/${id}`, "/posts/by-slug/hello", "/posts", "/posts?sort=title"]) {
      const etag = tagOf(await test.v1("GET", path));
      const fresh = [etag, `W/${etag}`, `"x", ${etag}`, `${etag},"y"`, ` ${etag} `, "*"];
      for (const value of fresh) {
        const answer = await test.v1(method, path, { headers: { "if-none-match": value } });
        assertNotModified(answer, etag);
      }
      for (const value of ['"x"', etag.slice(1, -1), `"${etag}"`, "", "W/*", '"*"', `${etag}x"`]) {
        const answer = await test.v1(method, path, { headers: { "if-none-match": value } });
        if (value === `${etag}x"`) continue;
        assertEquals(answer.status, 200, `${path} ${value}`);
        assertEquals(tagOf(answer), etag);
      }
    }
  });
}

Deno.test("a document is not compressed on the way, which would weaken its tag", async () => {
  await using test = await headless([]);
  const made = await test.v1("POST", "/posts", { body: { title: "Hello" } });
  const path = `/posts/${made.json.id}`;
  const answers = [
    made,
    await test.v1("GET", path),
    await test.v1("GET", path, { headers: { "if-none-match": tagOf(made) } }),
    await test.v1("GET", "/posts/by-slug/hello"),
    await test.v1("PATCH", path, { body: { title: "Hello again" } }),
  ];
  for (const { headers } of answers) {
    assertEquals(headers.get("cache-control"), "private, no-cache, no-transform");
  }
  assertEquals((await test.v1("GET", "/posts")).headers.get("cache-control"), "private, no-cache");
});

Deno.test("GET /{collection} gives every question a tag of its own", async () => {
  await using test = await headless([]);
  await test.post({ title: "Hello" });
  const queries = ["", "?page=2", "?perPage=1", "?sort=title", "?sort=-title", "?status=draft"];
  const tags = await Promise.all(
    queries.map(async (query) => tagOf(await test.v1("GET", `/posts${query}`))),
  );
  assertEquals(new Set(tags).size, queries.length);
  assertEquals(tagOf(await test.v1("GET", "/posts?page=2")), tags[1]);
});

Deno.test("a tag does not outlive what it stood for", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "Hello" });
  const paths = [`/posts/${id}`, "/posts/by-slug/hello", "/posts"];
  const changes: (() => Promise<unknown>)[] = [
    () => test.v1("PATCH", `/posts/${id}`, { body: { title: "Hello again" } }),
    () =>
      createField(
        test.deps.content,
        UNATTENDED,
        "posts",
        parseField({ name: "mood", label: "Mood", type: "text" }),
      ),
  ];
  for (const change of changes) {
    const before = await Promise.all(paths.map((path) => test.v1("GET", path)));
    await change();
    for (const [index, path] of paths.entries()) {
      const headers = { "if-none-match": tagOf(before[index]!) };
      const answer = await test.v1("GET", path, { headers });
      assertEquals(answer.status, 200, path);
      assertNotEquals(answer.text, before[index]!.text);
    }
  }
});

Deno.test("a slug that moves on to another document does not keep its tag", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "Hello" });
  const first = await test.v1("GET", "/posts/by-slug/hello");
  await test.v1("DELETE", `/posts/${id}`);
  await test.post({ title: "Hello" });
  const headers = { "if-none-match": tagOf(first) };
  const second = await test.v1("GET", "/posts/by-slug/hello", { headers });
  assertEquals(second.status, 200);
  assertNotEquals(second.json.id, id);
});

Deno.test("the tag of a list tells what the token may see, and changes with any document", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "T", status: "published" });
  await test.post({ title: "U" });
  const token = await test.token({ scopes: ["posts:read"] });
  const full = await test.v1("GET", "/posts");
  const seen = await test.v1("GET", "/posts", { token });
  assertNotEquals(tagOf(full), tagOf(seen));
  const headers = { "if-none-match": tagOf(full) };
  assertEquals((await test.v1("GET", "/posts", { token, headers })).status, 200);
  for (
    const [method, path, body] of [["POST", "/posts", { title: "V" }], ["DELETE", `/posts/${id}`]]
  ) {
    const etag = tagOf(await test.v1("GET", "/posts"));
    await test.v1(method as string, path as string, { body: (body ?? {}) as { title: string } });
    const again = await test.v1("GET", "/posts", { headers: { "if-none-match": etag } });
    assertEquals(again.status, 200);
    assertNotEquals(tagOf(again), etag);
  }
});

Deno.test("If-None-Match opens nothing and excuses nothing", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "T" });
  const headers = { "if-none-match": "*" };
  const reader = await test.token({ scopes: ["posts:read"] });
  const none = await test.token({ scopes: ["pages:read"] });
  assertRefused(await test.v1("GET", `/posts/${id}`, { token: reader, headers }), 404, "NOT_FOUND");
  assertRefused(await test.v1("GET", `/posts/${NO_ID}`, { headers }), 404, "NOT_FOUND");
  assertRefused(await test.v1("GET", "/posts", { token: none, headers }), 403, "FORBIDDEN");
  assertRefused(await test.v1("GET", "/posts?page=0", { headers }), 400, "PAGINATION_INVALID");
});

/** `If-Match` values by what becomes of a request that carries them. */
const CONDITIONS: [boolean, (etag: string) => string][] = [
  [true, (etag) => etag],
  [true, (etag) => `"x", ${etag}`],
  [true, (etag) => `${etag}, "x"`],
  [true, () => "*"],
  [false, () => '"x"'],
  [false, (etag) => `W/${etag}`],
  [false, (etag) => etag.slice(1, -1)],
  [false, () => '""'],
  [false, () => ""],
  [false, () => "nonsense"],
];
for (const [passes, make] of CONDITIONS) {
  Deno.test(`If-Match: ${make('"tag"')} ${passes ? "passes" : "is stale"}`, async () => {
    await using test = await headless([]);
    const { id } = await test.post({ title: "T" });
    const path = `/posts/${id}`;
    const headers = { "if-match": make(tagOf(await test.v1("GET", path))) };
    const patched = await test.v1("PATCH", path, { headers, body: { title: "U" } });
    if (passes) assertEquals(patched.status, 200);
    else assertRefused(patched, 412, "PRECONDITION_FAILED");
    const again = { "if-match": make(tagOf(await test.v1("GET", path))) };
    const trashed = await test.v1("DELETE", path, { headers: again });
    if (passes) assertEquals([trashed.status, trashed.text], [204, ""]);
    else assertRefused(trashed, 412, "PRECONDITION_FAILED");
    assertEquals(await versionCount(test, id), passes ? 3 : 1);
  });
}

Deno.test("If-Match refuses a change of a document that another user has changed", async () => {
  await using test = await headless([]);
  const made = await test.v1("POST", "/posts", { body: { title: "T" } });
  const path = `/posts/${made.json.id}`;
  const headers = { "if-match": tagOf(made) };
  const [one, other] = await Promise.all(
    ["A", "B"].map((title) => test.v1("PATCH", path, { headers, body: { title } })),
  );
  assertEquals([one!.status, other!.status].sort(), [200, 412]);
  const unchanged = await test.v1("PATCH", path, { headers, body: {} });
  assertRefused(unchanged, 412, "PRECONDITION_FAILED");
  assertEquals(await versionCount(test, made.json.id), 2);
});

Deno.test("If-Match does not pass with the tag of another document", async () => {
  await using test = await headless([]);
  const one = await test.v1("POST", "/posts", { body: { title: "T" } });
  const other = await test.v1("POST", "/posts", { body: { title: "U" } });
  const headers = { "if-match": tagOf(one) };
  const answer = await test.v1("PATCH", `/posts/${other.json.id}`, { headers, body: {} });
  assertRefused(answer, 412, "PRECONDITION_FAILED");
});

Deno.test("If-Match on a missing document is 404", async () => {
  await using test = await headless([]);
  const headers = { "if-match": "*" };
  for (const method of ["PATCH", "DELETE"]) {
    const answer = await test.v1(method, `/posts/${NO_ID}`, { headers, body: {} });
    assertRefused(answer, 404, "NOT_FOUND");
  }
});

async function pairs(test: Headless, path: string, headers: Record<string, string> = {}) {
  return [await test.v1("GET", path, { headers }), await test.v1("HEAD", path, { headers })];
}

Deno.test("HEAD answers what GET answers, without the body", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "Hello" });
  const paths = [
    `/posts/${id}`,
    "/posts/by-slug/hello",
    "/posts",
    "/posts?page=9",
    "/posts?page=0",
  ];
  for (const path of [...paths, `/posts/${NO_ID}`, "/nowhere", "/a/b/c/d"]) {
    const [get, head] = await pairs(test, path);
    assertEquals([head!.status, head!.text], [get!.status, ""], path);
    assertFramed(head!);
    const told = (answer: Answer) =>
      [...answer.headers].filter(([name]) => !["x-request-id", "ratelimit"].includes(name));
    // What the server adds to a body by itself, HEAD has to say.
    const length = String(new TextEncoder().encode(get!.text).byteLength);
    get!.headers.set("content-length", length);
    assertEquals(told(head!), told(get!), path);
    assertEquals(head!.headers.has("ratelimit"), get!.headers.has("ratelimit"));
    assert(get!.text !== "");
  }
});
