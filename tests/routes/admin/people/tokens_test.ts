import { type Json, UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { parseToken } from "../../../../kv/model/input/token_input.ts";
import { mintToken } from "../../../../kv/people/tokens.ts";
import { TOKEN_ORIGINS_MAX, TOKEN_SCOPES_MAX } from "../../../../kv/limits/people.ts";
import { INLINE_BYTES_MAX } from "../../../../kv/limits/store.ts";
import {
  answered,
  assertRefusal,
  detailsOf,
  listed,
} from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals, assertMatch } from "../../../support/harness/assert.ts";
import { NO_ID, NOON_SECONDS } from "../../../support/sites/headless.ts";
import { storeText } from "../../../support/sites/people.ts";

async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts" });
  return test;
}

const mint = async (test: TestApp, more: Record<string, Json> = {}) =>
  answered(await test.admin("POST", "/tokens", { name: "app", scopes: ["*"], ...more }), 201);

const works = async (test: TestApp, token: string) =>
  (await test.call("GET", "/api/v1/posts", { token })).status === 200;

Deno.test("POST /api/admin/tokens shows the token once and keeps only its hash", async () => {
  await using test = await site();
  const answer = await test.admin("POST", "/tokens", { name: " app ", scopes: ["*", "*"] });
  const { token, ...view } = answered(answer, 201);

  assertMatch(token, /^[a-z]+_pk_[0-9A-HJKMNP-TV-Z]{26}_[A-Za-z0-9_-]{32}$/);
  assert(token.startsWith("svc_pk_"));
  assertEquals(view, {
    id: view.id,
    name: "app",
    scopes: ["*"],
    quotaPerMinute: 60,
    allowedOrigins: [],
    expiresAt: null,
    revokedAt: null,
    createdAt: NOON_SECONDS,
    updatedAt: NOON_SECONDS,
    lastUsedAt: null,
  });
  assert(token.includes(view.id));
  assertEquals(answer.headers.get("location"), `/api/admin/tokens/${view.id}`);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assert(await works(test, token));

  const one = await test.admin("GET", `/tokens/${view.id}`);
  assertEquals(answered(one, 200), { ...view, lastUsedAt: NOON_SECONDS });
  const list = await test.admin("GET", "/tokens");
  assertEquals(listed(list), [one.json]);
  const secret = token.slice(-32);
  const stored = await storeText(test.context);
  for (const text of [one.text, list.text, stored]) assert(!text.includes(secret));
  for (const text of [one.text, list.text]) assert(!/hash/i.test(text));
});

Deno.test("POST /api/admin/tokens takes all attributes and scopes of every form", async () => {
  await using test = await site();
  const attributes = {
    name: "all",
    scopes: [
      "posts:read",
      "posts:write",
      "posts:read-drafts",
      "*:read",
      "*:write",
      "*:read-drafts",
    ],
    quotaPerMinute: 5,
    allowedOrigins: ["https://example.org", "http://localhost:3000"],
    expiresAt: NOON_SECONDS + 60,
  };
  const { token, ...view } = await mint(test, attributes);
  assertEquals({ ...view, ...attributes }, view);
  assert(await works(test, token));
  test.context.advance(60_000);
  assert(!(await works(test, token)));
});

Deno.test("POST /api/admin/tokens tells all that is wrong", async () => {
  await using test = await site();
  const bad: [Json, string[]][] = [
    [{}, ["name REQUIRED", "scopes REQUIRED"]],
    [{ name: "a", scopes: [] }, ["scopes TOO_SHORT"]],
    [{ name: "a", scopes: "*" }, ["scopes INVALID_TYPE"]],
    [
      {
        name: "a",
        scopes: [
          "*:*",
          "x:*",
          "*:read",
          "posts",
          "posts:delete",
          ":read",
          "Posts:read",
          "**",
          "",
          7,
        ],
      },
      [0, 1, 3, 4, 5, 6, 7, 8].map((n) => `scopes.${n} INVALID_SCOPE`)
        .concat("scopes.9 INVALID_TYPE"),
    ],
    [{ name: "a", scopes: new Array(TOKEN_SCOPES_MAX + 1).fill("*") }, ["scopes TOO_LONG"]],
    [
      {
        name: " ",
        scopes: ["*:*"],
        quotaPerMinute: 0,
        allowedOrigins: [
          "*",
          "https://example.org/",
          "example.org",
          "https://example.org",
          "https://*.example.org",
        ],
        expiresAt: NOON_SECONDS,
        revokedAt: null,
      },
      [
        "allowedOrigins.0 PATTERN_MISMATCH",
        "allowedOrigins.1 PATTERN_MISMATCH",
        "allowedOrigins.2 PATTERN_MISMATCH",
        "allowedOrigins.4 PATTERN_MISMATCH",
        "expiresAt TOO_SMALL",
        "name TOO_SHORT",
        "quotaPerMinute TOO_SMALL",
        "revokedAt UNKNOWN_KEY",
        "scopes.0 INVALID_SCOPE",
      ],
    ],
    [{ name: "a", scopes: ["*"], quotaPerMinute: 1.5, expiresAt: NOON_SECONDS * 1_000 * 1_000 }, [
      "expiresAt TOO_LARGE",
      "quotaPerMinute INVALID_TYPE",
    ]],
  ];
  for (const [body, details] of bad) {
    const answer = await test.admin("POST", "/tokens", body);
    assertEquals([answer.status, detailsOf(answer)], [422, [...details].sort()], answer.text);
  }
  assertEquals(listed(await test.admin("GET", "/tokens")), []);
});

