/**
 * EXPORT, IMPORT, MIGRATE, SCHEMA and SEED with their process killed in the middle: another one goes on, and what
 * comes out is what would have come out.
 *
 * @module
 */
import { assertEquals } from "../support/harness/assert.ts";
import type { GuardedRequest } from "../../jobs/network/guarded_request.ts";
import { checkBackup } from "../../kv/backup/check_backup.ts";
import { createDocument, patchDocument, trashDocument } from "../../kv/documents/documents.ts";
import { scheduleDocument } from "../../kv/documents/status.ts";
import { addAnyJob } from "../support/harness/any_job.ts";
import { currentPrefix, type Key, logPrefix, versionTypePrefix } from "../../kv/keys.ts";
import { jobKey } from "../../kv/jobs/job_keys.ts";
import { parseCollection } from "../../kv/model/input/collection_input.ts";
import { eventsOfRow, type LogRow } from "../../kv/versioning/timeline/log.ts";
import { STATUSES } from "../../kv/model/entities/document.ts";
import { type Json, UNATTENDED } from "../../kv/model/entities/entity.ts";
import { ENTITY_TYPES } from "../../kv/model/entities/entity_kinds.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import type { JobType } from "../../kv/jobs/job_contracts.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { exportPath, importPath } from "../../kv/objects/paths.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { patchField } from "../../kv/schema/fields.ts";
import { schemaFiles, schemaTag } from "../../kv/schema/files/schema_files.ts";
import { beginPush } from "../../kv/schema/files/schema_push.ts";
import type { JsonObject } from "../../kv/model/values/json_object.ts";
import { Operation, type StoredEntry } from "../../kv/store/operation.ts";
import { FaultyObjects } from "../support/stores/faulty_objects.ts";
import { type KvPlan, SimulatedKv } from "../support/harness/simulated_kv.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../support/harness/simulated_site.ts";
import { Harness, seededRandom } from "../support/harness/harness.ts";
import { isWholeRun } from "../support/harness/whole_run.ts";

const ID = "01JD0000000000000000000000";
const SEED = 7;

/** A site at some moment of a scenario. */
export interface Fixture {
  harness: Harness;
  kv: SimulatedKv;
  objects: MemoryObjects;
  /** A process that runs no jobs and never fails. */
  client: SimulatedSite;
  /** What the network answers; without it there is none. */
  request?: GuardedRequest;
}

/** A job that is due, and what must come of it. */
export interface Scenario {
  fixture: Fixture;
  jobId: string;
  /** What is the same however the job came about. */
  outcomeOf: (fixture: Fixture, job: JobRecord) => unknown;
}

/** How large a site is: with a state beyond the object store's threshold and many versions, or as small as can be. */
export type Size = "tiny" | "full";

/** A site with nothing in it. */
export function emptyFixture(seed = SEED): Fixture {
  const harness = new Harness(seed);
  const kv = new SimulatedKv();
  const objects = new MemoryObjects({ now: () => harness.now });
  return { harness, kv, objects, client: simulatedSite(harness, kv, new Outside(), { objects }) };
}

async function fork({ harness, kv, objects, ...more }: Fixture): Promise<Fixture> {
  const next = harness.fork(SEED);
  let copying: number | null = null;
  const copied = new MemoryObjects({ now: () => copying ?? next.now });
  for await (const { key, modifiedAt } of objects.list("")) {
    copying = modifiedAt;
    await copied.put(key, (await objects.get(key))!);
  }
  copying = null;
  const store = kv.fork();
  const client = simulatedSite(next, store, new Outside(), { objects: copied });
  return { ...more, harness: next, kv: store, objects: copied, client };
}

