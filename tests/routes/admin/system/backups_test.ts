import { assertEquals } from "@std/assert";
import { testApp } from "../../../support/sites/app.ts";
import { download, importTarball, setUpAdmin, tablesOf } from "../../../support/sites/backups.ts";
import { fullSite } from "../../../support/sites/full_site.ts";

Deno.test("POST /api/admin/imports into the site it came from gives the same tables", async () => {
  await using app = await testApp();
  const { admin, postId } = await fullSite(app);
  await app.runner.drain();
  const before = await download(app, admin);
  const { json: read } = await admin.ask("GET", `/documents/${postId}`);

  await admin.ask("PATCH", `/documents/${postId}`, { title: "Changed", slug: "other" });
  await admin.ask("POST", "/documents", { collection: "pages", title: "New" });
  await admin.ask("POST", "/collections", { slug: "extra", name: "Extra" });
  await app.runner.drain();
  const job = await importTarball(app, admin, before);

  assertEquals(job.error, null);
  assertEquals(await tablesOf(await download(app, admin)), await tablesOf(before));
  assertEquals((await admin.ask("GET", `/documents/${postId}`)).json, read);
});

Deno.test("POST /api/admin/imports into an empty site gives the same tables", async () => {
  await using from = await testApp();
  const site = await fullSite(from);
  await from.runner.drain();
  const tarball = await download(from, site.admin, { media: true });
  await using to = await testApp();
  const admin = await setUpAdmin(to);
  const job = await importTarball(to, admin, tarball);
  assertEquals(job.error, null);
  const expected = await tablesOf(tarball);
  assertEquals(await tablesOf(await download(to, admin, { media: true })), expected);
  const { json } = await admin.ask("GET", `/media/${site.mediaId}`);
  assertEquals(json.filename, "lamp.png");
});
