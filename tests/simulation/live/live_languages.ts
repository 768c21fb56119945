/**
 * Live editing of translations under fire: people edit a document and its translations at the same time, in several
 * processes that die and are replaced, while others publish languages and change translations through the API. What
 * each language holds in the end is compared with a model that knows only the last edit of each value.
 *
 * @module
 */
import { flushEditsKind } from "../../../jobs/kinds/flush_edits.ts";
import { createDocument } from "../../../kv/documents/documents.ts";
import { publishLanguages } from "../../../kv/documents/translations/translation_status.ts";
import { writeTranslation } from "../../../kv/documents/translations/translations.ts";
import { type EditOperation, readEditHead, readEdits } from "../../../kv/live/edit_log.ts";
import { LiveHub } from "../../../kv/live/hub.ts";
import { versionPrefix } from "../../../kv/keys.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { type Json, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import type { WorkingCopy } from "../../../kv/model/entities/working_copy.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { Settings } from "../../../kv/sources/settings.ts";
import { type VersionRow, versionState } from "../../../kv/versioning/entities.ts";
import { ReleaseSource } from "../../../kv/versioning/open_releases.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import {
  Outside,
  type SimulatedSite,
  simulatedSite,
  unreliableSite,
} from "../../support/harness/simulated_site.ts";
import { type Acknowledged, isExpected, Person } from "./live.ts";

const PROCESSES = 3;
const FAULT_RATE = 0.03;
/** The language of each person; undefined is the original. */
const PEOPLE = [undefined, "fr", "de", undefined, "fr", "de"];
const TRANSLATIONS = ["fr", "de"];
/** The values that are edited live; `note` is written through the API. */
const EDITED = ["title", "lead"];

/** A language that was published: the version, and the edits that had been accepted before. */
interface Publication {
  language: string;
  n: number;
  after: number;
}

/** What one run has done. */
export interface LanguagesOutcome {
  acknowledged: number;
  published: number;
  restarted: number;
}

/** Runs one seed; throws if an invariant does not hold. */
export async function simulateLiveLanguages(seed: number): Promise<LanguagesOutcome> {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const outside = new Outside();
  const calm = simulatedSite(harness, kv, outside);
  const id = await harness.run(setUp(calm));
  const runner = calm.runner([flushEditsKind(calm.content)]);
  runner.start();

  const start = (rate: number) => {
    const site = unreliableSite(harness, kv, outside, rate);
    const releases = new ReleaseSource(site.content.context);
    return { site, hub: new LiveHub(site.content, { clock: site.process, releases }) };
  };
  const processes = Array.from({ length: PROCESSES }, (_, at) => start(at === 0 ? 0 : FAULT_RATE));
  let restarted = 0;
  let working = true;
  const replaceDead = async () => {
    while (working) {
      await harness.sleep(1_000);
      const dead = processes.findIndex(({ site }) => !site.process.alive);
      if (dead < 0) continue;
      processes[dead] = start(FAULT_RATE);
      restarted += 1;
    }
  };
  const acknowledged: Acknowledged[] = [];
  const people = PEOPLE.map((translation, at) => {
    const edit = (text: string) =>
      harness.chance(0.15)
        ? { set: {}, unset: ["lead"] }
        : { set: { [harness.chance(0.5) ? "title" : "lead"]: text }, unset: [] };
    const habits = { ...(translation && { translation }), edit };
    return new Person(harness, processes, id, `person ${at + 1}`, acknowledged, habits);
  });
  const published: Publication[] = [];
  const notes = new Map<string, string>();
  void replaceDead();
  await harness.run(Promise.all([
    ...people.map((person) => person.work()),
    publishSometimes(harness, calm, id, published),
    ...TRANSLATIONS.map((code) => writeNotes(harness, calm, id, code, notes)),
  ]));
  working = false;
  if (harness.chance(0.5)) { for (const { site } of processes) site.process.kill(); }
  // Long enough for jobs to flush what dead processes have left.
  await harness.pass(200_000);
  await harness.run(checkAll(calm, id, { acknowledged, people, published, notes }));
  await harness.run(runner.stop(100));
  for (const one of processes) await harness.run(stop(harness, one));
  return { acknowledged: acknowledged.length, published: published.length, restarted };
}

/** Stops a process unless it is dead. It may die in doing so, and then its calls never end. */
async function stop(
  harness: Harness,
  { site, hub }: { site: SimulatedSite; hub: LiveHub },
): Promise<void> {
  if (!site.process.alive) return;
  let isStopped = false;
  const stopped = hub.stop().finally(() => isStopped = true);
  while (site.process.alive && !isStopped) await harness.sleep(100);
  if (isStopped) await stopped;
}

async function setUp({ content }: SimulatedSite): Promise<string> {
  const languages = [{ code: "en" }, { code: "fr", fallback: ["en"] }, { code: "de" }];
  await new Settings(content.context).patch(UNATTENDED, { languages });
  const collection = parseCollection({
    slug: "notes",
    name: "Notes",
    localized: true,
    fields: [
      { name: "lead", type: "text", localized: true },
      { name: "note", type: "text", localized: true },
    ],
  });
  await createCollection(content, UNATTENDED, collection);
  const body = { title: "en", status: "published" };
  const { state: { id } } = await createDocument(content, UNATTENDED, "notes", body);
  await writeTranslation(content, UNATTENDED, id, "fr", { title: "fr", status: "published" });
  await writeTranslation(content, UNATTENDED, id, "de", { title: "de" });
  return id;
}

