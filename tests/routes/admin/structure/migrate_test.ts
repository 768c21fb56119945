import { assert, assertEquals } from "@std/assert";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { type Admin, finishJob, setUpAdmin } from "../../../support/sites/backups.ts";

async function filled(app: TestApp): Promise<{ admin: Admin; ids: string[] }> {
  const admin = await setUpAdmin(app);
  const fields = [{ name: "size", label: "Size", type: "text", indexed: true, sortable: true }];
  await admin.ask("POST", "/collections", { slug: "posts", name: "Posts", fields });
  const ids: string[] = [];
  for (const size of ["10", "9", "large", null]) {
    const body = { collection: "posts", title: `Size ${size}`, size, status: "published" };
    ids.push((await admin.ask("POST", "/documents", body)).json.id);
  }
  await app.runner.drain();
  return { admin, ids };
}

const CHANGE = { type: "number" };

Deno.test("PATCH field type on a filled collection migrates every document", async () => {
  await using app = await testApp();
  const { admin, ids } = await filled(app);
  const { status, json } = await admin.ask("PATCH", "/collections/posts/fields/size", CHANGE);
  assertEquals(status, 202);
  const job = await finishJob(app, json.jobId);
  assertEquals(job.error, null);
  const { documents } = job.results as { documents: { failed: number; lost: { id: string }[] } };
  assertEquals([documents.failed, documents.lost.map(({ id }) => id)], [1, [ids[2]]]);

  const values = await Promise.all(
    ids.map(async (id) => (await admin.ask("GET", `/documents/${id}`)).json.size),
  );
  assertEquals(values, [10, 9, null, null]);
  const token = await app.token();
  const list = await app.call("GET", "/api/v1/posts?sort=size", { token });
  assertEquals(list.json.data.map((one: { size: number }) => one.size), [9, 10, null, null]);
  const found = await app.call("GET", "/api/v1/posts?field.size=10", { token });
  assertEquals(found.json.meta.total, 1);
});

Deno.test("PATCH field type keeps the old value in history, by the one who asked", async () => {
  await using app = await testApp();
  const { admin, ids } = await filled(app);
  const { json } = await admin.ask("PATCH", "/collections/posts/fields/size", CHANGE);
  await finishJob(app, json.jobId);
  const { json: versions } = await admin.ask("GET", `/versions/document/${ids[2]}`);
  const [newest, oldest] = versions.data;
  assertEquals(newest.change_summary, "Migrated size from text to number");
  assertEquals(newest.editor, "Ada");
  const { json: version } = await admin.ask("GET", `/versions/${oldest.id}`);
  assertEquals(version.state.data, { size: "large" });

  const restored = await admin.ask("POST", `/versions/${oldest.id}/restore`);
  assertEquals(restored.status, 200, restored.text);
  assertEquals((await admin.ask("GET", `/documents/${ids[2]}`)).json.size, null);
  const { json: first } = await admin.ask("GET", `/versions/document/${ids[0]}`);
  await admin.ask("PATCH", `/documents/${ids[0]}`, { size: 77 });
  await admin.ask("POST", `/versions/${first.data.at(-1).id}/restore`);
  assertEquals((await admin.ask("GET", `/documents/${ids[0]}`)).json.size, 10);
});

Deno.test("PATCH field type: reads and writes are of one type or the other throughout", async () => {
  await using app = await testApp();
  const { admin, ids } = await filled(app);
  await admin.ask("PATCH", "/collections/posts/fields/size", CHANGE);
  const during = await admin.ask("GET", `/documents/${ids[0]}`);
  assertEquals(during.json.size, "10");
  const write = await admin.ask("PATCH", `/documents/${ids[1]}`, { size: "11" });
  assertEquals([write.status, write.json.size], [200, "11"]);
  const early = await admin.ask("PATCH", `/documents/${ids[1]}`, { size: 11 });
  assertEquals(early.status, 422);
  const again = await admin.ask("PATCH", "/collections/posts/fields/size", { type: "boolean" });
  assertEquals(again.status, 409);
  await app.runner.drain();
  assertEquals((await admin.ask("GET", `/documents/${ids[1]}`)).json.size, 11);
  const cleared = await admin.ask("PATCH", `/documents/${ids[1]}`, { size: null });
  assertEquals(cleared.json.size, null);
});

Deno.test("PATCH field type ?dryRun=true tells what would happen and changes nothing", async () => {
  await using app = await testApp();
  const { admin, ids } = await filled(app);
  const path = "/collections/posts/fields/size";
  const { status, json } = await admin.ask("PATCH", `${path}?dryRun=true`, CHANGE);
  assertEquals(status, 200);
  const { documents, values, converted, failed, examples, failures } = json;
  assertEquals([documents, values, converted, failed], [4, 3, 2, 1]);
  assertEquals(examples[0], { id: ids[0], title: "Size 10", before: "10", after: 10 });
  assertEquals([failures[0].id, failures[0].value], [ids[2], "large"]);
  assertEquals((await admin.ask("GET", path)).json.type, "text");
  const unsure = await admin.ask("PATCH", `${path}?dryRun=maybe`, CHANGE);
  assertEquals(unsure.status, 422);
});

Deno.test("PATCH field type makes the field unique again, or says why not", async () => {
  await using app = await testApp();
  const admin = await setUpAdmin(app);
  for (const [slug, second] of [["one", "2"], ["two", "1.0"]]) {
    const fields = [{ name: "code", label: "Code", type: "text", unique: true }];
    await admin.ask("POST", "/collections", { slug: slug!, name: slug!, fields });
    for (const code of ["1", second!]) {
      await admin.ask("POST", "/documents", { collection: slug!, title: code, code });
    }
    const { json } = await admin.ask("PATCH", `/collections/${slug}/fields/code`, CHANGE);
    const job = await finishJob(app, json.jobId);
    const { unique } = job.results as { unique: { unique: boolean } };
    assertEquals(unique.unique, slug === "one");
    const field = await admin.ask("GET", `/collections/${slug}/fields/code`);
    assertEquals([field.json.type, field.json.unique], ["number", slug === "one"]);
  }
  const taken = await admin.ask("POST", "/documents", { collection: "one", title: "T", code: 2 });
  assertEquals(taken.status, 422);
  assert(taken.text.includes("NOT_UNIQUE"));
});

Deno.test("PATCH field type: a reference that a field is to become follows its collection's new slug", async () => {
  await using app = await testApp();
  const { admin, ids } = await filled(app);
  await admin.ask("POST", "/collections", { slug: "people", name: "People" });
  const { json: person } = await admin.ask("POST", "/documents", {
    collection: "people",
    title: "Ada",
  });
  await admin.ask("PATCH", `/documents/${ids[0]}`, { size: person.id });
  const change = { type: "reference", options: { collection: "people" } };
  const { json } = await admin.ask("PATCH", "/collections/posts/fields/size", change);

  const renamed = await admin.ask("PATCH", "/collections/people", { slug: "persons" });
  const job = await finishJob(app, json.jobId);

  assertEquals([renamed.status, job.error], [200, null]);
  const { json: collection } = await admin.ask("GET", "/collections/posts");
  const [field] = collection.fields;
  assertEquals([field.type, field.options.collection], ["reference", "persons"]);
  assertEquals((await admin.ask("GET", `/documents/${ids[0]}`)).json.size, person.id);
});
