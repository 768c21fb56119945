/** The doctor finds what was broken by hand, and repairs what follows from the documents. */
import { examine } from "../../../kv/doctor/doctor.ts";
import type { DoctorOptions, Finding } from "../../../kv/doctor/finding.ts";
import { postingId } from "../../../kv/search/languages/language_posting.ts";
import { LANGUAGES } from "../../../kv/search/search_keys.ts";
import { recordRemoval } from "../../../kv/search/segments/posting.ts";
import { multilingual, paragraph } from "../../support/sites/multilingual.ts";
import { valueHash } from "../../../kv/documents/reservations.ts";
import {
  currentKey,
  languageSlugKey,
  shardRowPrefix,
  slugKey,
  uniqueKey,
  versionKey,
  versionNoteKey,
} from "../../../kv/keys.ts";
import { indexPrefix } from "../../../kv/index/index_keys.ts";
import { scheduledJobId } from "../../../kv/documents/schedule_jobs.ts";
import { dropJob } from "../../../kv/jobs/jobs.ts";
import { getVersionRow, listVersions, nameVersion } from "../../../kv/versioning/versions.ts";
import { runNow } from "../../../jobs/run_now.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { type TestApp, testApp } from "../../support/sites/app.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

const NO_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

interface Site extends AsyncDisposable {
  test: TestApp;
  collectionId: string;
  codeKey: string;
  ids: string[];
  find: () => Promise<Finding[]>;
}

