/** Schedules whose times have all passed when a backup is imported. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { testApp } from "../../../support/sites/app.ts";
import { download, importTarball, setUpAdmin, signIn } from "../../../support/sites/backups.ts";

Deno.test("POST /api/admin/imports of a document whose start and end have both passed ends it, whatever runs first", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("POST", "/collections", { slug: "posts", name: "Posts" });
  const now = Math.floor(app.context.now() / 1_000);
  const ids: string[] = [];
  for (const title of ["One", "Two", "Three"]) {
    const { json } = await admin.ask("POST", "/documents", { collection: "posts", title });
    const times = { publishAt: now + 3_600, unpublishAt: now + 3_602 };
    assertEquals((await admin.ask("POST", `/documents/${json.id}/schedule`, times)).status, 200);
    ids.push(json.id);
  }
  const tarball = await download(app, admin);
  for (const id of ids) await admin.ask("DELETE", `/documents/${id}`);
  app.context.advance(7_200_000);
  const again = await signIn(app);

  assertEquals((await importTarball(app, again, tarball)).error, null);
  for (let n = 0; n < 5; n++) {
    await app.runner.drain();
    app.context.advance(1_000);
  }

  const later = await signIn(app);
  const states: string[] = [];
  for (const id of ids) states.push((await later.ask("GET", `/documents/${id}`)).json.status);
  assertEquals(states, ["draft", "draft", "draft"]);
});
