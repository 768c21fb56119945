/**
 * Writes that begin with what their process has seen last: whatever another process has changed meanwhile
 * counts for them all the same.
 */
import { StoreUnavailable } from "../../../../kv/unavailable.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { parseCollection } from "../../../../kv/model/input/collection_input.ts";
import { parseField } from "../../../../kv/model/fields/field_input.ts";
import { parseToken } from "../../../../kv/model/input/token_input.ts";
import { mintToken } from "../../../../kv/people/tokens.ts";
import { createCollection } from "../../../../kv/schema/collections.ts";
import { createField } from "../../../../kv/schema/fields.ts";
import { IdempotentRequest } from "../../../../kv/documents/idempotency.ts";
import { tokenIdOf } from "../../../../kv/model/values/token_text.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { Store } from "../../../../kv/store/store.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { assertRefused, headless, versionCount } from "../../../support/sites/headless.ts";
import { SlowDriver } from "../../../support/stores/slow_driver.ts";
import { HookedDriver } from "../../../support/stores/hooked_driver.ts";

/** A site, and another process whose calls of the store are counted; both know the token and a post. */
async function warmSite(minted: Record<string, string[] | string | number> = {}) {
  const test = await headless();
  await test.setUp();
  const input = { name: "writer", scopes: ["*"], quotaPerMinute: 100_000, ...minted };
  const { view, text: token } = await mintToken(
    test.context,
    UNATTENDED,
    parseToken(input, 0),
    null,
  );
  const driver = new HookedDriver(test.context.store.driver);
  const other = secondApp({ ...test.context, store: new Store(driver) });
  const origin = "https://site.example";
  const here = (method: string, path: string, body?: Record<string, string | number>) =>
    callApp(other.app, method, `/api/v1${path}`, {
      token,
      ...(body && { body }),
      headers: { origin },
    });
  const there = (method: string, path: string, body: Record<string, string | number>) =>
    test.v1(method, path, { body });
  const { id } = (await here("POST", "/posts", { title: "Warm", rating: 1 })).json;
  // The first read that tells of the document, and of those who type into it.
  await here("PATCH", `/posts/${id}`, { rating: 2 });
  return {
    test,
    other,
    driver,
    token,
    tokenId: view.id,
    here,
    there,
    id,
    path: `/posts/${id}`,
    countOf: async () => (await here("GET", "/posts")).json.meta.total as number,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

Deno.test("a warm POST and a warm PATCH are one call of the store", async () => {
  await using site = await warmSite();
  const { here, driver, path } = site;
  await here("POST", "/posts", { title: "Warmer" });
  for (
    const [method, at, body] of [
      ["POST", "/posts", { title: "New" }],
      ["PATCH", path, { rating: 3 }],
      ["PATCH", path, { rating: 4 }],
    ] as const
  ) {
    const before = driver.calls;
    const { status, text } = await here(method, at, body);
    assert(status < 300, text);
    assertEquals(driver.calls - before, 1, `${method} ${at}`);
  }
  assertEquals((await here("GET", path)).json.rating, 4);
  assertEquals(await versionCount(site.test, site.id), 4);
});

Deno.test("a token that another process has revoked, narrowed or given another origin writes nothing by what it was", async () => {
  await using site = await warmSite({ allowedOrigins: ["https://site.example"] });
  const { here, test, tokenId, path } = site;
  const { headers } = await here("PATCH", path, { rating: 3 });
  assertEquals(headers.get("access-control-allow-origin"), "https://site.example");
  const change = (body: Record<string, string[]>) =>
    test.admin("PATCH", `/tokens/${tokenId}`, body);
  assertEquals((await change({ allowedOrigins: ["https://else.example"] })).status, 200);
  const foreign = await here("PATCH", path, { rating: 4 });
  assertEquals([foreign.status, foreign.headers.get("access-control-allow-origin")], [200, null]);
  assertEquals((await change({ scopes: ["posts:read"] })).status, 200);
  assertRefused(await here("POST", "/posts", { title: "Not allowed" }), 403, "FORBIDDEN");
  assertRefused(await here("PATCH", path, { rating: 5 }), 403, "FORBIDDEN");
  assertEquals((await change({ scopes: ["*"] })).status, 200);
  assertEquals((await here("PATCH", path, { rating: 6 })).status, 200);
  assertEquals((await test.admin("DELETE", `/tokens/${tokenId}`)).status, 204);
  assertRefused(await here("POST", "/posts", { title: "Revoked" }), 401, "UNAUTHENTICATED");
  assertRefused(await here("PATCH", path, { rating: 7 }), 401, "UNAUTHENTICATED");
  const { json } = await test.v1("GET", "/posts?fields=title,rating");
  assertEquals(json.data.map(({ rating }: { rating: number }) => rating), [6]);
});

Deno.test("a token that expires is refused by the clock alone", async () => {
  await using site = await warmSite();
  const { test } = site;
  const input = {
    name: "brief",
    scopes: ["*"],
    quotaPerMinute: 100_000,
    expiresAt: test.context.now() / 1000 + 30,
  };
  const { text: token } = await mintToken(test.context, UNATTENDED, parseToken(input, 0), null);
  const post = (title: string) => test.v1("POST", "/posts", { token, body: { title } });
  for (const title of ["One", "Two"]) assertEquals((await post(title)).status, 201);
  test.context.advance(31_000);
  assertRefused(await post("Three"), 401, "UNAUTHENTICATED");
});

Deno.test("what another process has defined is what a body is checked by", async () => {
  await using site = await warmSite();
  const { here, test } = site;
  const { content } = test.deps;
  const must = parseField({ name: "must", label: "Must", type: "text", required: true });
  await createField(content, UNATTENDED, "posts", must);
  const made = await here("POST", "/posts", { title: "Has it", must: "yes" });
  assertEquals([made.status, made.json.must], [201, "yes"], made.text);
  const published = { title: "Lacks it", status: "published" };
  assertRefused(await here("POST", "/posts", published), 422, "VALIDATION_FAILED", [
    "must REQUIRED",
  ]);
  assertRefused(await here("POST", "/pages", { title: "P" }), 404, "COLLECTION_NOT_FOUND");
  const pages = parseCollection({ slug: "pages", name: "Pages" });
  await createCollection(content, UNATTENDED, pages);
  assertEquals((await here("POST", "/pages", { title: "P" })).status, 201);
  assertEquals((await here("POST", "/pages", { title: "Q" })).status, 201);
  const renamed = await test.admin("PATCH", "/collections/pages", { slug: "leaves" });
  assertEquals(renamed.status, 200, renamed.text);
  assertRefused(await here("POST", "/pages", { title: "R" }), 404, "COLLECTION_NOT_FOUND");
});

Deno.test("a patch of a document that another process has changed applies to the current state", async () => {
  await using site = await warmSite();
  const { here, there, path, id, test } = site;
  assertEquals((await there("PATCH", path, { rating: 5, summary: "Theirs" })).status, 200);
  const kept = await here("PATCH", path, { title: "Ours" });
  assertEquals([kept.json.title, kept.json.rating, kept.json.summary], ["Ours", 5, "Theirs"]);
  // By what this process knows it would change nothing.
  await there("PATCH", path, { title: "Theirs" });
  assertEquals((await here("PATCH", path, { title: "Ours" })).json.title, "Ours");
  assertEquals(await versionCount(test, id), 6);
  // By what this process knows the condition holds.
  const etag = (await here("GET", path)).headers.get("etag")!;
  await here("PATCH", path, { title: "Ours" });
  await there("PATCH", path, { title: "Theirs again" });
  const conditional = await callApp(site.other.app, "PATCH", `/api/v1${path}`, {
    token: site.token,
    body: { title: "Lost" },
    headers: { "if-match": etag },
  });
  assertRefused(conditional, 412, "PRECONDITION_FAILED");
  assertEquals((await here("GET", path)).json.title, "Theirs again");
  await there("DELETE", path, {});
  assertRefused(await here("PATCH", path, { title: "Gone" }), 404, "NOT_FOUND");
});

Deno.test("a write under a new key is one call of the store, and is carried out once", async () => {
  await using site = await warmSite();
  const { test, other, token, driver, path, id } = site;
  const send = (key: string, method: string, at: string, body: Record<string, string | number>) =>
    callApp(other.app, method, `/api/v1${at}`, {
      token,
      body,
      headers: { "idempotency-key": key },
    });
  for (
    const [method, at, body] of [
      ["POST", "/posts", { title: "Keyed" }],
      ["PATCH", path, { rating: 8 }],
    ] as const
  ) {
    const before = driver.calls;
    const first = await send(method, method, at, body);
    assertEquals(driver.calls - before, 1, `${method}: ${first.text}`);
    // As far as this process knows the document, the key is unused.
    const again = await send(method, method, at, body);
    assertEquals([again.status, again.text], [first.status, first.text]);
    assertEquals(again.headers.get("idempotency-replayed"), "true");
    const others = await send(method, method, at, { ...body, rating: 9 });
    assertRefused(others, 422, "IDEMPOTENCY_KEY_REUSED");
  }
  assertEquals(await site.countOf(), 2);
  assertEquals(await versionCount(test, id), 3);
  // In a group of commits, too, where checks are left out that others stand for.
  await site.here("PATCH", path, { rating: 1 });
  const { promise: underWay, resolve: begun } = Promise.withResolvers<void>();
  const { promise: waited, resolve: letGo } = Promise.withResolvers<void>();
  driver.hook = async () => {
    begun();
    await waited;
  };
  const ahead = site.here("POST", "/posts", { title: "Ahead" });
  await underWay;
  const together = Promise.all([
    site.here("POST", "/posts", { title: "Beside" }),
    send("PATCH", "PATCH", path, { rating: 8 }),
  ]);
  await new Promise((waiting) => setTimeout(waiting, 50));
  letGo();
  await ahead;
  const [, late] = await together;
  assertEquals(late.headers.get("idempotency-replayed"), "true");
  assertEquals((await site.here("GET", path)).json.rating, 1);
});

/**
 * What a request is answered that waits in another process while the same is carried out by the first, or when it was
 * before: it waits behind writes whose commit finds taken what it wants, too.
 */
async function repeatedBehindFailure(
  method: "POST" | "PUT",
  path: string,
  { headers = {}, isFirstEarly = false }: {
    headers?: Record<string, string>;
    isFirstEarly?: boolean;
  },
) {
  await using site = await warmSite();
  const { test, other, token, driver, here } = site;
  const body = { title: "Once", slug: "once", code: "C" };
  const send = ({ app }: Pick<typeof other, "app">) =>
    callApp(app, method, `/api/v1${path}`, { token, body, headers });
  const early = isFirstEarly ? await send(test) : null;
  const { promise: underWay, resolve: begun } = Promise.withResolvers<void>();
  const { promise: waited, resolve: letGo } = Promise.withResolvers<void>();
  const commit = driver.commit.bind(driver);
  driver.commit = async (operation) => {
    begun();
    await waited;
    return await commit(operation);
  };
  const ahead = here("POST", "/posts", { title: "Ahead" });
  await underWay;
  const later = () => new Promise((done) => setTimeout(done, 20));
  const rival = { title: "Rival", slug: method === "POST" ? "once" : "rival", code: "C" };
  const others = [here("POST", "/posts", { title: "Beside" }), here("POST", "/posts", rival)];
  await later();
  const repeated = send(other);
  await later();
  const first = early ?? await send(test);
  letGo();
  await ahead;
  const [beside, lost] = await Promise.all(others);
  assertEquals([beside!.status, lost!.status], [201, method === "POST" ? 409 : 422]);
  const { status, text, headers: told } = await repeated;
  return { first, again: { status, text, replayed: told.get("idempotency-replayed") } };
}

Deno.test("a repetition that waited for a group of commits that failed is answered as the first time", async () => {
  const headers = { "idempotency-key": "once" };
  // One that begins without a read, and one that has found no record before the first one left it.
  for (const [path, isFirstEarly] of [["/posts", true], ["/posts?dryRun=false", false]] as const) {
    const { first, again } = await repeatedBehindFailure("POST", path, { headers, isFirstEarly });
    assertEquals(again, { status: 201, text: first.text, replayed: "true" });
  }
});

Deno.test("a put that waited for a group of commits that failed is not refused for the values of its own document", async () => {
  for (const query of ["", "?dryRun=false"]) {
    const { first, again } = await repeatedBehindFailure("PUT", `/posts/by-slug/once${query}`, {});
    assertEquals(again, { status: 200, text: first.text, replayed: null });
  }
});

Deno.test("a write under a key whose request is under way elsewhere is refused", async () => {
  await using site = await warmSite();
  const { test: { context }, other, token, path } = site;
  const { claimKey } = new IdempotentRequest(tokenIdOf(token)!, "busy", []);
  const send = () =>
    callApp(other.app, "PATCH", `/api/v1${path}`, {
      token,
      body: { rating: 8 },
      headers: { "idempotency-key": "busy" },
    });
  await context.store.commit(new Operation().set(claimKey, context.now() + 5_000));
  assertRefused(await send(), 409, "CONFLICT");
  await context.store.commit(new Operation().delete(claimKey));
  assertEquals((await send()).json.rating, 8);
});

Deno.test("a commit without an answer is carried out once, and one that was refused not at all", async () => {
  await using site = await warmSite();
  const { here, driver, path, id, test } = site;
  const from = driver.calls;
  driver.hook = (n, when) => {
    if (n === from + 1 && when === "after") throw new StoreUnavailable("No answer");
  };
  assertEquals((await here("PATCH", path, { rating: 7 })).status, 200);
  assertEquals(await versionCount(test, id), 3);
  const again = driver.calls;
  driver.hook = (n, when) => {
    if (n === again + 1 && when === "after") throw new StoreUnavailable("No answer");
  };
  assertEquals((await here("POST", "/posts", { title: "Once" })).status, 201);
  driver.hook = () => {};
  assertEquals(await site.countOf(), 2);
});

Deno.test("where commits wait for the way to the store, patches read again: they have fewer checks then", async () => {
  await using site = await warmSite();
  const { test, token } = site;
  const far = new Store(new SlowDriver(test.context.store.driver, 5));
  const { app, deps } = secondApp({ ...test.context, store: far });
  const { store } = deps.content.context;
  const documents = await Promise.all(
    Array.from({ length: 48 }, async (_, n) => (await test.post({ title: `Many ${n}` })).id),
  );
  const patchAll = (ids: string[], rating: number) =>
    Promise.all(ids.map(async (id) => {
      const path = `/api/v1/posts/${id}`;
      const { status, text } = await callApp(app, "PATCH", path, { token, body: { rating } });
      assertEquals(status, 200, text);
    }));
  // Twice: the first patch of each document reads it.
  for (const rating of [1, 2]) await patchAll(documents, rating);
  const few = documents.slice(0, 4);
  await patchAll(few, 3);
  const { reads } = store.counts;
  await patchAll(few, 4);
  assertEquals(store.counts.reads, reads);
  await patchAll(documents, 5);
  await Promise.all(documents.map(async (id, n) => {
    await new Promise((later) => setTimeout(later, n / 4));
    await patchAll([id], 6);
  }));
  assert(store.counts.reads > reads, "none of them has read");
});

Deno.test("a small quota is exact where every process begins without a read", async () => {
  await using site = await warmSite({ quotaPerMinute: 25 });
  const { test, other, token } = site;
  const statuses: number[] = [];
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      [test.app, other.app, other.app, test.app].map((app, n) =>
        callApp(app, "POST", "/api/v1/posts", { token, body: { title: `Round ${round} ${n}` } })
      ),
    );
    statuses.push(...answers.map(({ status }) => status));
  }
  // Two of the window were used to warm up.
  assertEquals(statuses.filter((status) => status === 201).length, 23);
  assertEquals(statuses.filter((status) => status === 429).length, 17);
});

