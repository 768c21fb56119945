/** The history of what people know by a name. */
import { testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { setUpAdmin } from "../../../support/sites/backups.ts";

Deno.test("GET /versions/… finds settings by key, roles and permissions by name, and who has which role", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("PATCH", "/settings", { "site.title": "The Lamp" });
  const { user } = (await admin.ask("GET", "/session")).json;
  const of = async (path: string) => await admin.ask("GET", `/versions/${path}`);

  const title = await of("setting/site.title");
  assertEquals(title.json.data.map((one: { version_number: number }) => one.version_number), [
    2,
    1,
  ]);
  const { id } = title.json.data[1];
  const first = await of(id);
  assertEquals(first.json.state.value, "The Lantern");
  const restored = await admin.ask("POST", `/versions/${id}/restore`);
  assertEquals(restored.status, 200);
  assertEquals((await admin.ask("GET", "/settings")).json["site.title"], "The Lantern");

  for (
    const path of [
      "role/administrator",
      "permission/documents.read",
      `user_role/${user.id}:administrator`,
    ]
  ) {
    assertEquals((await of(path)).json.meta?.total, 1, path);
  }
  for (const path of ["setting/site.nothing", "role/nobody", "user_role/x:administrator"]) {
    assertEquals((await of(path)).status, 404, path);
  }
});
