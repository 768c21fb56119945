/**
 * Flushing when what was acknowledged can no longer be stored as it was typed.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { getVersion, listVersions } from "../../../kv/versioning/versions.ts";
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { patchField, removeField } from "../../../kv/schema/fields.ts";
import {
  type EditOperation,
  NO_EDITS,
  readEditHead,
  readEdits,
  readHeld,
  stageEdits,
  trimEditLogs,
} from "../../../kv/live/edit_log.ts";
import { flushEdits } from "../../../kv/live/flush.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";

const COLLECTION = {
  slug: "notes",
  name: "Notes",
  fields: [
    { name: "code", type: "text", unique: true },
    { name: "lead", type: "text", required: true },
    { name: "rows", type: "repeater", options: { fields: [{ name: "a", type: "text" }] } },
    { name: "more", type: "repeater", options: { fields: [{ name: "a", type: "text" }] } },
  ],
};

async function add(test: TestApp, id: string, ...sets: Record<string, Json>[]): Promise<void> {
  const { context } = test;
  const entry = await readEditHead(context.store, id);
  const head = entry.value ?? NO_EDITS;
  const added = sets.map((set, at): EditOperation => ({
    id: context.newId(context.now()),
    seq: head.seq + 1 + at,
    by: "ada",
    at: context.now(),
    client: null,
    clientSeq: at,
    set,
    unset: [],
    keys: { code: "code", lead: "lead", rows: "rows", more: "more" },
  }));
  const operation = new Operation();
  stageEdits(operation, context, id, entry, added);
  await context.store.commit(operation);
}

async function site() {
  const test = await testApp();
  await test.collection(COLLECTION);
  const make = async (body: Record<string, Json>) =>
    (await createDocument(test.deps.content, UNATTENDED, "notes", body)).state.id;
  const read = async (id: string) => (await test.deps.reader.find(id))!;
  const held = async (id: string) => {
    const { value } = await readEditHead(test.context.store, id);
    return await readHeld(test.context.store, id, value!);
  };
  return { test, make, read, held, content: test.deps.content };
}

Deno.test("flushEdits() writes nothing where nothing waits, and no version where nothing changes", async () => {
  const { test, make, read, content } = await site();
  await using _test = test;
  const id = await make({ title: "One" });

  assertEquals(await flushEdits(content, id), null);
  await add(test, id, { title: "Two" }, { title: "One" });
  assertEquals(await flushEdits(content, id), { seq: 2, versionNumber: 1 });
  assertEquals(await flushEdits(content, id), null);
  assertEquals((await read(id)).n, 1);
});

Deno.test("flushEdits() numbers a slug that was taken in the meantime", async () => {
  const { test, make, read, content } = await site();
  await using _test = test;
  const id = await make({ title: "One" });

  await add(test, id, { slug: "wanted" });
  await make({ title: "Two", slug: "wanted" });
  await flushEdits(content, id);

  assertEquals((await read(id)).state.slug, "wanted-2");
});

Deno.test("flushEdits() holds back a value that was taken in the meantime, until it is free", async () => {
  const { test, make, read, held, content } = await site();
  await using _test = test;
  const id = await make({ title: "One", code: "old" });

  await add(test, id, { code: "wanted", title: "Typed" });
  const other = await make({ title: "Two", code: "wanted" });
  await flushEdits(content, id);
  const { state } = await read(id);
  assertEquals([state.title, state.data.code], ["Typed", "old"]);
  assertEquals((await held(id)).map(({ steps, value, code }) => [steps, value, code]), [
    [["code"], "wanted", "CONFLICT"],
  ]);

  await patchDocument(content, UNATTENDED, other, { code: "given up" });
  await add(test, id, { title: "Typed on" });
  await flushEdits(content, id);
  assertEquals((await read(id)).state.data.code, "wanted");
  assertEquals(await held(id), []);
});

Deno.test("flushEdits() drops a held-back edit once another is typed", async () => {
  const { test, make, read, held, content } = await site();
  await using _test = test;
  const id = await make({ title: "One" });
  await add(test, id, { code: "wanted" });
  await make({ title: "Two", code: "wanted" });
  await flushEdits(content, id);

  await add(test, id, { code: "other" });
  await flushEdits(content, id);

  assertEquals((await read(id)).state.data.code, "other");
  assertEquals(await held(id), []);
});

Deno.test("flushEdits() stores edits of a published document in its working copy", async () => {
  const { test, make, read, held, content } = await site();
  await using _test = test;
  const id = await make({ title: "One", lead: "Here", status: "published" });

  const before = (await read(id)).state;
  await add(test, id, { lead: "" }, { title: "Two" });
  await flushEdits(content, id);

  const { state: { workingCopy, ...published } } = await read(id);
  assertEquals(published, before);
  assertEquals(workingCopy, { title: "Two", lead: "" });
  assertEquals(await held(id), []);
  await add(test, id, { lead: "Here", title: "One" });
  await flushEdits(content, id);
  assertEquals((await read(id)).state, before);
});

Deno.test("flushEdits() keeps values of a field that was removed or renamed in the meantime", async () => {
  const { test, make, read, content } = await site();
  await using _test = test;
  const id = await make({ title: "One" });

  await add(test, id, { lead: "Typed", code: "c1" });
  await patchField(content, UNATTENDED, "notes", "code", { name: "number" });
  await removeField(content, UNATTENDED, "notes", "lead");
  await flushEdits(content, id);

  assertEquals((await read(id)).state.data, { lead: "Typed", code: "c1" });
});

Deno.test("flushEdits() applies operations to concurrent writes of others", async () => {
  const { test, make, read, content } = await site();
  await using _test = test;
  const id = await make({ title: "One", rows: [{ a: "1" }, { a: "2" }, { a: "3" }] });

  await add(test, id, { "rows.0.a": "typed", "rows.2.a": "typed too" });
  // A write that began before the operations were there.
  const body = { rows: [{ a: "other" }], lead: "other" };
  await patchDocument(content, UNATTENDED, id, body, { leaveEdits: true });
  await flushEdits(content, id);

  const { state, n } = await read(id);
  assertEquals(state.data, { rows: [{ a: "typed" }, { a: "typed too" }], lead: "other" });
  assertEquals(n, 3);
});

Deno.test("the log keeps large operations whole, and forgets old ones", async () => {
  const { test, make, read, content } = await site();
  await using _test = test;
  const { store } = test.context;
  const id = await make({ title: "One" });
  const long = "é".repeat(80_000);

  await add(test, id, { lead: long });
  for (let batch = 0; batch < 6; batch++) {
    const sets = Array.from({ length: 50 }, (_, n) => ({ title: `${batch} ${n}` }));
    await add(test, id, ...sets);
    await flushEdits(content, id);
  }
  assertEquals((await read(id)).state.data.lead, long);
  const kept = await readEdits(store, id, 0, 1_000);
  assertEquals([kept[0]!.seq, kept.length], [102, 200]);

  assertEquals(await trimEditLogs(test.context, null), `${id}\0`);
  assertEquals((await readEdits(store, id, 0, 1_000)).length, 200);
  test.context.advance(2 * 86_400_000);
  await trimEditLogs(test.context, null);
  assertEquals(await readEdits(store, id, 0, 1_000), []);
  assertEquals(await trimEditLogs(test.context, `${id}\0`), null);
});

/** A value that a definition no longer takes once it is narrowed, of more bytes than one commit holds. */
function manyRows(count: number): Json[] {
  return Array.from({ length: count }, (_, n) => ({ a: `${n} `.repeat(60) }));
}