/** Fills a site with documents. */
export async function fill({ harness, client: { content } }: Fixture, size: Size): Promise<void> {
  await harness.run((async () => {
    const fields = [
      { name: "size", label: "Size", type: "text", indexed: true, sortable: true },
      { name: "code", label: "Code", type: "text", unique: true },
      { name: "extra", label: "Extra", type: "json" },
    ];
    const input = parseCollection({ slug: "posts", name: "Posts", fields });
    await createCollection(content, UNATTENDED, input);
    const ids: string[] = [];
    const sizes = size === "tiny" ? ["10", "large"] : ["10", "9", "large", "1e2", "", "7"];
    for (const [n, size] of sizes.entries()) {
      const body: Record<string, Json> = { title: `Post ${n}`, size, code: `c${n}` };
      if (n === 2) body.extra = "x".repeat(230_000);
      if (n < 2) body.status = "published";
      ids.push((await createDocument(content, UNATTENDED, "posts", body)).state.id);
    }
    await patchDocument(content, UNATTENDED, ids[0]!, { slug: "moved" });
    if (size === "tiny") return;
    await trashDocument(content, UNATTENDED, ids[4]!);
    await scheduleDocument(content, UNATTENDED, ids[5]!, 4_000_000_000);
  })());
}

/** What befalls a process. */
export interface Fate {
  plan: KvPlan;
  /** The number of the call of the store or of the objects before which it dies. */
  diesAt?: number;
}

/** Lets processes run the jobs: those that are planned to die first, then one that lives. */
export async function play(
  { fixture: base, jobId }: Pick<Scenario, "fixture" | "jobId">,
  fates: Fate[],
  objectPlan: () => "none" | "before" = () => "none",
): Promise<{ fixture: Fixture; calls: number; job: JobRecord; diedIn: string | null }> {
  const fixture = await fork(base);
  const { harness, kv, objects, request } = fixture;
  const jobNow = () => kv.read(jobKey(jobId)).value as JobRecord | null;
  const isOver = () => ["done", "failed"].includes(jobNow()?.state ?? "");
  let calls = 0;
  const doomed = fates.map(({ plan, diesAt }) => {
    const site: SimulatedSite = simulatedSite(harness, kv, new Outside(), {
      plan: (call) => ++calls === diesAt ? "die_before" : plan(call),
      objects: new FaultyObjects(objects, () => {
        if (++calls !== diesAt) return objectPlan();
        site.process.kill();
        return new Promise(() => {});
      }),
      ...(request && {
        request: (call) => {
          if (++calls !== diesAt) return request(call);
          site.process.kill();
          return new Promise(() => {});
        },
      }),
    });
    return site;
  });
  for (const one of doomed) one.siteRunner().start();
  for (let second = 0; second < 60 && !isOver(); second++) {
    await harness.pass(1_000);
    if (doomed.every(({ process }) => !process.alive)) break;
  }
  for (const one of doomed) one.process.kill();
  const diedIn = jobNow()?.step ?? null;
  const last = simulatedSite(harness, kv, new Outside(), { objects, ...(request && { request }) });
  last.siteRunner().start();
  for (let round = 0; round < 300 && !isOver(); round++) await harness.pass(5_000);
  last.process.kill();
  return { fixture, calls, job: jobNow()!, diedIn };
}

/** Never disturbed. */
const UNDISTURBED: Fate = { plan: () => "none" };

/**
 * Kills the process before some of its calls, one after the other; answers how many calls there are. `onKilled` gets the
 * step in which it died.
 */
export async function killAt(
  scenario: Scenario,
  chosen: (calls: number) => number[],
  onKilled: (step: string | null) => void = () => {},
): Promise<number> {
  const undisturbed = await play(scenario, [UNDISTURBED]);
  assertEquals([undisturbed.job.state, undisturbed.job.error], ["done", null]);
  const expected = await scenario.outcomeOf(undisturbed.fixture, undisturbed.job);
  for (const diesAt of chosen(undisturbed.calls)) {
    const { fixture, job, diedIn } = await play(scenario, [{ ...UNDISTURBED, diesAt }]);
    onKilled(diedIn);
    assertEquals(job.state, "done", `dies before call ${diesAt}: ${job.error}`);
    assertEquals(await scenario.outcomeOf(fixture, job), expected, `dies before call ${diesAt}`);
  }
  return undisturbed.calls;
}

/** Adds a job; answers its id. */
export async function addTo(fixture: Fixture, type: JobType, payload: Json): Promise<string> {
  const { harness, client: { context } } = fixture;
  const operation = new Operation();
  const id = addAnyJob(operation, context, { type, payload });
  await harness.run(context.store.commit(operation));
  return id;
}

