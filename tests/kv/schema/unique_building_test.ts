import { assert, assertEquals, assertRejects } from "@std/assert";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { addJob, findJob } from "../../../kv/jobs/jobs.ts";
import { UNIQUE_FIELDS_MAX } from "../../../kv/limits/content.ts";
import { createRunner } from "../../../routes/process/wiring.ts";
import { stageLock, stageUnlock } from "../../../kv/versioning/import_lock.ts";
import { uniquePrefix } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { type FieldPatchResult, patchField } from "../../../kv/schema/fields.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { carryOutUnique, makeUnique } from "../../../kv/schema/make_unique.ts";
import { UNIQUE_WAIT_MS } from "../../../kv/tuning.ts";
import { testApp } from "../../support/sites/app.ts";

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
  assert("building" in patched);
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

  const building = makeUnique(content, UNATTENDED, "posts", "code").catch((error) => error);
  const writes = await Promise.allSettled(
    Array.from(
      { length: 20 },
      () => createDocument(content, UNATTENDED, "posts", { title: "new", code: "same" }),
    ),
  );
  const outcome = await building;

  const committed = writes.filter(({ status }) => status === "fulfilled").length;
  if (outcome instanceof Refusal) assert(committed > 1);
  else assertEquals(committed, 1);
});

Deno.test("makeUnique() keeps a value whose second document gets another one while it works", async () => {
  const { app, content, ids } = await posts(60, (i) => i === 59 ? "c0" : `c${i}`);
  await using _app = app;
  const { store } = app.context;
  const { commit } = store;
  store.commit = async (operation) => {
    const committed = await commit.call(store, operation);
    if (!operation.sets.some(({ key }) => key[0] === "unique")) return committed;
    store.commit = commit;
    // The first document has its value by now; the last one is far behind.
    await patchDocument(content, UNATTENDED, ids[59]!, { code: "c59" });
    return committed;
  };

  assert((await makeUnique(content, UNATTENDED, "posts", "code")).unique);

  const twin = { title: "Twin", code: "c0" };
  await assertRejects(() => createDocument(content, UNATTENDED, "posts", twin), Refusal);
});

Deno.test("PATCH unique of an empty collection sees a document that comes at the same time", async () => {
  const { app, content } = await posts(0, () => "");
  await using _app = app;
  const { index } = content;
  const countByStatus = index.countByStatus.bind(index);
  index.countByStatus = async (collections) => {
    const counts = await countByStatus(collections);
    index.countByStatus = countByStatus;
    await createDocument(content, UNATTENDED, "posts", { title: "First", code: "c0" });
    return counts;
  };

  await patchOf(app)("code", { unique: true });

  const [field] = (await content.schema.current()).bySlug.get("posts")!.fields;
  assert(field!.unique);

  const twin = { title: "Twin", code: "c0" };
  await assertRejects(() => createDocument(content, UNATTENDED, "posts", twin), Refusal);
});

Deno.test("makeUnique() reserves nothing while a back-up is imported, nor in the site that it brings", async () => {
  const { app, content } = await posts(120, (i) => `c${i}`);
  await using _app = app;
  const { store } = app.context;
  const [field] = (await content.schema.current()).bySlug.get("posts")!.fields;
  const reservations = () =>
    store.listAll({ prefix: uniquePrefix(field!.collectionId, field!.key) });
  /** An import that does not run during the test. */
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
  assert(afterwards > 0 && afterwards < 120, `${afterwards}`);
  assertEquals((await reservations()).length, afterwards);
  await commit(stageUnlock(new Operation()));
  assert((await makeUnique(content, UNATTENDED, "posts", "code")).unique);
});

/** What an administrator does, with the answers' status and body. */
function patchOf(app: Awaited<ReturnType<typeof testApp>>) {
  return async (name: string, body: Record<string, Json>) => {
    const patched = await patchField(app.deps.content, UNATTENDED, "posts", name, body);
    if (!("building" in patched)) return patched;
    return await carryOutUnique(app.deps.content, UNATTENDED, patched.building);
  };
}

