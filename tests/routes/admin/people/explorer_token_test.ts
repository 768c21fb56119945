/**
 * `POST /api/admin/explorer-token`: what the explorer reads for somebody who has signed in.
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("the explorer's token reads public content, writes nothing, and expires", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [] });
  for (const status of ["published", "draft"]) {
    const body = { collection: "posts", title: `One ${status}`, status };
    answered(await test.admin("POST", "/documents", body), 201);
  }

  const { token, scopes, ...rest } = answered(await test.admin("POST", "/explorer-token"), 201);
  const v1 = (method: string, path: string, body?: Json) =>
    test.call(method, `/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    });
  assertEquals([scopes, Object.keys(rest)], [["*:read", "media:read"], ["expiresAt"]]);
  assertEquals(answered(await v1("GET", "/posts"), 200).meta.total, 1);
  assertEquals(
    Object.hasOwn(answered(await v1("GET", "/_meta"), 200).paths, "/api/v1/posts"),
    true,
  );
  assertEquals((await v1("POST", "/posts", { title: "Two" })).status, 403);
  assertEquals((await v1("GET", "/posts?draft=true")).status, 403);
  assertEquals((await test.admin("GET", "/tokens")).json.data, []);

  const wrong = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
  const answer = await test.call("GET", "/api/v1/posts", {
    headers: { authorization: `Bearer ${wrong}` },
  });
  assertEquals(answer.status, 401);
  test.context.advance(900_000);
  assertEquals((await v1("GET", "/posts")).status, 401);
});

Deno.test("the explorer's token reads the collections that its user's role names", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [] });
  await test.collection({ slug: "pages", name: "Pages", fields: [] });
  const role = {
    name: "reader of posts",
    permissions: ["collections.read"],
    collections: [{ collection: "posts", actions: ["read"] }],
  };
  answered(await test.admin("POST", "/roles", role), 201);
  const person = { email: "bea@example.org", password: "a password of some length" };
  const user = { ...person, displayName: "Bea", roles: [role.name] };
  answered(await test.admin("POST", "/users", user), 201);
  const signedIn = await test.call("POST", "/api/admin/session", { body: person });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;

  const lent = await test.call("POST", "/api/admin/explorer-token", { headers: { cookie } });
  assertEquals(lent.json.scopes, ["posts:read"]);
  const status = async (path: string) => {
    const headers = { authorization: `Bearer ${lent.json.token}` };
    return (await test.call("GET", `/api/v1/${path}`, { headers })).status;
  };
  assertEquals(await Promise.all(["posts", "pages", "media"].map(status)), [200, 403, 403]);
});