Deno.test("a request is counted once by a quota that has changed since this process saw it", async () => {
  await using site = await warmSite({ quotaPerMinute: 60 });
  const { test, tokenId, here } = site;
  const setQuota = (quotaPerMinute: number) =>
    test.admin("PATCH", `/tokens/${tokenId}`, { quotaPerMinute });
  const told = async () => {
    const { status, headers } = await here("POST", "/posts", { title: "Counted" });
    return [status, headers.get("ratelimit-policy"), headers.get("ratelimit")?.split(";")[1]];
  };
  // Two of the window were used to warm up.
  assertEquals(await told(), [201, '"default";q=60;w=60', "r=57"]);
  await setQuota(5);
  assertEquals(await told(), [201, '"default";q=5;w=60', "r=1"]);
  await setQuota(50);
  assertEquals(await told(), [201, '"default";q=50;w=60', "r=45"]);
  await setQuota(6);
  assertEquals(await told(), [201, '"default";q=6;w=60', "r=0"]);
  assertEquals(await told(), [429, '"default";q=6;w=60', "r=0"]);
});

Deno.test("a process that lowers a quota itself counts no request that it refuses", async () => {
  await using test = await headless();
  await test.setUp();
  const token = (await test.admin("POST", "/tokens", { name: "t", scopes: ["*"] })).json;
  const post = () => test.v1("POST", "/posts", { token: token.token, body: { title: "T" } });
  for (let n = 0; n < 3; n++) {
    assertEquals((await post()).status, 201);
    test.context.advance(10_000);
  }
  await test.admin("PATCH", `/tokens/${token.id}`, { quotaPerMinute: 2 });
  const { status, headers } = await post();
  // The second one leaves the window, a minute after it came.
  assertEquals([status, headers.get("retry-after")], [429, "40"]);
});
