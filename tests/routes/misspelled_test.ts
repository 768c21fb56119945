/**
 * Parameters that differ only in case from one that there is: they were meant, and a request that ignores them
 * does something else, of which some things cannot be taken back.
 */
import { assertEquals } from "../support/harness/assert.ts";
import { testApp } from "../support/sites/app.ts";

const REFUSED = [400, "PARAMETER_INVALID"];

Deno.test("a dry run that is misspelled does nothing", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [{ name: "body", type: "text" }] });
  const token = await test.token();

  const requests: [string, string, Record<string, string>?][] = [
    ["DELETE", "/collections/posts?dryrun=true"],
    ["DELETE", "/collections/posts/fields/body?DRYRUN=true"],
    ["PATCH", "/collections/posts/fields/body?dryrun=true", { name: "text" }],
    ["POST", "/themes?dryrun=true"],
    ["POST", "/plugins?DryRun=true"],
  ];
  for (const [method, path, body] of requests) {
    const { status, json } = await test.admin(method, path, body);
    assertEquals([status, json?.error.code], REFUSED, `${method} ${path}`);
  }
  const headers = { "content-type": "application/gzip" };
  const body = new Uint8Array(10);
  const imported = await test.admin("POST", "/imports?dryrun=true", body as never, { headers });
  assertEquals([imported.status, imported.json.error.code], REFUSED);

  const path = "/api/v1/posts?dryrun=true";
  const written = await test.call("POST", path, { token, body: { title: "Hello" } });
  assertEquals([written.status, written.json.error.code], REFUSED);

  const { json } = await test.admin("GET", "/collections/posts");
  assertEquals(json.fields.map(({ name }: { name: string }) => name), ["body"]);
  assertEquals((await test.call("GET", "/api/v1/posts", { token })).json.meta.total, 0);
});

Deno.test("lists and the change feed refuse what would be ignored", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({ slug: "posts", name: "Posts", fields: [] });
  const token = await test.token();

  const { id } =
    (await test.admin("POST", "/documents", { collection: "posts", title: "Hello" })).json;
  const [version] = (await test.admin("GET", `/versions/document/${id}`)).json.data;

  const lists = ["users?perpage=5", "jobs?State=failed", "media?Folder=/", "roles?PAGE=2"]
    .concat(`versions/document/${id}?Group=sitting`, `versions/${version.id}/diff?Against=current`);
  for (const path of lists) {
    const { status, json } = await test.admin("GET", `/${path}`);
    assertEquals([status, json.error?.code], REFUSED, path);
  }
  const uploaded = await test.admin("POST", "/media?ifnew=true", new FormData() as never);
  assertEquals([uploaded.status, uploaded.json.error?.code], REFUSED);
  for (const query of ["Limit=1", "Collection=posts", "SINCE=x"]) {
    const { status, json } = await test.call("GET", `/api/v1/_changes?${query}`, { token });
    assertEquals([status, json.error?.code], REFUSED, query);
  }
  // Unknown parameters are ignored, as before.
  assertEquals((await test.admin("GET", "/users?utm=5")).status, 200);
  assertEquals((await test.call("GET", "/api/v1/_changes?utm=5", { token })).status, 200);
});