async function site(): Promise<Site> {
  const test = await testApp();
  const collection = await test.collection({
    slug: "notes",
    name: "Notes",
    fields: [
      { name: "code", type: "text", unique: true },
      { name: "next", type: "reference", options: { collection: "notes" } },
      { name: "extra", type: "text" },
    ],
  });
  const token = await test.token();
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) {
    const body = {
      title: `Note ${n}`,
      code: `c${n}`,
      status: "published",
      ...(n > 0 && { next: ids[n - 1]! }),
      ...(n === 3 && { extra: "x".repeat(300_000) }),
    };
    const { json } = await test.call("POST", "/api/v1/notes", { token, body });
    ids.push(json.id);
  }
  await test.runner.drain();
  // What has just been published may not be found yet.
  test.context.advance(3_600_000);
  const find = () => findingsOf(test);
  const codeKey = collection.fields[0]!.key;
  const collectionId = collection.id;
  return {
    test,
    collectionId,
    codeKey,
    ids,
    find,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

function findingsOf({ context, deps, runner }: TestApp): Promise<Finding[]> {
  const rebuildSearch: DoctorOptions["rebuildSearch"] = async (only) => {
    const payload = { force: true, ...only };
    await runNow(context, runner, { type: "REBUILD_SEARCH", payload });
  };
  return Array.fromAsync(examine({ content: deps.content, search: deps.search, rebuildSearch }));
}

const told = (findings: Finding[]) =>
  findings.map(({ check, subject, problem, repair }) =>
    `${check}: ${subject}: ${problem}${repair === undefined ? "" : " +"}`
  );

Deno.test("examine() finds nothing in an intact store", async () => {
  await using it = await site();
  assertEquals(told(await it.find()), []);
});

Deno.test("examine() finds the damage, and its repairs make the store consistent", async () => {
  await using it = await site();
  const { test, collectionId, codeKey, ids } = it;
  const { store } = test.context;
  const [a, b] = ids as [string, string];
  const broken: [expected: string[], break_: Operation][] = [
    [
      [`slugs: document ${a}: its slug "note-0" is not reserved +`],
      new Operation().delete(slugKey(collectionId, "note-0")),
    ],
    [
      [`slugs: document ${a}: has reserved "other" and does not use it +`],
      new Operation().set(slugKey(collectionId, "other"), a),
    ],
    [
      [`slugs: document ${NO_ID}: has reserved "gone" and does not use it +`],
      new Operation().set(slugKey(collectionId, "gone"), NO_ID),
    ],
    [
      [`unique values: document ${b}: its value of code is not reserved +`],
      new Operation().delete(uniqueKey(collectionId, codeKey, valueHash("c1"))),
    ],
    [
      [`unique values: document ${b}: has reserved "${codeKey}" and does not use it +`],
      new Operation().set(uniqueKey(collectionId, codeKey, valueHash("none")), b),
    ],
  ];
  for (const [expected, operation] of broken) {
    await store.commit(operation);
    const found = await it.find();
    assertEquals(told(found), expected);
    for (const { repair } of found) assert(await repair!());
    assertEquals(told(await it.find()), []);
  }
});

Deno.test("examine() finds and repairs reservations of translated slugs and values", async () => {
  await using test = await multilingual();
  const code = { name: "code", label: "Code", type: "text", unique: true, localized: true };
  const made = await test.admin("POST", "/collections/posts/fields", code);
  assertEquals(made.status, 201, made.text);
  const collection = (await test.deps.content.schema.current()).bySlug.get("posts");
  const { id: collectionId = "", fields = [] } = collection ?? {};
  const fieldKey = fields.find(({ name }) => name === "code")?.key ?? "";
  const body = paragraph("A body");
  const pear = await test.post({ title: "Birne", body, _language: "de", status: "published" });
  const apple = await test.post({ title: "Apple", body, code: "a1", status: "published" });
  const french = { title: "Pomme", body, code: "f1", status: "published" };
  assertEquals((await test.translate(apple.id, "fr", french)).status, 201);
  await test.runner.drain();
  test.context.advance(3_600_000);
  assertEquals(told(await findingsOf(test)), []);

  const { store } = test.context;
  const slug = (language: string, name: string) => languageSlugKey(collectionId, language, name);
  const valueKey = uniqueKey(collectionId, `${fieldKey}@fr`, valueHash("f1"));
  const broken: [expected: string[], break_: Operation][] = [
    [
      [`slugs: document ${apple.id}: its slug "pomme" in fr is not reserved +`],
      new Operation().delete(slug("fr", "pomme")),
    ],
    [
      [`slugs: document ${pear.id}: its slug "birne" in de is not reserved +`],
      new Operation().delete(slug("de", "birne")),
    ],
    [
      [`slugs: document ${apple.id}: has reserved "poire" in fr and does not use it +`],
      new Operation().set(slug("fr", "poire"), apple.id),
    ],
    [
      [`slugs: document ${NO_ID}: has reserved "weg" in de and does not use it +`],
      new Operation().set(slug("de", "weg"), NO_ID),
    ],
    [
      [`unique values: document ${apple.id}: its value of fr.code is not reserved +`],
      new Operation().delete(valueKey),
    ],
    [
      [`unique values: document ${apple.id}: has reserved "${fieldKey}@de" and does not use it +`],
      new Operation().set(uniqueKey(collectionId, `${fieldKey}@de`, valueHash("f1")), apple.id),
    ],
  ];
  for (const [expected, operation] of broken) {
    await store.commit(operation);
    const found = await findingsOf(test);
    assertEquals(told(found), expected);
    for (const { repair } of found) assert(await repair?.());
    assertEquals(told(await findingsOf(test)), []);
  }
  // Another document holds it: that is reported, not repaired.
  await store.commit(new Operation().set(slug("fr", "pomme"), pear.id));
  assertEquals(told(await findingsOf(test)), [
    `slugs: document ${apple.id}: its slug "pomme" in fr is reserved by document ${pear.id}`,
    `slugs: document ${pear.id}: has reserved "pomme" in fr and does not use it +`,
  ]);
});

Deno.test("examine() finds gaps without a note, and notes without a gap", async () => {
  await using it = await site();
  const { test, ids } = it;
  const { context } = test;
  const [a, b] = ids as [string, string];
  const token = await test.token();
  for (const id of [a, b]) {
    for (const extra of ["1", "2", "3", "4"]) {
      await test.call("PATCH", `/api/v1/notes/${id}`, { token, body: { extra } });
    }
  }
  await test.runner.drain();
  test.context.advance(3_600_000);
  const { versions } = await listVersions(context, "document", b, { skip: 0, limit: 9 });
  await nameVersion(context, await getVersionRow(context, versions[1]!.id), "A name");
  const gap = { end: 4, at: 0, sitting: false };
  const gone = new Operation().delete(versionKey("document", a, 2))
    .delete(versionKey("document", a, 3)).delete(versionKey("document", b, 4))
    .set(versionNoteKey("document", b, 3), gap);
  await context.store.commit(gone);

  const found = await it.find();
  assertEquals(told(found), [
    `histories: document ${a} version 4: nothing says what became of the versions since 1 +`,
    `histories: document ${b} version 5: nothing says what became of the versions since 3 +`,
    `histories: document ${b} version 3: it is there, although a note tells that it was pruned +`,
    `histories: document ${b} version 4: it is called "A name" and is not there +`,
  ]);
  for (const { repair } of found) await repair!();
  for (const { repair } of await it.find()) assert(await repair!());
  assertEquals(told(await it.find()), []);
  for (const [id, left] of [[a, [5, 4, 1]], [b, [5, 3, 2, 1]]] as const) {
    const { total, versions } = await listVersions(context, "document", id, { skip: 0, limit: 9 });
    assertEquals([versions.map(({ version_number: n }) => n), total], [[...left], left.length]);
  }
});

Deno.test("examine() finds documents that lists, references and search have lost", async () => {
  await using it = await site();
  const { test, collectionId, ids } = it;
  const { store } = test.context;
  const shards = await store.listAll({ prefix: shardRowPrefix("references") });
  const operation = new Operation();
  for (const { key } of shards) operation.delete(key);
  for (const { key } of await store.listAll({ prefix: indexPrefix(collectionId) })) {
    if (key.includes(ids[0]!)) operation.delete(key);
  }
  for (const { key } of await store.listAll({ prefix: ["search"] })) operation.delete(key);
  await store.commit(operation);
  const fresh = await it.find();
  const checks = new Set(fresh.map(({ check }) => check));
  assert(checks.has("references") && checks.has("search"), told(fresh).join("\n"));
  for (const { repair } of fresh) await repair!();
  assertEquals(told(await it.find()), []);
});

Deno.test("examine() finds documents that search in languages has lost, or still shows", async () => {
  await using test = await multilingual();
  const values = { title: "Apple", body: paragraph("Red"), status: "published" };
  const [lost = "", shown = "", other = ""] = await Promise.all(
    ["a", "b", "c"].map(async (title) => {
      const { id } = await test.post({ ...values, title });
      await test.translate(id, "fr", values);
      return id;
    }),
  );
  await test.runner.drain();
  // The first search requests that the index is built.
  await test.read("/search?q=apple&language=fr");
  await test.runner.drain();
  test.context.advance(3_600_000);
  assertEquals(told(await findingsOf(test)), []);
  const { store } = test.context;
  const operation = new Operation();
  recordRemoval(operation, "any", postingId(lost, "fr", "filled"), LANGUAGES);
  await store.commit(operation);
  // A change that has not taken the document out of the index.
  const live = currentKey("document", shown);
  const row = (await store.get<{ state: Record<string, unknown> }>(live)).value!;
  await store.commit(new Operation().set(live, { ...row, gone: true }));
  const found = told(await findingsOf(test)).filter((one) => one.startsWith("search"));
  assertEquals(
    found.sort(),
    [
      `search: document ${lost}: is published in fr and not found as it is +`,
      `search: document ${shown}: is found in en as it is not published +`,
      `search: document ${shown}: is found in fr as it is not published +`,
    ].sort(),
  );
  assert(!found.join().includes(other));
  for (const { repair, check } of await findingsOf(test)) if (check === "search") await repair!();
  const left = told(await findingsOf(test)).filter((one) => one.startsWith("search"));
  assertEquals(left, []);
});

Deno.test("examine() tells of versions and objects that are gone, which nothing can rebuild", async () => {
  await using it = await site();
  const { test, ids } = it;
  const { store, objects } = test.context;
  await store.commit(new Operation().delete(versionKey("document", ids[0]!, 1)));
  for (const { key } of await Array.fromAsync(objects.list("versions/"))) await objects.delete(key);
  const found = await it.find();
  const [state, object] = told(found);
  assertEquals(state, `states: document ${ids[0]}: version 1 is missing`);
  assert(object!.startsWith(`objects: document ${ids[3]} version 1: its object versions/`), object);
  assertEquals(found.length, 2);
  assertEquals(currentKey("document", ids[0]!).length, 3);
});

Deno.test("examine() finds times that no job waits for, such as an end that has passed, and repairs them", async () => {
  await using fixture = await site();
  const { test, ids: [id] } = fixture;
  await test.setUp();
  const end = Math.floor(test.context.now() / 1_000) + 100;
  await test.admin("POST", `/documents/${id}/schedule`, { unpublishAt: end });
  assertEquals(told(await fixture.find()), []);
  // As the end of a publication was lost once: its job is done, and the document is public.
  const operation = new Operation();
  dropJob(operation, "SCHEDULE", scheduledJobId(id!, { unpublishAt: end }), end * 1_000);
  await test.context.store.commit(operation);
  test.context.advance(200_000);
  await test.runner.drain();

  const findings = await fixture.find();
  const at = new Date(end * 1_000).toISOString();
  assertEquals(told(findings), [
    `schedules: document ${id}: it is published and is to be unpublished at ${at}, but no job does it +`,
  ]);
  assert(await findings[0]!.repair!());
  await test.runner.drain();
  assertEquals((await test.admin("GET", `/documents/${id}`)).json.status, "draft");
  assertEquals(told(await fixture.find()), []);
});
