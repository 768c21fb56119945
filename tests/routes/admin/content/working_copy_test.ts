/**
 * Working copies: changes of a published document that nobody but its editors sees.
 */
import { assert, assertEquals } from "@std/assert";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { type Admin, finishJob, setUpAdmin } from "../../../support/sites/backups.ts";

const COLLECTION = {
  slug: "notes",
  name: "Notes",
  fields: [
    { name: "lead", type: "text", required: true },
    { name: "code", type: "text", unique: true },
    { name: "about", type: "reference", options: { collection: "notes" } },
  ],
};

interface NoteSite extends AsyncDisposable {
  app: TestApp;
  admin: Admin;
  id: string;
  // deno-lint-ignore no-explicit-any
  ask(method: string, path: string, body?: Json): Promise<any>;
  // deno-lint-ignore no-explicit-any
  publicly(path?: string): Promise<any>;
}

async function noteSite(): Promise<NoteSite> {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("POST", "/collections", COLLECTION);
  const body = { collection: "notes", title: "One", lead: "Hello", code: "1", status: "published" };
  const { id } = (await admin.ask("POST", "/documents", body)).json;
  const token = await app.token({ scopes: ["notes:read", "notes:write"] });
  return {
    app,
    admin,
    id,
    ask: async (method, path, given) => {
      const { status, json } = await admin.ask(method, path, given);
      return { status, ...json };
    },
    publicly: async (path = `/notes/${id}`) =>
      (await app.call("GET", `/api/v1${path}`, { token })).json,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

Deno.test("a working copy keeps what differs; the public sees nothing of it", async () => {
  await using site = await noteSite();
  const path = `/documents/${site.id}/working-copy`;
  const before = await site.publicly();

  assertEquals((await site.ask("GET", path)).status, 404);
  const made = await site.ask("PATCH", path, { lead: "Changed", slug: "two", code: null });
  assertEquals([made.status, made.lead, made.slug, made.code, made.hasWorkingCopy], [
    "published",
    "Changed",
    "two",
    null,
    true,
  ]);
  assertEquals(await site.publicly(), before);
  assertEquals((await site.publicly("/notes?sort=-updatedAt")).data, [before]);
  assertEquals((await site.publicly("/notes/by-slug/one")).id, site.id);
  assertEquals((await site.publicly("/notes/by-slug/two")).error.code, "NOT_FOUND");
  const document = await site.ask("GET", `/documents/${site.id}`);
  assertEquals([document.lead, document.hasWorkingCopy], ["Hello", true]);

  await site.ask("PATCH", `/documents/${site.id}`, { title: "Two" });
  const laid = await site.ask("GET", path);
  assertEquals([laid.title, laid.lead], ["Two", "Changed"], "what others publish shows through");
  const { data: [newest] } = await site.ask("GET", `/versions/document/${site.id}`);
  const version = await site.ask("GET", `/versions/${newest.id}`);
  assertEquals(version.state.working_copy, { slug: "two", lead: "Changed", code: null });

  await site.ask("PATCH", `/documents/${site.id}`, { lead: "Changed" });
  await site.ask("PATCH", path, { slug: "one", code: "1" });
  assertEquals((await site.ask("GET", path)).status, 404, "one that no longer differs is gone");
  const { data: [last] } = await site.ask("GET", `/versions/document/${site.id}`);
  assertEquals((await site.ask("GET", `/versions/${last.id}`)).state.working_copy, null);
});

Deno.test("publishing publishes the working copy whole, or nothing of it", async () => {
  await using site = await noteSite();
  const path = `/documents/${site.id}/working-copy`;
  await site.ask("PATCH", path, { lead: null, title: "Two", slug: "two" });

  const incomplete = await site.ask("POST", `/documents/${site.id}/publish`);
  assertEquals(incomplete.error.details[0].field, "lead");
  assertEquals((await site.publicly()).title, "One");

  const other = { collection: "notes", title: "Other", slug: "two", lead: "Taken" };
  const { id: otherId } = await site.ask("POST", "/documents", other);
  await site.ask("PATCH", path, { lead: "Hello again" });
  const taken = await site.admin.ask("POST", `/documents/${site.id}/publish`);
  assertEquals([taken.status, taken.json.error.code], [409, "SLUG_CONFLICT"]);
  assertEquals((await site.publicly()).title, "One");

  await site.ask("DELETE", `/documents/${otherId}`);
  const done = await site.admin.ask("POST", `/documents/${site.id}/publish`);
  assertEquals([done.status, done.json.status], [202, "queued"]);
  const { title, slug, lead } = await site.publicly();
  assertEquals([title, slug, lead], ["Two", "two", "Hello again"]);
  assertEquals((await site.ask("GET", path)).status, 404);
});

Deno.test("a working copy is discarded, laid over what leaves the public, and refused elsewhere", async () => {
  await using site = await noteSite();
  const path = `/documents/${site.id}/working-copy`;
  await site.ask("PATCH", path, { lead: "Changed" });
  assertEquals((await site.admin.ask("DELETE", path)).status, 204);
  assertEquals((await site.admin.ask("DELETE", path)).status, 404);
  assertEquals((await site.ask("GET", `/documents/${site.id}`)).lead, "Hello");

  for (const [move, back] of [["unpublish", "publish"], ["archive", "untrash"]] as const) {
    await site.ask("PATCH", path, { lead: `Before ${move}` });
    await site.ask("POST", `/documents/${site.id}/${move}`);
    const document = await site.ask("GET", `/documents/${site.id}`);
    assertEquals([document.lead, document.hasWorkingCopy], [`Before ${move}`, false]);
    const refused = await site.admin.ask("PATCH", path, { lead: "x" });
    assertEquals([refused.status, refused.json.error.code], [409, "CONFLICT"]);
    await site.ask("POST", `/documents/${site.id}/${back}`);
  }
  await site.ask("POST", `/documents/${site.id}/publish`);
  const other = { collection: "notes", title: "Other", slug: "two", lead: "x", code: "2" };
  await site.ask("PATCH", path, { lead: "Words", slug: "two", code: "2" });
  await site.ask("POST", "/documents", other);
  assertEquals((await site.admin.ask("DELETE", `/documents/${site.id}`)).status, 204);
  const trashed = await site.ask("GET", `/documents/${site.id}`);
  assertEquals([trashed.status, trashed.lead], ["trashed", "Words"]);
});

Deno.test("a value that was taken in the meantime does not keep a document public", async () => {
  await using site = await noteSite();
  const path = `/documents/${site.id}/working-copy`;
  await site.ask("PATCH", path, { lead: "Words", slug: "two", code: "2" });
  const other = { collection: "notes", title: "Other", slug: "two", lead: "x", code: "2" };
  assertEquals((await site.ask("POST", "/documents", other)).slug, "two");

  assertEquals((await site.admin.ask("POST", `/documents/${site.id}/unpublish`)).status, 202);
  const { status, lead, slug, code } = await site.ask("GET", `/documents/${site.id}`);
  assertEquals([status, lead, slug, code], ["draft", "Words", "one", "1"]);
});

Deno.test("a working copy is checked like a draft, by the version it was made for", async () => {
  await using site = await noteSite();
  const path = `/documents/${site.id}/working-copy`;
  const other = { collection: "notes", title: "Other", code: "2" };
  await site.ask("POST", "/documents", other);

  const faults = await site.ask("PATCH", path, { lead: 7, code: "2", unknown: 1 });
  assertEquals(faults.error.details.map(({ field }: { field: string }) => field).sort(), [
    "code",
    "lead",
    "unknown",
  ]);
  assertEquals((await site.ask("PATCH", path, { slug: "other" })).error.code, "SLUG_CONFLICT");
  const status = await site.ask("PATCH", path, { status: "draft" });
  assertEquals(status.error.code, "STATUS_TRANSITION_NOT_SUPPORTED");
  assertEquals((await site.ask("PATCH", path, { lead: null })).lead, null);
  const seen = await site.admin.ask("GET", `/documents/${site.id}`);
  const headers = { cookie: site.admin.cookie, "if-match": seen.headers.get("etag")! };
  const address = `/api/admin${path}`;
  const first = await site.app.call("PATCH", address, { body: { lead: "A" }, headers });
  const second = await site.app.call("PATCH", address, { body: { lead: "B" }, headers });
  assertEquals([first.status, second.status], [200, 412]);
});

Deno.test("GET /api/admin/documents?workingCopy=true lists those that have one", async () => {
  await using site = await noteSite();
  const ids: string[] = [];
  for (const n of [3, 1, 2]) {
    const body = { collection: "notes", title: `Note ${n}`, lead: "x", status: "published" };
    const { id } = await site.ask("POST", "/documents", body);
    ids.push(id);
    await site.ask("PATCH", `/documents/${id}/working-copy`, { lead: "y" });
  }
  const titles = async (query: string) => {
    const { data, meta } = await site.ask("GET", `/documents?workingCopy=true${query}`);
    return [data.map((one: { title: string }) => one.title), meta.total];
  };

  assertEquals(await titles("&sort=title"), [["Note 1", "Note 2", "Note 3"], 3]);
  assertEquals(await titles("&collection=notes&sort=-title&perPage=2&page=2"), [["Note 1"], 3]);
  assertEquals(await titles("&status=draft"), [[], 0]);
  assertEquals(await titles("&q=note+2"), [["Note 2"], 1]);
  await site.ask("POST", `/documents/${ids[0]}/publish`);
  await site.ask("DELETE", `/documents/${ids[1]}/working-copy`);
  assertEquals(await titles("&sort=title"), [["Note 2"], 1]);
  for (const query of ["workingCopy=no", "workingCopy=true&workingCopy=true"]) {
    const { error } = await site.ask("GET", `/documents?${query}`);
    assertEquals(error.code, "PARAMETER_INVALID", query);
  }
});

Deno.test("a working copy of nothing but removed fields is none, until they come back", async () => {
  await using site = await noteSite();
  const document = `/documents/${site.id}`;
  await site.ask("PATCH", `${document}/working-copy`, { code: "2" });
  const collection = await site.ask("GET", "/collections/notes");
  const code = collection.fields.find(({ name }: { name: string }) => name === "code");
  const seen = async () => [
    (await site.ask("GET", document)).hasWorkingCopy,
    (await site.ask("GET", `${document}/working-copy`)).status,
    (await site.ask("GET", "/documents?workingCopy=true")).meta.total,
  ];
  assertEquals(await seen(), [true, "published", 1]);
  await site.ask("DELETE", "/collections/notes/fields/code");
  assertEquals(await seen(), [false, 404, 0]);
  const { data } = await site.ask("GET", `/versions/field_definition/${code.id}`);
  await site.ask("POST", `/versions/${data.at(-1).id}/restore`);
  assertEquals(await seen(), [true, "published", 1]);
  assertEquals((await site.ask("GET", `${document}/working-copy`)).code, "2");
});

Deno.test("a working copy that a new type of its field makes nothing of is none", async () => {
  await using site = await noteSite();
  const document = `/documents/${site.id}`;
  await site.ask("POST", "/collections/notes/fields", { name: "size", type: "text" });
  await site.ask("PATCH", `${document}/working-copy`, { size: "large" });
  assertEquals((await site.ask("GET", document)).hasWorkingCopy, true);
  const { jobId } = await site.ask("PATCH", "/collections/notes/fields/size", { type: "number" });
  assertEquals((await finishJob(site.app, jobId)).error, null);
  assertEquals((await site.ask("GET", `${document}/working-copy`)).status, 404);
  assertEquals((await site.ask("GET", document)).hasWorkingCopy, false);
  assertEquals((await site.ask("GET", "/documents?workingCopy=true")).meta.total, 0);
});

Deno.test("a working copy survives a migration of its fields, a restore of its version and of the site", async () => {
  await using site = await noteSite();
  const path = `/documents/${site.id}/working-copy`;
  await site.ask("PATCH", path, { lead: "12", about: site.id });
  const { data: [newest] } = await site.ask("GET", `/versions/document/${site.id}`);
  const field = "/collections/notes/fields/lead";
  const { jobId } = await site.ask("POST", `${field}/migrate`, { type: "number" });
  if (jobId !== undefined) await site.app.runner.drain();
  const migrated = await site.ask("GET", path);
  assert([12, "12"].includes(migrated.lead));

  await site.ask("DELETE", path);
  await site.ask("POST", `/versions/${newest.id}/restore`);
  const restored = await site.ask("GET", path);
  assertEquals([restored.lead, restored.about], [migrated.lead, site.id]);
});

Deno.test("a version is restored as a working copy, as content, or field by field; the status stays", async () => {
  await using site = await noteSite();
  const { data: [first] } = await site.ask("GET", `/versions/document/${site.id}`);
  const restore = (body: Json) => site.ask("POST", `/versions/${first.id}/restore`, body);
  const shown = async () => {
    const { status, title, lead, code, hasWorkingCopy } = await site.ask(
      "GET",
      `/documents/${site.id}`,
    );
    return [status, title, lead, code, hasWorkingCopy];
  };
  await site.ask("PATCH", `/documents/${site.id}`, { title: "Two", lead: "Later", code: "2" });

  const made = await restore({ workingCopy: true });
  assertEquals(made.state.working_copy, { title: "One", lead: "Hello", code: "1" });
  assertEquals(await shown(), ["published", "Two", "Later", "2", true]);
  assertEquals((await site.publicly()).title, "Two");
  await site.ask("DELETE", `/documents/${site.id}/working-copy`);

  await restore({ fields: ["title", "code"] });
  assertEquals(await shown(), ["published", "One", "Later", "1", false]);
  assertEquals((await restore({ fields: ["gone"] })).error.details[0].field, "fields.0");
  await site.ask("POST", `/documents/${site.id}/unpublish`);
  await site.ask("PATCH", `/documents/${site.id}`, { title: "Three", lead: "Draft" });
  await restore({ content: true });
  assertEquals(await shown(), ["draft", "One", "Hello", "1", false]);
  assertEquals((await restore({ workingCopy: true })).error.code, "CONFLICT");
  for (const body of [{ content: false }, { content: true, fields: ["title"] }, { all: true }]) {
    assertEquals((await restore(body)).error.code, "VALIDATION_FAILED");
  }
  const { data: users } = await site.ask("GET", "/users");
  const { data: [user] } = await site.ask("GET", `/versions/user/${users[0].id}`);
  const elsewhere = await site.ask("POST", `/versions/${user.id}/restore`, { content: true });
  assertEquals(elsewhere.error.code, "VALIDATION_FAILED");

  await restore({});
  assertEquals(await shown(), ["published", "One", "Hello", "1", false]);
});

Deno.test("the change feed reports public content, not working copies", async () => {
  await using site = await noteSite();
  const first = await site.publicly("/_changes");
  const since = `/_changes?since=${first.meta.cursor}`;
  const path = `/documents/${site.id}`;

  await site.ask("PATCH", `${path}/working-copy`, { lead: "Changed" });
  await site.ask("PATCH", `${path}/working-copy`, { lead: "Changed again" });
  await site.ask("DELETE", `${path}/working-copy`);
  assertEquals((await site.publicly(since)).data, []);
  await site.ask("PATCH", `${path}/working-copy`, { lead: "Public" });
  await site.ask("POST", `${path}/publish`);
  const { data } = await site.publicly(since);
  assertEquals(data.map((one: { document: { lead: string } }) => one.document.lead), ["Public"]);
});

Deno.test("draft=true shows working copies to tokens that read drafts, in every form of a read", async () => {
  await using site = await noteSite();
  const { app, id } = site;
  const reads = await app.token({ scopes: ["notes:read", "notes:read-drafts"] });
  const plain = await app.token({ scopes: ["notes:read"] });
  const ask = (path: string, token: string, headers = {}) =>
    app.call("GET", `/api/v1${path}`, { token, headers });
  await site.ask("PATCH", `/documents/${id}/working-copy`, { lead: "Changed", about: id });

  const one = await ask(`/notes/${id}?draft=true`, reads);
  assertEquals([one.json.lead, one.json.status], ["Changed", "published"]);
  const bySlug = await ask("/notes/by-slug/one?draft=true&fields=lead", reads);
  assertEquals(bySlug.json, { id, lead: "Changed" });
  const list = await ask("/notes?draft=true&include=about&fields=about", reads);
  assertEquals(
    list.json.data[0].about.lead,
    "Changed",
    "what is included is as its editors see it",
  );
  assertEquals((await ask("/notes?draft=true", reads)).json.data[0].lead, "Changed");
  for (const path of [`/notes/${id}`, `/notes/${id}?draft=false`, "/notes/by-slug/one"]) {
    assertEquals((await ask(path, reads)).json.lead, "Hello");
  }
  assertEquals((await ask("/notes?draft=true", plain)).json.error.code, "FORBIDDEN");
  for (const path of [`/notes/${id}?draft=true`, "/notes/by-slug/one?draft=true"]) {
    const { status, json } = await ask(path, plain);
    assertEquals([status, json.error.code], [404, "NOT_FOUND"], "a single read never answers 403");
  }
  const twice = await ask(`/notes/${id}?draft=false&draft=true`, reads);
  assertEquals(twice.json.error.code, "PARAMETER_INVALID");
  assertEquals((await ask(`/notes/${id}?draft=yes`, reads)).json.error.code, "PARAMETER_INVALID");

  const etag = one.headers.get("etag")!;
  assert(etag !== (await ask(`/notes/${id}`, reads)).headers.get("etag"));
  const again = { "if-none-match": etag };
  assertEquals((await ask(`/notes/${id}?draft=true`, reads, again)).status, 304);
  await site.ask("PATCH", `/documents/${id}/working-copy`, { lead: "Changed again" });
  assertEquals((await ask(`/notes/${id}?draft=true`, reads, again)).json.lead, "Changed again");
});

Deno.test("the secret of a preview is a token for its document alone", async () => {
  await using site = await noteSite();
  const { app, id } = site;
  await site.ask("PATCH", `/documents/${id}/working-copy`, { lead: "Changed", about: id });
  const other = { collection: "notes", title: "Other", lead: "x", status: "published" };
  const { id: otherId } = await site.ask("POST", "/documents", other);
  const preview = await site.ask("POST", `/documents/${id}/preview`);
  const ask = (method: string, path: string) =>
    app.call(method, `/api/v1${path}`, {
      token: preview.token,
      ...(method === "PATCH" && { body: { lead: "x" } }),
    });

  for (const path of [`/notes/${id}`, `/notes/${id}?draft=true`, "/notes/by-slug/one"]) {
    assertEquals((await ask("GET", path)).json.lead, "Changed");
  }
  const included = await ask("GET", `/notes/${id}?include=about`);
  assertEquals(included.json.about.title, "One");
  assertEquals((await ask("GET", `/notes/${otherId}`)).status, 404);
  for (const [method, path] of [["GET", "/notes"], ["PATCH", `/notes/${id}`], ["GET", "/_meta"]]) {
    assertEquals((await ask(method!, path!)).json.error.code, "FORBIDDEN", path!);
  }
  await site.admin.ask("DELETE", `/previews/${preview.id}`);
  assertEquals((await ask("GET", `/notes/${id}`)).json.error.code, "UNAUTHENTICATED");
});

Deno.test("single fields of a version are restored into the working copy, next to its other changes", async () => {
  await using site = await noteSite();
  const { id } = site;
  const { data: [first] } = await site.ask("GET", `/versions/document/${id}`);
  await site.ask("PATCH", `/documents/${id}`, { lead: "Second", title: "Two" });
  await site.ask("PATCH", `/documents/${id}/working-copy`, { code: "9" });
  const before = await site.publicly();

  const path = `/versions/${first.id}/restore`;
  const restored = await site.ask("POST", path, { fields: ["lead"], workingCopy: true });

  assertEquals(restored.status, 200);
  assertEquals(restored.state.working_copy, { lead: "Hello", code: "9" });
  assertEquals(await site.publicly(), before);
  const unknown = await site.ask("POST", path, { fields: ["nothing"], workingCopy: true });
  assertEquals([unknown.status, unknown.error.details[0].field], [422, "fields.0"]);
  for (const other of [{ fields: ["lead"] }, { workingCopy: true }]) {
    assertEquals((await site.ask("POST", path, { content: true, ...other })).status, 422);
  }
});
