/**
 * The order of checks: route and method, authentication, rate limit, body size and content type,
 * collection, scope, query or body validation, document.
 */
import type { Call } from "../../../support/sites/app.ts";
import type { RefusalCode } from "../../../../kv/refusals.ts";
import { assertRefused, headless, NO_ID } from "../../../support/sites/headless.ts";

const JSON_TYPE = { "content-type": "application/json" };
const TOO_LARGE = { ...JSON_TYPE, "content-length": "5000001" };
const READER = "reader";

/** Each request fails every check from its own on; only the first failure is reported. */
const WRITES: [string, number, RefusalCode, string, string, Call][] = [
  ["wrong method", 405, "METHOD_NOT_ALLOWED", "PUT", `/nowhere/${NO_ID}`, {
    token: "x",
    raw: "{",
    headers: TOO_LARGE,
  }],
  ["no such route", 404, "NOT_FOUND", "POST", "/a/b/c/d", { token: "x", raw: "{" }],
  ["token", 401, "UNAUTHENTICATED", "PATCH", `/nowhere/${NO_ID}`, {
    token: "x",
    raw: "{",
    headers: TOO_LARGE,
  }],
  ["body size", 413, "PAYLOAD_TOO_LARGE", "PATCH", `/nowhere/${NO_ID}`, {
    token: READER,
    raw: "{",
    headers: { "content-type": "text/plain", "content-length": "5000001" },
  }],
  ["content type", 415, "UNSUPPORTED_MEDIA_TYPE", "PATCH", `/nowhere/${NO_ID}`, {
    token: READER,
    raw: "{",
    headers: { "content-type": "text/plain" },
  }],
  ["collection", 404, "COLLECTION_NOT_FOUND", "PATCH", `/nowhere/${NO_ID}`, {
    token: READER,
    raw: "{",
    headers: JSON_TYPE,
  }],
  ["scope", 403, "FORBIDDEN", "PATCH", `/posts/${NO_ID}`, {
    token: READER,
    raw: "{",
    headers: JSON_TYPE,
  }],
  ["body", 400, "BODY_INVALID", "PATCH", `/posts/${NO_ID}`, { raw: "{", headers: JSON_TYPE }],
  ["collection of a POST", 404, "COLLECTION_NOT_FOUND", "POST", "/nowhere", { headers: JSON_TYPE }],
  ["scope of a POST", 403, "FORBIDDEN", "POST", "/posts", { token: READER, headers: JSON_TYPE }],
  ["body of a POST", 400, "BODY_INVALID", "POST", "/posts", { headers: JSON_TYPE }],
  ["document", 404, "NOT_FOUND", "PATCH", `/posts/${NO_ID}`, {
    body: { status: "archived" },
    headers: { "if-match": '"0"', ...JSON_TYPE },
  }],
  ["collection of a list", 404, "COLLECTION_NOT_FOUND", "GET", "/nowhere?page=0", {
    token: READER,
  }],
  ["scope of a list", 403, "FORBIDDEN", "GET", "/pages?page=0&sort=x", { token: READER }],
  ["collection of a read", 404, "COLLECTION_NOT_FOUND", "GET", `/nowhere/${NO_ID}`, {
    token: READER,
  }],
  ["collection of a delete", 404, "COLLECTION_NOT_FOUND", "DELETE", `/nowhere/${NO_ID}`, {
    token: READER,
  }],
  ["scope of a delete", 403, "FORBIDDEN", "DELETE", `/posts/${NO_ID}`, { token: READER }],
];
for (const [check, status, code, method, path, call] of WRITES) {
  Deno.test(`${method} ${path.slice(0, 12)} fails at the first check: ${check}`, async () => {
    await using test = await headless([]);
    await test.collection({ slug: "pages", name: "Pages" });
    const token = call.token === READER
      ? await test.token({ scopes: ["posts:read"] })
      : call.token ?? test.full;
    assertRefused(await test.v1(method, path, { ...call, token }), status, code);
  });
}

Deno.test("PATCH /{collection}/{id} checks the body before the condition, and that before the status", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "T" });
  const headers = { "if-match": '"stale"' };
  const status = "published";
  const all = await test.v1("PATCH", `/posts/${id}`, { headers, body: { status, no: 1 } });
  const both = await test.v1("PATCH", `/posts/${id}`, { headers, body: { status } });
  const one = await test.v1("PATCH", `/posts/${id}`, { body: { status, title: "U" } });
  assertRefused(all, 422, "VALIDATION_FAILED", ["no UNKNOWN_KEY"]);
  assertRefused(both, 412, "PRECONDITION_FAILED");
  assertRefused(one, 422, "STATUS_TRANSITION_NOT_SUPPORTED");
});

Deno.test("a full quota takes precedence over any error in the body", async () => {
  await using test = await headless([]);
  const token = await test.token({ quotaPerMinute: 1 });
  await test.v1("GET", "/posts", { token });
  const headers = { "content-type": "text/plain", "content-length": "5000001" };
  const answer = await test.v1("POST", "/nowhere", { token, raw: "{", headers });
  assertRefused(answer, 429, "RATE_LIMITED");
});
