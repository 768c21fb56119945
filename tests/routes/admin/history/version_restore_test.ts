import { assert, assertEquals } from "@std/assert";
import { ENTITY_TYPES, type EntityType } from "../../../../kv/model/entities/entity_kinds.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { versionedWrite } from "../../../../kv/versioning/versioned_write.ts";
import { HistorySite, withPosts } from "../../../support/harness/history_site.ts";
import { callApp } from "../../../support/sites/app.ts";

/** An entity that no route makes, with two versions. */
async function plainEntity(site: HistorySite, type: EntityType): Promise<string> {
  const { context } = site.app;
  const id = context.newId(context.now());
  for (const name of ["first", "second"]) {
    await versionedWrite(context, UNATTENDED, async (transaction) => {
      const head = await transaction.head(type, id);
      transaction.save(type, id, head, { id, name } as never);
    });
  }
  return id;
}

Deno.test("POST /api/admin/versions/{id}/restore brings users back, deletes them, and keeps passwords", async () => {
  await using site = await HistorySite.open();
  const bo = await site.want(201, "POST", "/users", {
    email: "bo@example.org",
    displayName: "Bo",
    password: "another long one",
    roles: ["viewer"],
  });
  await site.want(204, "DELETE", `/users/${bo.id}`);
  await site.want(200, "PATCH", `/users/${site.userId}`, { displayName: "Ada L." });

  const back = await site.restore("user", bo.id, 1);
  const gone = await site.restore("user", bo.id, 2);
  const renamed = await site.restore("user", site.userId, 1);

  assertEquals([back.status, back.json.state.displayName], [200, "Bo"]);
  assertEquals("passwordHash" in back.json.state, false);
  assertEquals([gone.status, gone.json.state], [200, null]);
  assertEquals((await site.ask("GET", `/users/${bo.id}`)).status, 404);
  assertEquals([renamed.status, renamed.json.state.displayName], [200, "Ada"]);
  assertEquals((await site.ask("GET", "/session")).status, 200);
});

Deno.test("POST /api/admin/versions/{id}/restore of a deleted user brings the roles that they had then", async () => {
  await using site = await HistorySite.open();
  const custom = await site.want(201, "POST", "/roles", { name: "critic", permissions: [] });
  const bo = await site.want(201, "POST", "/users", {
    email: "bo@example.org",
    displayName: "Bo",
    password: "another long one",
    roles: ["viewer", "author", "critic"],
  });
  await site.want(200, "PATCH", `/users/${bo.id}`, { roles: ["author", "critic"] });
  site.app.context.advance(1);
  await site.want(204, "DELETE", `/users/${bo.id}`);
  await site.want(204, "DELETE", `/roles/${custom.id}`);

  const back = await site.restore("user", bo.id, 1);
  const user = await site.want(200, "GET", `/users/${bo.id}`);

  // A role that is gone by now stays away, one that was taken from them before does, too.
  assertEquals([back.status, user.roles], [200, ["author"]]);
  const login = { email: "bo@example.org", password: "another long one" };
  assertEquals((await site.ask("POST", "/session", login)).status, 200);
});

Deno.test("POST /api/admin/versions/{id}/restore of a grant's tombstone refuses the last one", async () => {
  await using site = await HistorySite.open();
  const bo = { email: "bo@example.org", displayName: "Bo", password: "another long one" };
  const { id } = await site.want(201, "POST", "/users", { ...bo, roles: ["administrator"] });
  // Ada gives up being an administrator, and Bo makes Ada one again.
  const { data: roles } = await site.want(200, "GET", "/roles");
  assert(roles.length >= 4);
  const grantId = (await site.ids("user_role"))[0]!;
  const ada = site.cookie;
  await site.want(200, "PATCH", `/users/${site.userId}`, { roles: ["viewer"] });
  const session = await site.ask("POST", "/session", { email: bo.email, password: bo.password });
  site.cookie = session.headers.get("set-cookie")!.split(";")[0]!;
  await site.restore("user_role", grantId, 1);
  site.cookie = ada;
  await site.want(204, "DELETE", `/users/${id}`);

  const { status, json } = await site.restore("user_role", grantId, 2);

  assertEquals([status, json.error.code], [409, "CONFLICT"]);
  assertEquals(
    (await site.want(200, "GET", `/users/${site.userId}`)).roles.includes("administrator"),
    true,
  );
});

