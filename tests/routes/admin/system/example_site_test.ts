import { assert, assertEquals } from "@std/assert";
import { FIELD_TYPE_NAMES } from "../../../../kv/model/fields/field_definition.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { type Admin, finishJob, setUpAdmin } from "../../../support/sites/backups.ts";

Deno.test("POST /api/admin/example-site/seed makes a site with every type of field, once", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const { status, json } = await admin.ask("POST", "/example-site/seed");
  assertEquals(status, 202);
  const job = await finishJob(app, json.jobId);
  assertEquals(job.error, null);

  const { collections } = await app.deps.content.schema.current();
  const types = new Set(collections.flatMap(({ fields }) => fields.map(({ type }) => type)));
  assertEquals([...types].sort(), [...FIELD_TYPE_NAMES].sort());
  const { json: documents } = await admin.ask("GET", "/documents?perPage=100");
  assert(documents.meta.total >= 36, `${documents.meta.total} documents`);
  const { json: media } = await admin.ask("GET", "/media");
  assertEquals(media.meta.total, 9);
  await app.runner.drain();
  const page = await app.call("GET", "/articles/the-lamp-that-stayed-on");
  assertEquals(page.status, 200);
  assert(page.text.includes("The lamp at the end of the pier has no switch"));
  const token = await app.token();
  const list = await app.call("GET", "/api/v1/articles?field.section=Light&sort=-minutes", {
    token,
  });
  assert(list.json.meta.total >= 3);
  const [newest, next] =
    (await app.call("GET", "/api/v1/articles?sort=-publishedAt", { token })).json.data;
  assertEquals(newest.slug, "the-lamp-that-stayed-on");
  assertEquals(newest.publishedAt - next.publishedAt, 5 * 86_400, "not written in one day");
  const { json: events } = await app.call("GET", "/api/v1/events?include=hosts", { token });
  const walk = events.data.find(({ slug }: { slug: string }) => slug === "night-walk");
  assertEquals(walk.hosts.map(({ title }: { title: string }) => title), [
    "Mei Tanaka",
    "Inès Moreau",
  ]);
  const shown = await app.call("GET", "/events/night-walk");
  assert(shown.text.includes('href="/authors/mei-tanaka"'), shown.text);
  const search = await app.call("GET", "/api/v1/search?q=barometer");
  assert(search.json.meta.total >= 1);
  await assertSeededOnce(app, admin);
});

/** Seeding a site again doubles and changes nothing, whatever was changed there. */
async function assertSeededOnce(app: TestApp, admin: Admin): Promise<void> {
  const seed = async () => {
    const { json } = await admin.ask("POST", "/example-site/seed");
    return await finishJob(app, json.jobId);
  };
  const all = async () => (await admin.ask("GET", "/documents?perPage=100&sort=slug")).json;
  const { data } = await all();
  const bySlug = (slug: string) => data.find((one: { slug: string }) => one.slug === slug).id;
  await admin.ask("PATCH", `/documents/${bySlug("window")}`, { title: "My own" });
  await admin.ask("DELETE", `/documents/${bySlug("low-tide")}`);
  await admin.ask("PATCH", `/documents/${bySlug("what-the-tide-left")}`, { slug: "tide" });
  await admin.ask("DELETE", "/collections/articles/fields/facts");
  const { json: media } = await admin.ask("GET", "/media");
  await admin.ask("DELETE", `/media/${media.data[0].id}`);
  const changed = await all();
  const job = await seed();
  assertEquals(job.error, null);
  assertEquals(await all(), changed);
  assertEquals((await admin.ask("GET", "/media")).json.meta.total, media.meta.total - 1);
}

Deno.test("POST /api/admin/example-site/seed leaves an owner's collection alone", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  await app.collection({ slug: "articles", name: "Mine" });
  const { json } = await admin.ask("POST", "/example-site/seed");
  assertEquals((await finishJob(app, json.jobId)).error, null);
  assertEquals((await admin.ask("GET", "/documents?collection=articles")).json.meta.total, 0);
  assertEquals((await admin.ask("GET", "/documents?collection=authors")).json.meta.total, 6);
});

Deno.test("POST /api/admin/example-site/seed leaves out what an owner's definitions refuse", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  const fields = [{ name: "text", type: "text", required: true }];
  for (const name of ["quote", "picture"]) {
    await admin.ask("POST", "/blocks", { name, label: "Mine", fields });
  }
  const seed = async () => {
    const { json } = await admin.ask("POST", "/example-site/seed");
    return (await finishJob(app, json.jobId)).error;
  };
  assertEquals(await seed(), null);
  const { json: documents } = await admin.ask("GET", "/documents?perPage=100");
  assert(documents.meta.total >= 36, `${documents.meta.total} documents`);
  const { json: articles } = await admin.ask(
    "GET",
    "/documents?collection=articles&sort=createdAt",
  );
  assert(articles.data.some(({ status }: { status: string }) => status === "published"));
  assertEquals((await admin.ask("GET", "/blocks")).json.data.length, 3);
  assertEquals(await seed(), null);
  assertEquals((await admin.ask("GET", "/documents")).json.meta.total, documents.meta.total);
});
