/**
 * Previews: a document as its editors see it, for whoever has the link, until it ends or is revoked.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { testApp } from "../../../support/sites/app.ts";
import { setUpAdmin } from "../../../support/sites/backups.ts";

async function noteSite() {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("POST", "/collections", {
    slug: "notes",
    name: "Notes",
    fields: [{ name: "lead", label: "Lead", type: "text" }],
  });
  const make = async (body: Record<string, Json>) =>
    (await admin.ask("POST", "/documents", { collection: "notes", ...body })).json.id as string;
  const page = async (url: string) => {
    const { pathname } = new URL(url);
    const answer = await app.call("GET", pathname);
    return { status: answer.status, text: answer.text, headers: answer.headers };
  };
  return { app, admin, make, page };
}

Deno.test("a preview shows the draft or working copy as it is at each request", async () => {
  const { app, admin, make, page } = await noteSite();
  await using _app = app;
  const id = await make({ title: "A draft", lead: "First words" });
  const made = await admin.ask("POST", `/documents/${id}/preview`);
  const { url, token, expiresAt } = made.json;

  assertEquals([made.status, Object.keys(made.json).sort()], [
    201,
    ["expiresAt", "id", "token", "url"],
  ]);
  assertEquals(expiresAt, Math.floor(app.context.now() / 1000) + 3_600);
  assert(url.endsWith(`/preview/${token}`));
  const first = await page(url);
  assertEquals(first.status, 200);
  assertStringIncludes(first.text, "A draft");
  assertEquals(first.headers.get("cache-control"), "private, no-store");
  assertEquals(first.headers.get("x-robots-tag"), "noindex");

  await admin.ask("POST", `/documents/${id}/publish`);
  await admin.ask("PATCH", `/documents/${id}/working-copy`, { title: "A changed title" });
  assertStringIncludes((await page(url)).text, "A changed title");
  const rows = await Array.fromAsync(app.context.store.list({ prefix: [] }));
  assert(!JSON.stringify(rows).includes(token), "only its hash is kept");
});

Deno.test("a preview ends, is revoked, and is of a document that is there", async () => {
  const { app, admin, make, page } = await noteSite();
  await using _app = app;
  const id = await make({ title: "A draft" });
  const previewOf = async (body?: Json) =>
    (await admin.ask("POST", `/documents/${id}/preview`, body)).json;

  const short = await previewOf({ ttl: 60 });
  const long = await previewOf({ ttl: 604_800 });
  for (const ttl of [59, 604_801, "60", 90.5]) {
    const refused = await admin.ask("POST", `/documents/${id}/preview`, { ttl });
    assertEquals([refused.status, refused.json.error.details[0].field], [422, "ttl"]);
  }
  const listed = (await admin.ask("GET", "/previews")).json.data;
  assertEquals(listed.map((one: { id: string }) => one.id), [long.id, short.id]);
  const paged = (await admin.ask("GET", `/previews?documentId=${id}&page=2&perPage=1`)).json;
  assertEquals(paged.data.map((one: { id: string }) => one.id), [short.id]);
  assertEquals(paged.meta, { page: 2, perPage: 1, total: 2 });
  assertEquals((await admin.ask("GET", "/previews?documentId=none")).json.data, []);
  assert(!JSON.stringify(listed).includes("hash"));

  app.context.advance(60_000);
  assertEquals([(await page(short.url)).status, (await page(long.url)).status], [404, 200]);
  const other = long.url.slice(0, -1) + (long.url.endsWith("x") ? "y" : "x");
  assertEquals((await page(other)).status, 404);
  assertEquals((await admin.ask("DELETE", `/previews/${long.id}`)).status, 204);
  assertEquals((await admin.ask("DELETE", `/previews/${long.id}`)).status, 404);
  assertEquals((await page(long.url)).status, 404);
  const last = await previewOf();
  await admin.ask("DELETE", `/documents/${id}`);
  assertEquals((await page(last.url)).status, 404);
  assertEquals((await admin.ask("POST", `/documents/${id}/preview`)).status, 404);
});

Deno.test("the setting preview.url makes the address a front end's own", async () => {
  const { app, admin, make } = await noteSite();
  await using _app = app;
  const id = await make({ title: "A draft" });
  const template = "https://front.example/{collection}/{slug}?id={id}&token={token}";
  assertEquals((await admin.ask("PATCH", "/settings", { "preview.url": template })).status, 200);
  assertEquals(
    (await admin.ask("PATCH", "/settings", { "preview.url": "javascript:x" })).status,
    422,
  );

  const { url, token } = (await admin.ask("POST", `/documents/${id}/preview`)).json;
  assertEquals(url, `https://front.example/notes/a-draft?id=${id}&token=${token}`);
});