Deno.test("the largest token there may be works", async () => {
  await using test = await site();
  const scopes = Array.from(
    { length: TOKEN_SCOPES_MAX - 1 },
    (_, n) => `${"a".repeat(124)}${1_000 + n}:read-drafts`,
  );
  const allowedOrigins = Array.from({ length: TOKEN_ORIGINS_MAX }, (_, n) => {
    const labels = [`a${100 + n}`, "b".repeat(60), "c".repeat(60), "d".repeat(60), "e".repeat(60)];
    return `https://${labels.join(".")}`;
  });
  const name = "\u{1f3ee}".repeat(100);
  // More collections than a site may have: the scopes are taken as they are.
  const input = parseToken({ name, scopes: [...scopes, "*"], allowedOrigins }, 0);
  const { text: token, view: { id } } = await mintToken(test.context, UNATTENDED, input, null);
  assert(JSON.stringify({ scopes, allowedOrigins }).length > INLINE_BYTES_MAX * 0.85);
  assert(await works(test, token));
  assertEquals(answered(await test.admin("GET", `/tokens/${id}`), 200).name, name);
});

Deno.test("PATCH /api/admin/tokens/{id} changes the given members, at once", async () => {
  await using test = await site();
  const { token, ...view } = await mint(test, { expiresAt: NOON_SECONDS + 600 });
  const patch = (body: Json) => test.admin("PATCH", `/tokens/${view.id}`, body);
  test.context.advance(1_000);

  const changed = answered(await patch({ scopes: ["*:write"], quotaPerMinute: 9 }), 200);
  assertEquals(changed, {
    ...view,
    scopes: ["*:write"],
    quotaPerMinute: 9,
    updatedAt: NOON_SECONDS + 1,
  });
  test.context.advance(1_000);
  assertEquals(answered(await patch({}), 200), changed);
  assertEquals(answered(await patch({ name: "app", quotaPerMinute: 9 }), 200), changed);
  assert(!(await works(test, token)));
  assertEquals(answered(await patch({ expiresAt: null }), 200).expiresAt, null);
  assertRefusal(
    await patch({ scopes: ["x:*"], expiresAt: 1, hash: "x" }),
    422,
    "VALIDATION_FAILED",
    [
      "expiresAt TOO_SMALL",
      "hash UNKNOWN_KEY",
      "scopes.0 INVALID_SCOPE",
    ],
  );
  const { data } = answered(await test.admin("GET", `/versions/api_token/${view.id}`), 200);
  assertEquals(data.length, 3);
});

Deno.test("POST /api/admin/tokens/{id}/rotate gives a new secret, with an overlap if asked", async () => {
  await using test = await site();
  const { token: first, id } = await mint(test);
  const rotate = (body?: Json) => test.admin("POST", `/tokens/${id}/rotate`, body);

  const second = answered(await rotate(), 200).token;
  assertEquals([await works(test, first), await works(test, second)], [false, true]);
  const third = answered(await rotate({ overlapSeconds: 30 }), 200);
  assertEquals([await works(test, second), await works(test, third.token)], [true, true]);
  test.context.advance(30_000);
  assertEquals([await works(test, second), await works(test, third.token)], [false, true]);
  assert(!/hash|previous/i.test(JSON.stringify(third)));
  const headers = { "content-type": "application/json" };
  const empty = await test.admin("POST", `/tokens/${id}/rotate`, undefined, { raw: "", headers });
  answered(empty, 200);
  const long = await rotate({ overlapSeconds: 700_000 });
  assertRefusal(long, 422, "VALIDATION_FAILED", ["overlapSeconds TOO_LARGE"]);
});

Deno.test("DELETE /api/admin/tokens/{id} revokes for good, and lists it still", async () => {
  await using test = await site();
  const { token, id } = await mint(test);
  answered(await test.admin("DELETE", `/tokens/${id}`), 204);
  assert(!(await works(test, token)));
  test.context.advance(5_000);
  answered(await test.admin("DELETE", `/tokens/${id}`), 204);

  const [listing] = listed(await test.admin("GET", "/tokens"));
  assertEquals([listing.id, listing.revokedAt], [id, NOON_SECONDS]);
  assertRefusal(await test.admin("POST", `/tokens/${id}/rotate`), 409, "CONFLICT");
  const revived = await test.admin("PATCH", `/tokens/${id}`, { revokedAt: null });
  assertRefusal(revived, 422, "VALIDATION_FAILED", ["revokedAt UNKNOWN_KEY"]);
  answered(await test.admin("PATCH", `/tokens/${id}`, { name: "old", expiresAt: null }), 200);
  assert(!(await works(test, token)));
});

Deno.test("tokens that are not there are 404, and lists page newest first", async () => {
  await using test = await site();
  for (const id of [NO_ID, "x"]) {
    assertRefusal(await test.admin("GET", `/tokens/${id}`), 404, "NOT_FOUND");
    assertRefusal(await test.admin("PATCH", `/tokens/${id}`, {}), 404, "NOT_FOUND");
    assertRefusal(await test.admin("DELETE", `/tokens/${id}`), 404, "NOT_FOUND");
    assertRefusal(await test.admin("POST", `/tokens/${id}/rotate`), 404, "NOT_FOUND");
  }
  for (const name of ["a", "b", "c"]) await mint(test, { name });
  const page = await test.admin("GET", "/tokens?page=2&perPage=2");
  assertEquals(listed(page).map(({ name }) => name), ["a"]);
  assertEquals(page.json.meta, { page: 2, perPage: 2, total: 3 });
});