async function publishSometimes(
  harness: Harness,
  { content }: SimulatedSite,
  id: string,
  published: Publication[],
): Promise<void> {
  for (let count = 1; count <= 6; count++) {
    await harness.sleep(harness.random() * 3_000);
    const language = ["en", ...TRANSLATIONS][count % 3] ?? "en";
    const { value: head } = await readEditHead(content.context.store, id);
    const { n } = await publishLanguages(content, UNATTENDED, id, [language]);
    published.push({ language, n, after: head?.seq ?? 0 });
  }
}

/** Changes a translation through the API, as v1 does: also what is public of it. */
async function writeNotes(
  harness: Harness,
  { content }: SimulatedSite,
  id: string,
  code: string,
  notes: Map<string, string>,
): Promise<void> {
  for (let count = 1; count <= 5; count++) {
    await harness.sleep(harness.random() * 3_000);
    const note = `${code} ${count}`;
    await writeTranslation(content, UNATTENDED, id, code, { note }).catch((error) => {
      assert(isExpected(error), `${error}`);
      throw error;
    });
    notes.set(code, note);
  }
}

interface Run {
  acknowledged: Acknowledged[];
  people: Person[];
  published: Publication[];
  notes: Map<string, string>;
}

async function checkAll({ content }: SimulatedSite, id: string, run: Run): Promise<void> {
  const { context } = content;
  const head = (await readEditHead(context.store, id)).value;
  assert(head !== null, "something was edited");
  assertEquals(head.flushed, head.seq, "everything is flushed");
  const operations = await readEdits(context.store, id, 1, head.seq);
  assertEquals(operations.map(({ seq }) => seq), operations.map((_, at) => at + 1), "no gaps");
  for (const { seq, set, unset, language } of run.acknowledged) {
    const kept = operations[seq - 1];
    const found = [kept?.set, kept?.unset, kept?.language];
    assertEquals(found, [set, unset, language], "an acknowledged edit is in its place");
  }

  const rows = await context.store.listAll<VersionRow>({ prefix: versionPrefix("document", id) });
  const states: DocumentState[] = [];
  for (const { value } of rows) {
    states.push(await versionState(context, "document", id, value) as unknown as DocumentState);
  }
  const last = states.at(-1);
  assert(last !== undefined);
  for (const language of ["en", ...TRANSLATIONS]) {
    const expected = modelOf(operations, language);
    const found = seenBy(last, language);
    assertEquals(EDITED.map((name) => found[name] ?? null), EDITED.map((name) => expected[name]));
    assertEquals(found.note ?? null, run.notes.get(language) ?? null);
  }
  for (const publication of run.published) assertPublished(publication, states, operations);
  assertPublicUntouched(rows.map(({ value }) => value), states);
  for (const [at, person] of run.people.entries()) {
    if (!person.isThere || person.view === null) continue;
    const seen = seenBy(last, PEOPLE[at] ?? "en");
    assertEquals(person.view.seq, head.seq, "every editor has received everything");
    assertEquals(
      [...EDITED, "note"].map((name) => person.view?.document[name] ?? null),
      [...EDITED, "note"].map((name) => seen[name] ?? null),
      "every editor sees what is stored",
    );
  }
}

/** The last edit of each value of a language, among the first `count`. */
function modelOf(
  operations: readonly EditOperation[],
  language: string,
  count = operations.length,
): Record<string, Json> {
  const values: Record<string, Json> = { title: language, lead: null };
  for (const { set, unset, language: of = "en" } of operations.slice(0, count)) {
    if (of !== language) continue;
    for (const name of unset) values[name] = null;
    Object.assign(values, set);
  }
  return values;
}

/** One language of a document, flat: what is public, and the working copy. */
function sideOf(state: DocumentState, language: string) {
  const side = language === "en" ? state : state.translations?.[language];
  assert(side !== undefined, `${language} is lost`);
  const { title, data, workingCopy = {}, status } = side;
  const values: WorkingCopy = { title, ...data };
  return { status, values, workingCopy };
}

function seenBy(state: DocumentState, language: string): Record<string, Json> {
  const { values, workingCopy } = sideOf(state, language);
  return { ...values, ...workingCopy };
}

/** A publication takes every edit that was accepted before it, and none halfway. */
function assertPublished(
  { language, n, after }: Publication,
  states: readonly DocumentState[],
  operations: readonly EditOperation[],
): void {
  const state = states[n - 1];
  assert(state !== undefined);
  const { status, values } = sideOf(state, language);
  assertEquals(status, "published");
  const counts = Array.from({ length: operations.length - after + 1 }, (_, at) => after + at);
  const isOne = counts.some((count) => {
    const model = modelOf(operations, language, count);
    return EDITED.every((name) => (values[name] ?? null) === model[name]);
  });
  assert(isOne, `${language} was published as no editor has seen it: ${JSON.stringify(values)}`);
}

/** A flush changes only working copies and drafts. */
function assertPublicUntouched(
  rows: readonly VersionRow[],
  states: readonly DocumentState[],
): void {
  for (const [at, row] of rows.entries()) {
    const [before, after] = [states[at - 1], states[at]];
    if (!row.summary?.startsWith("Edited live") || !before || !after) continue;
    for (const language of ["en", ...TRANSLATIONS]) {
      const [was, is] = [sideOf(before, language), sideOf(after, language)];
      if (was.status === "published") {
        assertEquals(is.values, was.values, `${language} of ${row.n}`);
      }
    }
  }
}
