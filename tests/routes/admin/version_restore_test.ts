import { assert, assertEquals } from "@std/assert";
import type { EntityType, Json } from "../../../kv/model/entity.ts";
import { ENTITY_TYPES, UNATTENDED } from "../../../kv/model/entity.ts";
import { versionedWrite } from "../../../kv/versioned_write.ts";
import { HistorySite } from "../../support/history_site.ts";
import { callApp } from "../../support/app.ts";

const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [
    { name: "body", label: "Body", type: "text", required: true },
    { name: "sku", label: "Number", type: "text", unique: true },
  ],
};

async function withPosts(site: HistorySite) {
  const collection = await site.want(201, "POST", "/collections", POSTS);
  const post = (title: string, rest: Record<string, Json> = {}) =>
    site.want(201, "POST", "/documents", { collection: "posts", title, ...rest });
  return { collection, post };
}

/** An entity that no route makes, with two versions. */
async function plainEntity(site: HistorySite, type: EntityType): Promise<string> {
  const { context } = site.app;
  const id = context.newId(context.now());
  for (const name of ["first", "second"]) {
    await versionedWrite(context, UNATTENDED, async (transaction) => {
      const head = await transaction.head(type, id);
      transaction.save(type, id, head, { id, name });
    });
  }
  return id;
}

Deno.test("POST /api/admin/versions/{id}/restore mints a new version with the old state", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One", { body: "first" });
  site.pass();
  await site.want(200, "PATCH", `/documents/${id}`, { title: "Two", body: "second" });
  const before = await site.versions("document", id);

  const { status, json } = await site.restore("document", id, 1);

  assertEquals(status, 200);
  const old = await site.want(200, "GET", `/versions/${before.at(-1).id}`);
  assertEquals(json.state, old.state);
  assertEquals(json.version_number, 3);
  assertEquals([json.changed_by, json.editor], [site.userId, "Ada"]);
  assertEquals(json.change_summary, "restored version 1");
  assertEquals([json.entity_type, json.entity_id], ["document", id]);
  assertEquals(json.changed_at, site.now);
  const after = await site.versions("document", id);
  assertEquals(after.slice(1), before);
  assertEquals(after[0].id, json.id);
  const shown = await site.want(200, "GET", `/documents/${id}`);
  assertEquals([shown.title, shown.body], ["One", "first"]);
});

Deno.test("POST /api/admin/versions/{id}/restore can be restored away again", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One");
  await site.want(200, "PATCH", `/documents/${id}`, { title: "Two" });

  await site.restore("document", id, 1);
  const { json } = await site.restore("document", id, 2);

  assertEquals(json.state.title, "Two");
  assertEquals(json.version_number, 4);
});

Deno.test("POST /api/admin/versions/{id}/restore moves a document in lists, search and public", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const token = await site.app.token();
  const { id } = await post("Zebra", { body: "striped", status: "published" });
  await site.want(200, "PATCH", `/documents/${id}`, { title: "Aardvark", slug: "aardvark" });
  await site.app.runner.drain();

  const { status } = await site.restore("document", id, 1);
  await site.app.runner.drain();

  assertEquals(status, 200);
  const list = await site.app.call("GET", "/api/v1/posts?sort=title", { token });
  assertEquals(list.json.data.map(({ title }: { title: string }) => title), ["Zebra"]);
  const find = async (q: string) =>
    (await site.app.call("GET", `/api/v1/search?q=${q}`)).json.meta.total;
  assertEquals([await find("zebra"), await find("aardvark")], [1, 0]);
  const bySlug = async (slug: string) =>
    (await site.app.call("GET", `/api/v1/posts/by-slug/${slug}`, { token })).status;
  assertEquals([await bySlug("zebra"), await bySlug("aardvark")], [200, 404]);
  assertEquals((await site.app.call("GET", "/posts/zebra")).status, 200);
});

Deno.test("POST /api/admin/versions/{id}/restore refuses a taken slug and a taken value", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One", { sku: "a-1" });
  await site.want(200, "PATCH", `/documents/${id}`, { slug: "elsewhere", sku: "a-2" });
  const rival = await post("One");

  const bySlug = await site.restore("document", id, 1);
  await site.want(204, "DELETE", `/documents/${rival.id}`);
  await post("Other", { sku: "a-1" });
  const byValue = await site.restore("document", id, 1);

  assertEquals([bySlug.status, bySlug.json.error.code], [409, "SLUG_CONFLICT"]);
  assertEquals([byValue.status, byValue.json.error.code], [409, "CONFLICT"]);
  assertEquals(byValue.json.error.details[0].code, "NOT_UNIQUE");
  assertEquals(byValue.json.error.details[0].field, "sku");
  assertEquals((await site.versions("document", id)).length, 2);
});