const TYPES = ENTITY_TYPES.flatMap((type) => [currentPrefix(type), versionTypePrefix(type)]);

/** Everything of entities, byte for byte, with the keys that are made of them. */
export function contentsOf({ kv }: Fixture) {
  const families: Key[] = [
    ...TYPES,
    ["state_chunk"],
    ["version_id"],
    ["slug"],
    ["unique"],
    ["old_slug"],
    ["field_key"],
  ];
  const rows = families.flatMap((family) => kv.dump(family).map(({ key, value }) => [key, value]));
  // Which events share a row does not matter.
  const events = ENTITY_TYPES.flatMap((type) =>
    kv.dump(logPrefix(type)).flatMap((row) => eventsOfRow(row as StoredEntry<LogRow>))
      .map(({ at, id, n, kind }) => JSON.stringify([type, at, id, n, kind])).sort()
  );
  return [...rows, ...events];
}

async function listOf({ harness, client: { content } }: Fixture): Promise<string[]> {
  const { collections } = await harness.run(content.schema.current());
  const { rows } = await harness.run(content.index.list({
    collections,
    statuses: STATUSES,
    sort: [{ by: "title", descending: false }],
    offset: 0,
    limit: 100,
  }));
  return rows.map(({ id, n }) => `${id} ${n}`);
}

/** A back-up is made. */
export async function exportScenario(size: Size): Promise<Scenario> {
  const fixture = emptyFixture();
  await fill(fixture, size);
  const jobId = await addTo(fixture, "EXPORT", { reason: "manual" });
  const outcomeOf = async ({ objects }: Fixture) => {
    const packed = await objects.getStream(exportPath(jobId));
    const { errors, manifest } = await checkBackup(packed!, { pause: () => Promise.resolve() });
    assertEquals(errors, []);
    return manifest!.tables;
  };
  return { fixture, jobId, outcomeOf };
}

/** A site that has changed since the back-up that waits to be imported. */
export async function importScenario(size: Size): Promise<Scenario & { before: Fixture }> {
  const { fixture: site, jobId: exportId } = await exportScenario(size);
  const { fixture } = await play({ fixture: site, jobId: exportId }, []);
  const before = await fork(fixture);
  const { harness, objects, client: { content } } = fixture;
  await objects.put(importPath(ID), (await objects.get(exportPath(exportId)))!);
  await harness.run((async () => {
    await createDocument(content, UNATTENDED, "posts", { title: "Later", code: "later" });
    const other = parseCollection({ slug: "other", name: "Other", fields: [] });
    await createCollection(content, UNATTENDED, other);
    await createDocument(content, UNATTENDED, "other", { title: "There" });
    const [first] = (await listOf(fixture)).map((row) => row.split(" ")[0]!);
    await patchDocument(content, UNATTENDED, first!, { title: "Changed", slug: "changed" });
  })());
  const jobId = await addTo(fixture, "IMPORT", { importId: ID, userId: ID });
  const expected = contentsOf(before);
  const outcomeOf = async (after: Fixture) => {
    assertEquals(contentsOf(after), expected);
    assertEquals(await listOf(after), await listOf(before));
    return await Array.fromAsync(after.objects.list("imports/"));
  };
  return { fixture, jobId, outcomeOf, before };
}

/** A field changes its type; its values stay unique. */
export async function migrateScenario(size: Size): Promise<Scenario> {
  const fixture = emptyFixture();
  await fill(fixture, size);
  const { harness, client: { content } } = fixture;
  const [name, change]: [string, Record<string, Json>] = size === "tiny"
    ? ["code", { type: "select", options: { choices: ["c0", "c1"] } }]
    : ["size", { type: "number" }];
  const patched = await harness.run(patchField(content, UNATTENDED, "posts", name, change));
  const { jobId } = patched as { jobId: string };
  const outcomeOf = async ({ kv, harness, client }: Fixture, job: JobRecord) => {
    const { collections: [collection] } = await harness.run(client.content.schema.current());
    const field = collection!.fields.find((field) => field.name === name)!;
    const states = kv.dump(versionTypePrefix("document")).map(({ key, value }) => {
      const { summary, n } = value as { summary: string | null; n: number };
      return [key[2], n, summary];
    });
    const reservations = kv.dump(["unique"]).filter(({ key }) => key[2] === field.key);
    const { documents } = job.results as { documents: { failed: number; lost: Json } };
    const { type, key, unique, uniqueBuilding } = field;
    const told = [documents.failed, documents.lost];
    return [type, key, unique, uniqueBuilding, reservations.map(({ key }) => key), states, told];
  };
  return { fixture, jobId, outcomeOf };
}

