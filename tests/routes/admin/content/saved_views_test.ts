import { assertEquals } from "../../../support/harness/assert.ts";
import { callApp, type TestApp, testApp } from "../../../support/sites/app.ts";

/** The administrator, and a viewer who is signed in. */
async function visitors(test: TestApp) {
  await test.setUp();
  const password = "a viewer has a password";
  const email = "viewer@example.org";
  await test.admin("POST", "/users", { email, displayName: "V", password, roles: ["viewer"] });
  const session = await test.call("POST", "/api/admin/session", { body: { email, password } });
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  // deno-lint-ignore no-explicit-any
  const viewer = (method: string, path: string, body?: any) =>
    callApp(test.app, method, `/api/admin${path}`, { headers: { cookie }, ...(body && { body }) });
  return { viewer };
}

const view = (name: string, rest = {}) => ({
  name,
  collection: "posts",
  query: "status=draft&page=3&q=",
  ...rest,
});

Deno.test("POST /api/admin/views saves the current view, for oneself or for everyone", async () => {
  await using test = await testApp();
  const { viewer } = await visitors(test);
  await test.collection({ slug: "posts", name: "Posts" });

  const own = await viewer("POST", "/views", view("Mine"));
  const shared = await test.admin("POST", "/views", view("Ours", { shared: true }));
  const hidden = await test.admin("POST", "/views", view("Ada's", { collection: null }));

  assertEquals([own.status, shared.status, hidden.status], [201, 201, 201]);
  assertEquals([own.json.query, own.json.collection, own.json.shared], [
    "status=draft",
    "posts",
    false,
  ]);
  const names = async (ask: typeof viewer) =>
    (await ask("GET", "/views")).json.data.map(({ name }: { name: string }) => name);
  assertEquals(await names(viewer), ["Mine", "Ours"]);
  assertEquals(await names(test.admin), ["Ada's", "Ours"]);
  assertEquals((await viewer("POST", "/views", view("x", { shared: true }))).status, 403);
  assertEquals((await viewer("POST", "/views", view("x", { collection: "none" }))).status, 404);
  assertEquals((await viewer("POST", "/views", view(" "))).status, 422);
  assertEquals(
    (await viewer("POST", "/views", view("x", { query: "q".repeat(2_001) }))).status,
    422,
  );
  assertEquals((await viewer("POST", "/views", { ...view("x"), owner: "x" })).status, 422);
});

Deno.test("DELETE /api/admin/views/{id} removes a user's own views, and shared ones for users who manage them", async () => {
  await using test = await testApp();
  const { viewer } = await visitors(test);
  await test.collection({ slug: "posts", name: "Posts" });
  const own = (await viewer("POST", "/views", view("Mine"))).json.id;
  const shared = (await test.admin("POST", "/views", view("Ours", { shared: true }))).json.id;
  const adas = (await test.admin("POST", "/views", view("Ada's"))).json.id;

  assertEquals((await viewer("DELETE", `/views/${shared}`)).status, 403);
  assertEquals((await viewer("DELETE", `/views/${adas}`)).status, 404);
  assertEquals((await test.admin("DELETE", `/views/${own}`)).status, 404);
  assertEquals((await viewer("DELETE", `/views/${own}`)).status, 204);
  assertEquals((await test.admin("DELETE", `/views/${shared}`)).status, 204);
  assertEquals((await viewer("GET", "/views")).json.data, []);
});

Deno.test("POST /api/admin/views refuses the 101st view of one owner", async () => {
  await using test = await testApp();
  await test.setUp();
  for (let count = 0; count < 100; count++) {
    const { status } = await test.admin("POST", "/views", view(`${count}`, { collection: null }));
    assertEquals(status, 201);
  }
  const last = await test.admin("POST", "/views", view("x", { collection: null }));
  assertEquals([last.status, last.json.error.code], [409, "CONFLICT"]);
  const shared = view("x", { collection: null, shared: true });
  assertEquals((await test.admin("POST", "/views", shared)).status, 201);
});