Deno.test("POST /api/admin/versions/{id}/restore puts roles, settings and their absence back", async () => {
  await using site = await HistorySite.open();
  const role = await site.want(201, "POST", "/roles", {
    name: "writer",
    permissions: ["documents.read"],
  });
  await site.want(200, "PATCH", `/roles/${role.id}`, { permissions: [] });
  await site.want(200, "PATCH", "/settings", { "site.title": "Renamed" });
  await site.want(200, "PATCH", "/settings", { "secret.key": "hush" });
  const settings = await site.ids("setting");
  const [titleId, secretId] = [settings[0]!, settings.at(-1)!];

  const back = await site.restore("role", role.id, 1);
  const title = await site.restore("setting", titleId, 1);
  const secret = await site.restore("setting", secretId, 1);

  assertEquals(back.json.state.permissions, ["documents.read"]);
  assertEquals(title.json.state.value, "The Lantern");
  assertEquals((await site.want(200, "GET", "/settings"))["site.title"], "The Lantern");
  assertEquals([secret.status, secret.json.state], [200, { id: secretId, key: "secret.key" }]);
});

Deno.test("POST /api/admin/versions/{id}/restore lets a token work or not, as the version says", async () => {
  await using site = await HistorySite.open();
  await withPosts(site);
  const minted = await site.want(201, "POST", "/tokens", { name: "ci", scopes: ["*"] });
  await site.want(204, "DELETE", `/tokens/${minted.id}`);
  const status = async () =>
    (await site.app.call("GET", "/api/v1/posts", { token: minted.token })).status;

  const revoked = await status();
  const { json } = await site.restore("api_token", minted.id, 1);
  const restored = await status();
  await site.restore("api_token", minted.id, 2);

  assertEquals([revoked, restored, await status()], [401, 200, 401]);
  assertEquals(["hash" in json.state, "previousHash" in json.state], [false, false]);
});

Deno.test("POST /api/admin/versions/{id}/restore answers RESTORE_NOT_SUPPORTED for permissions", async () => {
  await using site = await HistorySite.open();
  const [id] = await site.ids("permission");

  const { status, json } = await site.restore("permission", id!, 1);

  assertEquals([status, json.error.code], [422, "RESTORE_NOT_SUPPORTED"]);
});

Deno.test("POST /api/admin/versions/{id}/restore restores packages and media, and what they were not", async () => {
  await using site = await HistorySite.open();
  for (const type of ["theme", "plugin", "plugin_config"] as const) {
    const id = await plainEntity(site, type);

    const { status, json } = await site.restore(type, id, 1);

    assertEquals([type, status, json.state.name], [type, 200, "first"]);
  }
  const { context } = site.app;
  const id = context.newId(context.now());
  const medium = { id, filename: "a.png", object: "o-1", deletedAt: null, alt: "before" } as never;
  await versionedWrite(context, UNATTENDED, async (transaction) => {
    transaction.save("media_metadata", id, await transaction.head("media_metadata", id), medium);
  });

  const gone = await site.restore("media_metadata", id, 1);
  await context.objects.put("media/o-1", new Uint8Array([1]));
  const there = await site.restore("media_metadata", id, 1);

  assertEquals([gone.status, gone.json.error.code], [409, "CONFLICT"]);
  assertEquals([there.status, there.json.state.alt], [200, "before"]);
});

Deno.test("POST /api/admin/versions/{id}/restore is for administrators, and for versions that are", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One");
  const [version] = await site.versions("document", id);
  const path = `/api/admin/versions/${version.id}/restore`;
  const bo = { email: "bo@example.org", password: "another long one" };
  await site.want(201, "POST", "/users", { ...bo, displayName: "Bo", roles: ["editor"] });
  const session = await site.ask("POST", "/session", bo);
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;

  const asEditor = await callApp(site.app.app, "POST", path, { headers: { cookie } });
  const asNobody = await callApp(site.app.app, "POST", path);
  const unknown = await site.ask("POST", `/versions/${id}/restore`);

  assertEquals([asEditor.status, asNobody.status, unknown.status], [403, 401, 404]);
  assertEquals((await site.versions("document", id)).length, 1);
});

Deno.test("POST /api/admin/versions/{id}/restore knows every entity type", async () => {
  await using site = await HistorySite.open();
  const statuses = new Map<EntityType, number>();
  for (const type of ENTITY_TYPES) {
    const id = (await site.ids(type))[0] ?? await plainEntity(site, type);
    statuses.set(type, (await site.restore(type, id, 1)).status);
  }

  // What has no collection, no object or no valid state is refused with a reason, never with a fault.
  assertEquals([...statuses.values()].filter((status) => ![200, 409, 422].includes(status)), []);
  assertEquals(statuses.get("permission"), 422);
});
