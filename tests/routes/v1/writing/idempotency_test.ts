/** `Idempotency-Key`: what is repeated is answered again and not carried out again. */
import { type Answer, callApp, secondApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  headless,
  storePicture,
  versionCount,
} from "../../../support/sites/headless.ts";
import { idempotencyKey } from "../../../../kv/documents/idempotency_keys.ts";

const DAY_MS = 86_400_000;

const withKey = (key: string) => ({ headers: { "idempotency-key": key } });

/** The same answer as before, marked as repeated. */
function assertReplayed(answer: Answer, first: Answer): void {
  assertEquals([answer.status, answer.text], [first.status, first.text]);
  for (const name of ["etag", "location", "content-type", "cache-control"]) {
    assertEquals(answer.headers.get(name), first.headers.get(name), name);
  }
  assertEquals(first.headers.get("idempotency-replayed"), null);
  assertEquals(answer.headers.get("idempotency-replayed"), "true");
}

Deno.test("a repeated create answers the first document, changed or not since", async () => {
  await using test = await headless();
  const call = { body: { title: "Hello", rating: 3 }, ...withKey("a") };
  const first = await test.v1("POST", "/posts", call);
  assertEquals(first.status, 201);
  assertReplayed(await test.v1("POST", "/posts", call), first);
  await test.v1("PATCH", `/posts/${first.json.id}`, { body: { title: "Changed" } });
  assertReplayed(await test.v1("POST", "/posts", call), first);
  assertEquals((await test.v1("GET", "/posts")).json.meta.total, 1);
});

Deno.test("a repeated change, upsert and trash write once", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Hello", rating: 1 });
  const changes: [string, string, ReturnType<typeof withKey> & { body?: { rating: number } }][] = [
    ["PATCH", `/posts/${id}`, { body: { rating: 2 }, ...withKey("patch") }],
    ["PUT", "/posts/by-slug/hello", { body: { rating: 3 }, ...withKey("put") }],
    ["DELETE", `/posts/${id}`, withKey("delete")],
  ];
  for (const [method, path, call] of changes) {
    const first = await test.v1(method, path, call);
    const versions = await versionCount(test, id);
    assertReplayed(await test.v1(method, path, call), first);
    assertEquals(await versionCount(test, id), versions);
  }
});

Deno.test("a change that changed nothing is remembered too", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Hello", rating: 1 });
  const call = { body: { rating: 1 }, ...withKey("a") };
  const first = await test.v1("PATCH", `/posts/${id}`, call);
  await test.v1("PATCH", `/posts/${id}`, { body: { rating: 2 } });
  assertReplayed(await test.v1("PATCH", `/posts/${id}`, call), first);
  assertEquals((await test.v1("GET", `/posts/${id}`)).json.rating, 2);
});

Deno.test("a key belongs to one method, path and body of one token", async () => {
  await using test = await headless();
  const call = { body: { title: "Hello" }, ...withKey("a") };
  const { json } = await test.v1("POST", "/posts", call);
  const others: [string, string, { title: string }][] = [
    ["POST", "/posts", { title: "Other" }],
    ["PATCH", `/posts/${json.id}`, { title: "Hello" }],
    ["PUT", "/posts/by-slug/hello", { title: "Hello" }],
  ];
  for (const [method, path, body] of others) {
    const answer = await test.v1(method, path, { body, ...withKey("a") });
    assertRefused(answer, 422, "IDEMPOTENCY_KEY_REUSED");
  }
  const token = await test.token();
  assertEquals((await test.v1("POST", "/posts", { ...call, token })).json.slug, "hello-2");

  await test.collection({ slug: "pages", name: "Pages", fields: [] });
  const bulk = (path: string, key: string) =>
    test.v1("POST", `${path}/_bulk`, {
      raw: JSON.stringify({ op: "create", body: { title: "One of many" } }),
      headers: { "content-type": "application/x-ndjson", "idempotency-key": key },
    });
  assertRefused(await bulk("/posts", "a"), 422, "IDEMPOTENCY_KEY_REUSED");
  assertEquals((await bulk("/posts", "b")).status, 200);
  assertRefused(await bulk("/pages", "b"), 422, "IDEMPOTENCY_KEY_REUSED");
  const single = await test.v1("POST", "/posts", { ...call, ...withKey("b") });
  assertRefused(single, 422, "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("refusals are not remembered, and a key ends after a day", async () => {
  await using test = await headless();
  const bad = await test.v1("POST", "/posts", { body: { title: "" }, ...withKey("a") });
  assertEquals(bad.status, 422);
  const call = { body: { title: "Hello" }, ...withKey("a") };
  assertEquals((await test.v1("POST", "/posts", call)).status, 201);
  test.context.advance(DAY_MS - 1);
  assertEquals((await test.v1("POST", "/posts", call)).headers.get("idempotency-replayed"), "true");
  test.context.advance(1);
  assertEquals((await test.v1("POST", "/posts", call)).json.slug, "hello-2");
});

Deno.test("a key that is none is refused, and nothing is written", async () => {
  await using test = await headless();
  const before = await storePicture(test);
  for (const key of ["", "x".repeat(201), "grün"]) {
    const answer = await test.v1("POST", "/posts", { body: { title: "Hello" }, ...withKey(key) });
    assertRefused(answer, 400, "PARAMETER_INVALID");
  }
  assertEquals(await storePicture(test), before);
  const longest = withKey("~".repeat(200));
  assertEquals((await test.v1("POST", "/posts", { body: { title: "A" }, ...longest })).status, 201);
});

Deno.test("of many at once in two processes one writes, the others wait or repeat it", async () => {
  await using test = await headless();
  const other = secondApp(test.context);
  const call = { token: test.full, body: { title: "Hello" }, ...withKey("a") };
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      (_, n) =>
        n % 2 === 0
          ? test.v1("POST", "/posts", call)
          : callApp(other.app, "POST", "/api/v1/posts", call),
    ),
  );
  const written = answers.filter(({ status }) => status === 201);
  assertEquals(new Set(written.map(({ text }) => text)).size, 1);
  assertEquals(
    written.filter(({ headers }) => !headers.has("idempotency-replayed")).length,
    1,
  );
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    assertRefused(answer, 409, "CONFLICT");
    assert(answer.headers.has("retry-after"));
  }
  assertEquals((await test.v1("GET", "/posts")).json.meta.total, 1);
});

Deno.test("the record is in the commit of the write: neither is without the other", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Hello" });
  await test.v1("PATCH", `/posts/${id}`, { body: { title: "Once" }, ...withKey("a") });
  const live = await test.context.store.get(["live", "document", id]);
  const records = await test.context.store.listAll({ prefix: idempotencyKey("", "").slice(0, 1) });
  assertEquals(records.map(({ versionstamp }) => versionstamp), [live.versionstamp]);
});