Deno.test("flushEdits() sets aside an edit that is more than a commit holds, as a version", async () => {
  const { test, make, read, held, content } = await site();
  await using _test = test;
  const id = await make({ title: "Long", rows: manyRows(3_000) });
  await add(test, id, { "rows.7.a": "typed" }, { title: "Longer" });
  const narrower = { fields: [{ name: "a", type: "text" }], maxItems: 2_000 };
  await patchField(content, UNATTENDED, "notes", "rows", { options: narrower });

  const flushed = await flushEdits(content, id);

  const { state, n } = await read(id);
  assertEquals(flushed, { seq: 2, versionNumber: n });
  assertEquals([state.title, (state.data.rows as { a: string }[])[7]!.a.slice(0, 2)], [
    "Longer",
    "7 ",
  ]);
  assertEquals(await held(id), []);
  const { value: head } = await readEditHead(test.context.store, id);
  const { versions } = await listVersions(test.context, "document", id, { skip: 0, limit: 9 });
  const aside = versions.find(({ version_number }) => version_number === head!.aside)!;
  assertMatch(aside.change_summary!, /set aside/);
  const { state: kept } = await getVersion(test.context, aside.id);
  assertEquals((kept!.data as unknown as { rows: { a: string }[] }).rows[7]!.a, "typed");
  await patchDocument(content, UNATTENDED, id, { title: "Afterwards" });
  assertEquals((await read(id)).n, n + 1);
});

Deno.test("flushEdits() goes in portions where all operations are more than a commit holds", async () => {
  const { test, make, read, held, content } = await site();
  await using _test = test;
  const id = await make({ title: "One", rows: manyRows(600), more: manyRows(600) });
  await add(test, id, { "rows.7.a": "typed" }, { "more.7.a": "typed" }, { title: "Two" });
  for (const name of ["rows", "more"]) {
    const narrower = { fields: [{ name: "a", type: "text" }], maxItems: 500 };
    await patchField(content, UNATTENDED, "notes", name, { options: narrower });
  }

  const flushed = await flushEdits(content, id);

  const { state, n } = await read(id);
  assertEquals([flushed, state.title], [{ seq: 3, versionNumber: n }, "Two"]);
  assertEquals(
    await held(id),
    [],
    "what was held back alone is set aside with what came on top of it",
  );
  const { value: head } = await readEditHead(test.context.store, id);
  const { versions } = await listVersions(test.context, "document", id, { skip: 0, limit: 9 });
  const aside = versions.find(({ version_number }) => version_number === head!.aside)!;
  const { data } = (await getVersion(test.context, aside.id)).state as unknown as {
    data: Record<"rows" | "more", { a: string }[]>;
  };
  assertEquals([data.rows[7]!.a, data.more[7]!.a], ["typed", "typed"]);
});
