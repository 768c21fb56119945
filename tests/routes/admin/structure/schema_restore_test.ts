import { assertEquals } from "@std/assert";
import { requestCompaction } from "../../../../kv/index/segments/compaction_request.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { HistorySite, withPosts } from "../../../support/harness/history_site.ts";

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

Deno.test("POST /api/admin/versions/{id}/restore of a removed collection lists its trashed documents", async () => {
  await using site = await HistorySite.open();
  const { context, runner } = site.app;
  const { collection, post } = await withPosts(site);
  const { id } = await post("One", { body: "Text", sku: "1" });
  await site.want(204, "DELETE", `/documents/${id}`);
  await site.want(204, "DELETE", "/collections/posts");
  const operation = new Operation();
  requestCompaction(operation, context, collection);
  await context.store.commit(operation);
  await runner.drain();

  await site.restore("collection", collection.id, 1);
  const trashed = await site.want(200, "GET", "/documents?collection=posts&status=trashed");
  await site.want(200, "POST", `/documents/${id}/untrash`);
  const drafts = await site.want(200, "GET", "/documents?collection=posts&status=draft");

  assertEquals(trashed.data.map((one: { id: string }) => one.id), [id]);
  assertEquals(drafts.data.map((one: { id: string }) => one.id), [id]);
});

Deno.test("POST /api/admin/versions/{id}/restore brings only the fields back that went with the collection", async () => {
  await using site = await HistorySite.open();
  const { collection } = await withPosts(site);
  // Within the same second.
  await site.want(204, "DELETE", "/collections/posts/fields/body");
  site.app.context.advance(1);
  await site.want(204, "DELETE", "/collections/posts");

  await site.restore("collection", collection.id, 1);

  const { fields } = await site.want(200, "GET", "/collections/posts");
  assertEquals(fields.map(({ name }: { name: string }) => name), ["sku"]);
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

Deno.test("POST /api/admin/versions/{id}/restore of a collection's slug takes references along", async () => {
  await using site = await HistorySite.open();
  const { collection } = await withPosts(site);
  await site.want(201, "POST", "/collections", {
    slug: "pages",
    name: "Pages",
    fields: [{
      name: "post",
      label: "Post",
      type: "reference",
      options: { collection: "posts" },
    }],
  });
  await site.want(200, "PATCH", "/collections/posts", { slug: "articles" });

  const { status } = await site.restore("collection", collection.id, 1);

  const pages = await site.want(200, "GET", "/collections/pages");
  assertEquals([status, pages.fields[0].options.collection], [200, "posts"]);
});

Deno.test("POST /api/admin/versions/{id}/restore of what shapes pages renders them again", async () => {
  await using site = await HistorySite.open();
  const { post } = await withPosts(site);
  await post("One", { status: "published" });
  await site.want(200, "PATCH", "/settings", { "site.title": "Another Name" });
  site.pass();
  await site.app.runner.drain();
  const before = (await site.app.call("GET", "/")).text;

  await site.restore("setting", (await site.ids("setting"))[0]!, 1);
  site.pass();
  await site.app.runner.drain();

  const after = (await site.app.call("GET", "/")).text;
  assertEquals([before.includes("Another Name"), before.includes("The Lantern")], [true, false]);
  assertEquals([after.includes("Another Name"), after.includes("The Lantern")], [false, true]);
});
