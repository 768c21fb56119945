/**
 * The end of a publication: a document is unpublished at its time.
 */
import { testApp } from "../../../support/sites/app.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { setUpAdmin } from "../../../support/sites/backups.ts";

Deno.test("POST …/schedule {unpublishAt}: the publication ends at its time, as by hand", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("POST", "/collections", { slug: "posts", name: "Posts", fields: [] });
  const make = async (title: string, status: string) =>
    (await admin.ask("POST", "/documents", { collection: "posts", title, status })).json.id;
  const now = () => Math.floor(app.context.now() / 1000);
  const ask = async (id: string, body: Record<string, number | null>) => {
    const { status, json } = await admin.ask("POST", `/documents/${id}/schedule`, body);
    return [status, json.unpublishAt ?? json.error?.code ?? null];
  };
  const statusOf = async (id: string) => (await admin.ask("GET", `/documents/${id}`)).json.status;
  const pass = async (seconds: number) => {
    app.context.advance(seconds * 1_000);
    await app.runner.drain();
  };
  const id = await make("Ends", "published");

  assertEquals(await ask(id, { unpublishAt: now() + 100 }), [200, now() + 100]);
  await admin.ask("PATCH", `/documents/${id}/working-copy`, { title: "Changed" });
  await pass(99);
  assertEquals(await statusOf(id), "published");
  await pass(2);
  const { json: ended } = await admin.ask("GET", `/documents/${id}`);
  assertEquals([ended.status, ended.title, "unpublishAt" in ended], ["draft", "Changed", false]);
  const { json: { data: [version] } } = await admin.ask("GET", `/versions/document/${id}`);
  assertEquals(version.change_summary, "Unpublished on schedule");

  // From a time to a time; an end that was taken back, or moved, ends nothing.
  const start = now();
  assertEquals(await ask(id, { publishAt: start + 50, unpublishAt: start + 90 }), [
    200,
    start + 90,
  ]);
  await pass(60);
  assertEquals(await statusOf(id), "published");
  assertEquals(await ask(id, { unpublishAt: null }), [200, null]);
  assertEquals(await ask(id, { unpublishAt: start + 200 }), [200, start + 200]);
  await pass(60);
  assertEquals(await statusOf(id), "published");
  await admin.ask("POST", `/documents/${id}/unpublish`);
  await admin.ask("POST", `/documents/${id}/publish`);
  await pass(100);
  assertEquals(await statusOf(id), "published", "whoever unpublishes takes the end with it");

  assertEquals(await ask(id, { unpublishAt: now() }), [422, "VALIDATION_FAILED"]);
  assertEquals(await ask(id, { unpublishAt: Date.now() * 10 }), [422, "VALIDATION_FAILED"]);
  const both = { publishAt: now() + 50, unpublishAt: now() + 50 };
  const draft = await make("Draft", "draft");
  assertEquals(await ask(draft, both), [422, "VALIDATION_FAILED"]);
  assertEquals(await ask(draft, { unpublishAt: now() + 50 }), [409, "CONFLICT"]);
  assertEquals(await ask(draft, {}), [422, "VALIDATION_FAILED"]);
});