Deno.test("POST /api/admin/versions/{id}/restore judges a published state by the schema of today", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One", { body: "text", status: "published" });
  await site.want(202, "POST", `/documents/${id}/unpublish`);
  await site.want(201, "POST", "/collections/posts/fields", {
    name: "summary",
    label: "Summary",
    type: "text",
    required: true,
  });

  const { status, json } = await site.restore("document", id, 1);

  assertEquals([status, json.error.code], [422, "VALIDATION_FAILED"]);
  assertEquals(
    json.error.details.map((one: { field: string; code: string }) => [one.field, one.code]),
    [["summary", "REQUIRED"]],
  );
  assertEquals((await site.want(200, "GET", `/documents/${id}`)).status, "draft");
});

Deno.test("POST /api/admin/versions/{id}/restore refuses a published state that points at nothing", async () => {
  await using site = await HistorySite.open();
  await site.want(201, "POST", "/collections", {
    slug: "pages",
    name: "Pages",
    fields: [{ name: "next", label: "Next", type: "reference" }],
  });
  const target = await site.want(201, "POST", "/documents", { collection: "pages", title: "T" });
  const { id } = await site.want(201, "POST", "/documents", {
    collection: "pages",
    title: "One",
    status: "published",
    next: target.id,
  });
  await site.want(200, "PATCH", `/documents/${id}`, { next: null });
  await site.want(204, "DELETE", `/documents/${target.id}`);

  const { status, json } = await site.restore("document", id, 1);

  assertEquals([status, json.error.details[0].code], [422, "INVALID_REFERENCE"]);
});

Deno.test("POST /api/admin/versions/{id}/restore keeps values of fields that are no more", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One", { body: "kept" });
  await site.want(200, "PATCH", `/documents/${id}`, { body: "other" });
  await site.want(204, "DELETE", "/collections/posts/fields/body");

  const { json } = await site.restore("document", id, 1);
  const [fieldId] = await site.ids("field_definition");
  const field = await site.restore("field_definition", fieldId!, 1);

  assertEquals(json.state.data.body, "kept");
  assertEquals(field.status, 200);
  assertEquals((await site.want(200, "GET", `/documents/${id}`)).body, "kept");
});

Deno.test("POST /api/admin/versions/{id}/restore brings no schedule back whose time has passed", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One", { body: "text" });
  const publishAt = site.now + 100;
  await site.want(200, "POST", `/documents/${id}/schedule`, { publishAt });
  await site.want(200, "POST", `/documents/${id}/schedule`, { publishAt: null });

  const ahead = await site.restore("document", id, 2);
  await site.restore("document", id, 1);
  site.pass(200);
  const behind = await site.restore("document", id, 2);
  await site.app.runner.drain();

  assertEquals([ahead.json.state.status, ahead.json.state.publishAt], ["scheduled", publishAt]);
  assertEquals([behind.json.state.status, behind.json.state.publishAt], ["draft", null]);
  assertEquals((await site.want(200, "GET", `/documents/${id}`)).status, "draft");
});

Deno.test("POST /api/admin/versions/{id}/restore refuses a document whose collection is gone", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const { id } = await post("One");
  await site.want(204, "DELETE", `/documents/${id}`);
  await site.want(204, "DELETE", "/collections/posts");

  const { status, json } = await site.restore("document", id, 1);

  assertEquals([status, json.error.code], [409, "CONFLICT"]);
});

Deno.test("POST /api/admin/versions/{id}/restore brings a removed collection back with its fields", async () => {
  await using site = await HistorySite.open();
  const { collection } = await withPosts(site);
  await site.want(201, "POST", "/collections/posts/fields", {
    name: "early",
    label: "Early",
    type: "text",
  });
  await site.want(204, "DELETE", "/collections/posts/fields/early");
  site.pass();
  await site.want(204, "DELETE", "/collections/posts");

  const { status, json } = await site.restore("collection", collection.id, 1);

  assertEquals([status, json.state.slug], [200, "posts"]);
  const back = await site.want(200, "GET", "/collections/posts");
  assertEquals(back.fields, collection.fields);
  await site.want(201, "POST", "/documents", { collection: "posts", title: "Again", sku: "1" });
});

