import { assertEquals } from "@std/assert";
import { HistorySite, withPosts } from "../../../support/harness/history_site.ts";

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

Deno.test("POST /api/admin/versions/{id}/restore checks a published state against the schema of today", async () => {
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

Deno.test("POST /api/admin/versions/{id}/restore brings a deleted document back, and deletes it again", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  const then = site.pass();
  const { id } = await post("Late", { body: "text", status: "published" });
  site.pass();
  await site.travel(then);
  site.pass();

  const back = await site.restore("document", id, 1);
  await site.app.runner.drain();
  const page = (await site.app.call("GET", "/posts/late")).status;
  const gone = await site.restore("document", id, 2);
  const again = await site.restore("document", id, 2);
  await site.app.runner.drain();

  assertEquals([back.status, back.json.version_number, page], [200, 3, 200]);
  assertEquals([gone.status, gone.json.state, gone.json.version_number], [200, null, 4]);
  assertEquals([again.status, again.json.state, again.json.version_number], [200, null, 5]);
  assertEquals((await site.ask("GET", `/documents/${id}`)).status, 404);
  assertEquals((await site.app.call("GET", "/posts/late")).status, 404);
  await post("Another", { slug: "late" });
});
