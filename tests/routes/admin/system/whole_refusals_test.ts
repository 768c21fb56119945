import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal, detailsOf } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { NOON_SECONDS } from "../../../support/sites/headless.ts";

async function site(): Promise<TestApp> {
  const test = await testApp();
  await test.setUp();
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [{
      name: "tags",
      type: "multi_select",
      options: { choices: ["a", "b"], maxItems: 2 },
      indexed: true,
    }],
  });
  return test;
}

/** What a request is refused for, as `field CODE`, in order of name. */
async function refused(test: TestApp, path: string, body: Json, method = "POST") {
  const answer = await test.admin(method, path, body);
  assertRefusal(answer, 422, "VALIDATION_FAILED");
  return detailsOf(answer);
}

Deno.test("POST /api/admin/users names unknown roles together with what else is wrong", async () => {
  await using test = await site();
  const body = {
    email: "nobody",
    displayName: "N",
    password: "short",
    roles: ["viewer", "none", "", 5],
  };
  const lines = new Set(await refused(test, "/users", body));
  lines.delete("roles.2 PATTERN_MISMATCH");
  assertEquals([...lines], [
    "email PATTERN_MISMATCH",
    "password TOO_SHORT",
    "roles.1 INVALID_CHOICE",
    "roles.2 TOO_SHORT",
    "roles.3 INVALID_TYPE",
  ]);

  const user = answered(
    await test.admin("POST", "/users", { email: "a@b.example", displayName: "A", roles: [] }),
    201,
  );
  const patch = { displayName: "", roles: ["none"] };
  const fields = (await refused(test, `/users/${user.id}`, patch, "PATCH"))
    .map((line) => line.split(" ")[0]);
  assertEquals([...new Set(fields)], ["displayName", "roles.0"]);
});

Deno.test("POST /api/admin/tokens names scopes of no collection together with what else is wrong", async () => {
  await using test = await site();
  const body = { scopes: ["posts:read", "posts:read", "none:read", "*:*"], expiresAt: 5 };
  assertEquals(await refused(test, "/tokens", body), [
    "expiresAt TOO_SMALL",
    "name REQUIRED",
    "scopes.2 INVALID_SCOPE",
    "scopes.3 INVALID_SCOPE",
  ]);

  const token = answered(await test.admin("POST", "/tokens", { name: "a", scopes: ["*"] }), 201);
  const patch = { name: "", scopes: ["*", "none:read"] };
  assertEquals(await refused(test, `/tokens/${token.id}`, patch, "PATCH"), [
    "name TOO_SHORT",
    "scopes.1 INVALID_SCOPE",
  ]);
});

Deno.test("POST /api/admin/tokens counts a scope's place in the list as it was given", async () => {
  await using test = await site();
  const body = { name: "a", scopes: ["posts:read", "posts:read", "none:read"] };
  assertEquals(await refused(test, "/tokens", body), ["scopes.2 INVALID_SCOPE"]);
});

Deno.test("POST /api/admin/documents without a collection says what else is wrong", async () => {
  await using test = await site();
  assertEquals(await refused(test, "/documents", {}), ["collection REQUIRED", "title REQUIRED"]);
  const body = { collection: 5, title: " ", slug: "Not one", status: "trashed", tags: 1 };
  assertEquals(await refused(test, "/documents", body), [
    "collection INVALID_TYPE",
    "slug PATTERN_MISMATCH",
    "status INVALID_STATUS",
    "title TOO_SHORT",
  ]);
});

Deno.test("POST /api/admin/documents/{id}/schedule names a past time together with what else is wrong", async () => {
  await using test = await site();
  const made = await test.admin("POST", "/documents", { collection: "posts", title: "A" });
  const path = `/documents/${answered(made, 201).id}/schedule`;
  const past = NOON_SECONDS - 1;
  assertEquals(await refused(test, path, { publishAt: past, unpublishAt: past, more: 1 }), [
    "more UNKNOWN_KEY",
    "publishAt TOO_SMALL",
    "unpublishAt TOO_SMALL",
  ]);
  assertEquals(await refused(test, path, { more: 1 }), [
    "more UNKNOWN_KEY",
    "publishAt REQUIRED",
  ]);
});

Deno.test("POST /api/admin/restore names a future time together with what else is wrong", async () => {
  await using test = await site();
  const body = { timestamp: NOON_SECONDS + 3_600, more: 1 };
  assertEquals(await refused(test, "/restore", body), ["more UNKNOWN_KEY", "timestamp TOO_LARGE"]);
});

Deno.test("POST /api/admin/media names a missing file together with what else is wrong", async () => {
  await using test = await site();
  for (const value of ["text", new File(["bytes"], "a.png")]) {
    const raw = new FormData();
    if (typeof value === "string") raw.append("picture", value);
    else raw.append("picture", value);
    const answer = await test.admin("POST", "/media", undefined, { raw });
    const details = ["file REQUIRED", "picture UNKNOWN_KEY"];
    assertRefusal(answer, 422, "VALIDATION_FAILED", details);
  }
});

Deno.test("GET /api/admin/jobs and documents name everything that is wrong with their filters", async () => {
  await using test = await site();
  const wrong = async (path: string, details: string[]) =>
    assertRefusal(await test.admin("GET", path), 422, "VALIDATION_FAILED", details);
  await wrong("/jobs?type=none&state=none", [
    "state INVALID_FILTER_VALUE",
    "type INVALID_FILTER_VALUE",
  ]);
  const query = `collection=posts&status=none&field.tags=none&q=${"x".repeat(101)}`;
  await wrong(`/documents?${query}`, [
    "field.tags INVALID_FILTER_VALUE",
    "q TOO_LONG",
    "status INVALID_FILTER_VALUE",
  ]);
});

Deno.test("GET /api/v1/{collection} names a wrong status together with other wrong filters", async () => {
  await using test = await site();
  const token = await test.token();
  const ask = (query: string) => test.call("GET", `/api/v1/posts?${query}`, { token });
  assertRefusal(await ask("status=none&field.tags=none"), 422, "VALIDATION_FAILED", [
    "field.tags INVALID_FILTER_VALUE",
    "status INVALID_FILTER_VALUE",
  ]);
  assertRefusal(await ask("status=none&field.none=1"), 400, "FILTER_FIELD_INVALID");
});

Deno.test("a multi_select value is too long by what it was given, whatever of that is a choice", async () => {
  await using test = await site();
  const body = { collection: "posts", title: "A", tags: ["a", "c", "d"] };
  assertEquals(await refused(test, "/documents", body), [
    "tags TOO_LONG",
    "tags.1 INVALID_CHOICE",
    "tags.2 INVALID_CHOICE",
  ]);
  const twice = { collection: "posts", title: "A", tags: ["a", "b", "a"] };
  answered(await test.admin("POST", "/documents", twice), 201);
});