Deno.test("PATCH unique twice at once: the second wipes nothing that the first has reserved", async () => {
  const { app, content } = await posts(40, (i) => `c${i}`);
  await using _app = app;
  const patch = patchOf(app);

  const both = await Promise.allSettled([
    patch("code", { unique: true }),
    patch("code", { unique: true, label: "Code" }),
  ]);

  assertEquals(both.map(({ status }) => status), ["fulfilled", "fulfilled"]);
  const [field] = (await content.schema.current()).bySlug.get("posts")!.fields;
  assertEquals([field!.unique, field!.label, field!.uniqueBuilding], [true, "Code", undefined]);
  for (let i = 0; i < 40; i++) {
    const twin = { title: "Twin", code: `c${i}` };
    await assertRejects(() => createDocument(content, UNATTENDED, "posts", twin), Refusal);
  }
});

Deno.test("PATCH unique of many fields at once keeps to the number of unique fields", async () => {
  await using app = await testApp();
  const fields = [..."abcdefgh"].map((name, i) => ({ name, type: "text", unique: i < 4 }));
  await app.collection({ slug: "posts", name: "Posts", fields });
  const { content } = app.deps;
  const body = (n: number) => Object.fromEntries(fields.map(({ name }) => [name, `${name}${n}`]));
  await createDocument(content, UNATTENDED, "posts", { title: "One", ...body(1) });

  // All of them have asked before any of them is unique.
  const asked = await Promise.allSettled(
    ["e", "f", "g", "h"].map((name) =>
      patchField(content, UNATTENDED, "posts", name, { unique: true })
    ),
  );
  for (const { status, value } of asked as PromiseFulfilledResult<FieldPatchResult>[]) {
    if (status !== "fulfilled" || !("building" in value)) continue;
    await carryOutUnique(content, UNATTENDED, value.building);
  }

  assertEquals(asked.filter(({ status }) => status === "fulfilled").length, 1);
  const present = (await content.schema.current()).bySlug.get("posts")!.fields;
  assertEquals(present.filter(({ unique }) => unique).length, UNIQUE_FIELDS_MAX);
  await createDocument(content, UNATTENDED, "posts", { title: "Two", ...body(2) });
});

Deno.test("RESERVE_UNIQUE continues where its request stopped, and applies the other changes with it", async () => {
  const { app, content } = await posts(30, (i) => `c${i}`);
  await using _app = app;
  const change = { unique: true, name: "number", label: "Number" };
  const patched = await patchField(content, UNATTENDED, "posts", "code", change);
  assert("building" in patched);
  const before = (await content.schema.current()).bySlug.get("posts")!.fields[0]!;
  assertEquals([before.unique, before.name], [false, "code"]);
  const job = () => findJob(app.context.store, patched.building.jobId);

  // Both at the same work would double the calls: at first it is the request's.
  await createRunner(app.deps).drain();
  assertEquals((await job())?.state, "waiting");
  app.context.advance(UNIQUE_WAIT_MS);
  await createRunner(app.deps).drain();

  const after = (await content.schema.current()).bySlug.get("posts")!.fields[0]!;
  assertEquals([after.unique, after.name, after.label], [true, "number", "Number"]);
  const { state, results } = (await job())!;
  assertEquals([state, results.reserve], ["done", { documents: 30 }]);
});

Deno.test("RESERVE_UNIQUE fails when documents share a value, and the field stays as it was", async () => {
  const { app, content } = await posts(30, (i) => `c${i % 29}`);
  await using _app = app;
  const patched = await patchField(content, UNATTENDED, "posts", "code", { unique: true });
  assert("building" in patched);
  app.context.advance(UNIQUE_WAIT_MS);

  await createRunner(app.deps).drain();

  const field = (await content.schema.current()).bySlug.get("posts")!.fields[0]!;
  assertEquals([field.unique, field.uniqueBuilding], [false, undefined]);
  const job = await findJob(app.context.store, patched.building.jobId);
  assertEquals([job?.state, job?.error], ["failed", "Two documents have the same value"]);
  await createDocument(content, UNATTENDED, "posts", { title: "x", code: "c7" });
});

Deno.test("PATCH unique: false calls off what makes the field unique", async () => {
  const { app, content } = await posts(5, (i) => `c${i}`);
  await using _app = app;
  await patchField(content, UNATTENDED, "posts", "code", { unique: true });

  await patchField(content, UNATTENDED, "posts", "code", { unique: false });
  await createRunner(app.deps).drain();

  const field = (await content.schema.current()).bySlug.get("posts")!.fields[0]!;
  assertEquals([field.unique, field.uniqueBuilding], [false, undefined]);
  await createDocument(content, UNATTENDED, "posts", { title: "x", code: "c1" });
});