/** Files change the schema: new definitions, a type that changes, and steps for values. */
export async function schemaScenario(size: Size): Promise<Scenario> {
  const fixture = emptyFixture();
  await fill(fixture, size);
  const { harness, client: { content } } = fixture;
  const { jobId } = await harness.run((async () => {
    const schema = await content.schema.current();
    const files = structuredClone(schemaFiles(schema));
    const posts = files["collections/posts.json"] as { name: string; fields: JsonObject[] };
    posts.name = "Articles";
    posts.fields[0]!.type = "number";
    posts.fields[2]!.name = "more";
    posts.fields.push({ name: "kind", label: "Kind", type: "text" });
    // More fields than one commit takes.
    const fields = Array.from({ length: size === "full" ? 120 : 0 }, (_, n) => (
      { name: `f${n}`, label: `F${n}`, type: "text" }
    ));
    files["collections/pages.json"] = { slug: "pages", name: "Pages", fields };
    const steps = [
      { op: "default", field: "posts.kind", value: "old" },
      { op: "map", field: "posts.kind", values: { old: "new" } },
    ];
    files["migrations/001.json"] = steps as unknown as JsonObject;
    return await beginPush(content, UNATTENDED, files, schemaTag(schema));
  })());
  const outcomeOf = async ({ kv, harness, client }: Fixture) => {
    const { collections } = await harness.run(client.content.schema.current());
    return [
      collections.map(({ slug, name, fields }) => [
        slug,
        name,
        fields.map(({ name, type, migrating }) => [name, type, migrating]),
      ]),
      kv.dump(versionTypePrefix("document")).map(({ key, value }) => {
        const { summary, n } = value as { summary: string | null; n: number };
        return [key[2], n, summary];
      }),
      kv.dump(currentPrefix("field_definition")).length,
      kv.dump(["schema_migration"]).map(({ key, value }) => [key, value]),
    ];
  };
  return { fixture, jobId, outcomeOf };
}

/** The example site comes to be. */
export async function seedScenario(): Promise<Scenario> {
  const fixture = emptyFixture();
  const jobId = await addTo(fixture, "SEED", {});
  const outcomeOf = ({ kv }: Fixture) => [
    kv.dump(["slug"]).map(({ key, value }) => [key, value]),
    kv.dump(currentPrefix("document")).map(({ key, value }) => [key, (value as { n: number }).n]),
    kv.dump(currentPrefix("media_metadata")).map(({ key }) => key),
    kv.dump(currentPrefix("collection")).map(({ key }) => key),
  ];
  return { fixture, jobId, outcomeOf };
}

/** Places in a run at which a seed has the process killed. */
const KILLS = 6;

/** One of the jobs, killed at some of its calls; the seed says which. */
export async function simulateBackups(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const size = random() < 0.5 ? "tiny" as const : "full" as const;
  const scenarios = [
    exportScenario,
    importScenario,
    migrateScenario,
    schemaScenario,
    seedScenario,
  ];
  const scenario = await scenarios[Math.floor(random() * scenarios.length)]!(size);
  await killAt(
    scenario,
    (calls) => Array.from({ length: KILLS }, () => 1 + Math.floor(random() * calls)),
  );
}

/** Every call. */
export const all = (calls: number) => Array.from({ length: calls }, (_, n) => n + 1);
/** Every call in a whole run, every tenth otherwise. */
export const every = (calls: number) => all(calls).filter((n) => isWholeRun || n % 10 === 1);
/** About so many calls, all over the run. */
export const some = (count: number) => (calls: number) =>
  all(calls).filter((n) => n % Math.max(1, Math.floor(calls / count)) === 1);
