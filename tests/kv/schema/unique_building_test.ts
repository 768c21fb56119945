import { assert, assertEquals, assertRejects } from "@std/assert";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { stageLock, stageUnlock } from "../../../kv/backup/import_lock.ts";
import { uniquePrefix } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { patchField } from "../../../kv/schema/fields.ts";
import { UNATTENDED } from "../../../kv/model/entity.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { makeUnique } from "../../../kv/schema/unique_building.ts";
import { testApp } from "../../support/app.ts";

async function posts(count: number, code: (i: number) => string) {
  const app = await testApp();
  await app.collection({ slug: "posts", name: "Posts", fields: [{ name: "code", type: "text" }] });
  const { content } = app.deps;
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const body = { title: `Post ${i}`, code: code(i) };
    ids.push((await createDocument(content, UNATTENDED, "posts", body)).state.id);
  }
  return { app, content, ids };
}

Deno.test("makeUnique() reserves the values of existing documents", async () => {
  const { app, content, ids } = await posts(12, (i) => `c${i}`);
  await using _app = app;

  const patched = await patchField(content, UNATTENDED, "posts", "code", { unique: true });
  assertEquals(patched, { makeUnique: "code" });
  const field = await makeUnique(content, UNATTENDED, "posts", "code");

  assertEquals([field.unique, field.uniqueBuilding], [true, undefined]);
  for (let i = 0; i < 12; i++) {
    await assertRejects(
      () => createDocument(content, UNATTENDED, "posts", { title: "x", code: `c${i}` }),
      Refusal,
    );
  }
  await patchDocument(content, UNATTENDED, ids[0]!, { code: "free" });
  await createDocument(content, UNATTENDED, "posts", { title: "x", code: "c0" });
});

Deno.test("makeUnique() refuses while two documents share a value, and works once they do not", async () => {
  const { app, content, ids } = await posts(12, (i) => `c${i % 11}`);
  await using _app = app;

  const refusal = await assertRejects(
    () => makeUnique(content, UNATTENDED, "posts", "code"),
    Refusal,
  );
  assertEquals(refusal.code, "CONFLICT");
  assertEquals(refusal.facts.details?.map(({ code }) => code), ["NOT_UNIQUE"]);
  const [field] = (await content.schema.current()).bySlug.get("posts")!.fields;
  assertEquals([field!.unique, field!.uniqueBuilding], [false, undefined]);

  await patchDocument(content, UNATTENDED, ids[0]!, { code: "other" });
  await patchDocument(content, UNATTENDED, ids[5]!, { code: "c5-new" });
  assert((await makeUnique(content, UNATTENDED, "posts", "code")).unique);
  await createDocument(content, UNATTENDED, "posts", { title: "x", code: "c5" });
});

Deno.test("makeUnique() lets nothing slip in while it works", async () => {
  const { app, content } = await posts(40, (i) => `c${i}`);
  await using _app = app;

  const building = makeUnique(content, UNATTENDED, "posts", "code");
  const writes = await Promise.allSettled(
    Array.from(
      { length: 20 },
      () => createDocument(content, UNATTENDED, "posts", { title: "new", code: "same" }),
    ),
  );
  const outcome = await building.catch((error) => error);

  const committed = writes.filter(({ status }) => status === "fulfilled").length;
  if (outcome instanceof Refusal) assert(committed > 1);
  else assertEquals(committed, 1);
});

Deno.test("makeUnique() reserves nothing while a back-up is imported, nor in the site that it brings", async () => {
  const { app, content } = await posts(12, (i) => `c${i}`);
  await using _app = app;
  const { store } = app.context;
  const [field] = (await content.schema.current()).bySlug.get("posts")!.fields;
  const reservations = () =>
    store.listAll({ prefix: uniquePrefix(field!.collectionId, field!.key) });
  /** An import of which nobody hears any more before it ends. */
  const beginImport = async () => {
    const operation = new Operation();
    const payload = { importId: field!.id, userId: field!.id };
    const dueAt = app.context.now() + 1_000_000;
    const jobId = addJob(operation, app.context, { type: "IMPORT", payload, dueAt });
    assert(await stageLock(app.context, operation, jobId));
    await store.commit(operation);
  };

  // It begins, and ends, between two commits of the reservations.
  const commit = store.commit.bind(store);
  let commits = 0;
  store.commit = async (operation) => {
    const result = await commit(operation);
    if (++commits === 3) {
      store.commit = commit;
      await beginImport();
      await commit(stageUnlock(new Operation()));
    }
    return result;
  };
  const overtaken = await assertRejects(
    () => makeUnique(content, UNATTENDED, "posts", "code"),
    Refusal,
  );
  const afterwards = (await reservations()).length;
  await beginImport();
  const during = await assertRejects(
    () => makeUnique(content, UNATTENDED, "posts", "code"),
    Refusal,
  );

  assertEquals([overtaken.code, during.code], ["UNAVAILABLE", "UNAVAILABLE"]);
  assert(afterwards > 0 && afterwards < 12, `${afterwards}`);
  assertEquals((await reservations()).length, afterwards);
  await commit(stageUnlock(new Operation()));
  assert((await makeUnique(content, UNATTENDED, "posts", "code")).unique);
});