Deno.test("POST /api/admin/versions/{id}/restore removes a collection only without documents", async () => {
  await using site = await HistorySite.open();
  const { collection, post } = await withPosts(site);
  await site.want(204, "DELETE", "/collections/posts");
  await site.restore("collection", collection.id, 1);
  const { id } = await post("One");

  const filled = await site.restore("collection", collection.id, 2);
  await site.want(204, "DELETE", `/documents/${id}`);
  const empty = await site.restore("collection", collection.id, 2);

  assertEquals([filled.status, filled.json.error.code], [409, "CONFLICT"]);
  assertEquals([empty.status, empty.json.state], [200, null]);
  assertEquals((await site.ask("GET", "/collections/posts")).status, 404);
});

Deno.test("POST /api/admin/versions/{id}/restore refuses names that are taken by now", async () => {
  await using site = await HistorySite.open();
  const { collection } = await withPosts(site);
  await site.want(200, "PATCH", "/collections/posts", { slug: "articles" });
  await site.want(201, "POST", "/collections", { slug: "posts", name: "New" });
  const [fieldId] = await site.ids("field_definition");
  await site.want(200, "PATCH", "/collections/articles/fields/body", { name: "text" });
  await site.want(201, "POST", "/collections/articles/fields", {
    name: "body",
    label: "B",
    type: "text",
  });
  await site.want(201, "POST", "/blocks", { name: "quote", label: "Quote", fields: [] });
  await site.want(200, "PATCH", "/blocks/quote", { name: "cite" });
  await site.want(201, "POST", "/blocks", { name: "quote", label: "Other", fields: [] });
  const [blockId] = await site.ids("block_definition");

  for (
    const [type, id] of [
      ["collection", collection.id],
      ["field_definition", fieldId!],
      ["block_definition", blockId!],
    ] as const
  ) {
    const { status, json } = await site.restore(type, id, 1);
    assertEquals([type, status, json.error.code], [type, 409, "CONFLICT"]);
  }
  assertEquals((await site.restore("block_definition", blockId!, 2)).status, 200);
});

Deno.test("POST /api/admin/versions/{id}/restore makes a field unique again, if it can", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const [, fieldId] = await site.ids("field_definition");
  await post("One", { sku: "a" });
  await site.want(200, "PATCH", "/collections/posts/fields/sku", { unique: false });

  const back = await site.restore("field_definition", fieldId!, 1);
  const taken = await site.refusal("POST", "/documents", {
    collection: "posts",
    title: "Two",
    sku: "a",
  });
  await site.want(200, "PATCH", "/collections/posts/fields/sku", { unique: false });
  await post("Two", { sku: "a" });
  const conflict = await site.restore("field_definition", fieldId!, 1);

  assertEquals([back.status, back.json.state.unique], [200, true]);
  assertEquals(taken, [422, "VALIDATION_FAILED"]);
  assertEquals([conflict.status, conflict.json.error.code], [409, "CONFLICT"]);
});

Deno.test("POST /api/admin/versions/{id}/restore leaves a field's type to migrations", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const [fieldId] = await site.ids("field_definition");
  await site.want(200, "PATCH", "/collections/posts/fields/body", { type: "rich_text" });
  const empty = await site.restore("field_definition", fieldId!, 1);
  await site.restore("field_definition", fieldId!, 2);
  await post("One");

  const { status, json } = await site.restore("field_definition", fieldId!, 1);

  assertEquals(empty.status, 200);
  assertEquals([status, json.error.code], [409, "CONFLICT"]);
});

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

Deno.test("POST /api/admin/versions/{id}/restore of a grant's tombstone refuses the last one", async () => {
  await using site = await HistorySite.open();
  const bo = { email: "bo@example.org", displayName: "Bo", password: "another long one" };
  const { id } = await site.want(201, "POST", "/users", { ...bo, roles: ["administrator"] });
  // Ada gives up being an administrator, and Bo makes her one again.
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
  const medium = { id, filename: "a.png", object: "o-1", deletedAt: null, alt: "before" };
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
