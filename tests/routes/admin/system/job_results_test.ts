/** Seeing jobs is no right to read what they were about. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

async function person(test: TestApp, permissions: string[], collections: Json[] = []) {
  const name = `role${permissions.length}${collections.length}`;
  answered(await test.admin("POST", "/roles", { name, permissions, collections }), 201);
  const email = `${name}@example.org`;
  const password = "a password of some length";
  const user = { email, displayName: name, password, roles: [name] };
  answered(await test.admin("POST", "/users", user), 201);
  const signedIn = await test.call("POST", "/api/admin/session", { body: { email, password } });
  const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
  return (path: string) => test.call("GET", path, { headers: { cookie } });
}

Deno.test("jobs show titles and values of documents to users who may read them", async () => {
  await using test = await testApp();
  await test.setUp();
  const fields = [{ name: "code", type: "text" }];
  for (const slug of ["posts", "pages"]) await test.collection({ slug, name: slug, fields });
  const secret = { collection: "posts", title: "Merger with Acme", code: "under wraps" };
  const { id } = answered(await test.admin("POST", "/documents", secret), 201);
  const migration = await test.admin("PATCH", "/collections/posts/fields/code", { type: "number" });
  const { jobId } = answered(migration, 202);
  await test.runner.drain();

  const blind = await person(test, ["jobs.read"]);
  const elsewhere = await person(test, ["jobs.read", "media.read"], [
    { collection: "pages", actions: ["read"] },
  ]);
  const reader = await person(test, ["jobs.read"], [{ collection: "posts", actions: ["read"] }]);
  const paths = [`/api/admin/jobs/${jobId}`, "/api/admin/jobs", `/admin/jobs/${jobId}`];
  for (const ask of [blind, elsewhere]) {
    for (const path of paths) {
      const { status, text } = await ask(path);
      assertEquals(status, 200);
      assert(!/Merger|under wraps/.test(text), `${path} shows values`);
    }
    assertRefusal(await ask(`/api/admin/jobs/${jobId}/lost`), 403, "FORBIDDEN");
    const { lost, failed } = (await ask(paths[0]!)).json.result.documents;
    assertEquals([failed, lost[0].id], [1, id]);
  }
  assert((await reader(paths[0]!)).text.includes("under wraps"));
  assertEquals((await reader(`/api/admin/jobs/${jobId}/lost`)).json.data[0].value, "under wraps");
});
