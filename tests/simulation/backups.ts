/**
 * EXPORT, IMPORT, MIGRATE and SEED with their process killed in the middle: another one goes on, and what
 * comes out is what would have come out.
 *
 * @module
 */
import { assertEquals } from "../support/assert.ts";
import { checkBackup } from "../../kv/backup/check_backup.ts";
import { createDocument, patchDocument, trashDocument } from "../../kv/documents/documents.ts";
import { scheduleDocument } from "../../kv/documents/status.ts";
import { addJob } from "../../kv/jobs.ts";
import { jobKey, type Key, livePrefix, logPrefix, versionTypePrefix } from "../../kv/keys.ts";
import { parseCollection } from "../../kv/model/collection_input.ts";
import { STATUSES } from "../../kv/model/document.ts";
import { ENTITY_TYPES, type Json, UNATTENDED } from "../../kv/model/entity.ts";
import type { JobRecord } from "../../kv/model/job.ts";
import type { JobType } from "../../kv/model/job_type.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { exportPath, importPath } from "../../kv/objects/paths.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { patchField } from "../../kv/schema/fields.ts";
import { Operation } from "../../kv/store/operation.ts";
import { FaultyObjects } from "../support/faulty_objects.ts";
import { type KvPlan, SimulatedKv } from "../support/simulated_kv.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../support/simulated_site.ts";
import { seededRandom, World } from "../support/world.ts";

const ID = "01JD0000000000000000000000";
const SEED = 7;

/** A site in the middle of things. */
export interface Scene {
  world: World;
  kv: SimulatedKv;
  objects: MemoryObjects;
  /** A process that runs no jobs and never fails. */
  client: SimulatedSite;
}

/** A job that is due, and what must come of it. */
export interface Plot {
  scene: Scene;
  jobId: string;
  /** What is the same however the job came about. */
  outcomeOf: (scene: Scene, job: JobRecord) => unknown;
}

/** How large a site is: with a state beyond the object store's threshold and many versions, or as small as can be. */
export type Size = "tiny" | "full";

/** A site with nothing in it. */
export function newScene(): Scene {
  const world = new World(SEED);
  const kv = new SimulatedKv();
  const objects = new MemoryObjects({ now: () => world.now });
  return { world, kv, objects, client: simulatedSite(world, kv, new Outside(), { objects }) };
}

async function fork({ world, kv, objects }: Scene): Promise<Scene> {
  const next = world.fork(SEED);
  let copying: number | null = null;
  const copied = new MemoryObjects({ now: () => copying ?? next.now });
  for await (const { key, modifiedAt } of objects.list("")) {
    copying = modifiedAt;
    await copied.put(key, (await objects.get(key))!);
  }
  copying = null;
  const store = kv.fork();
  const client = simulatedSite(next, store, new Outside(), { objects: copied });
  return { world: next, kv: store, objects: copied, client };
}

/** Fills a site with documents. */
export async function fill({ world, client: { content } }: Scene, size: Size): Promise<void> {
  await world.run((async () => {
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
  { scene: base, jobId }: Pick<Plot, "scene" | "jobId">,
  fates: Fate[],
  objectPlan: () => "none" | "before" = () => "none",
): Promise<{ scene: Scene; calls: number; job: JobRecord }> {
  const scene = await fork(base);
  const { world, kv, objects } = scene;
  const jobNow = () => kv.read(jobKey(jobId)).value as JobRecord | null;
  const isOver = () => ["done", "failed"].includes(jobNow()?.state ?? "");
  let calls = 0;
  const doomed = fates.map(({ plan, diesAt }) => {
    const site: SimulatedSite = simulatedSite(world, kv, new Outside(), {
      plan: (call) => ++calls === diesAt ? "die_before" : plan(call),
      objects: new FaultyObjects(objects, () => {
        if (++calls !== diesAt) return objectPlan();
        site.process.kill();
        return new Promise(() => {});
      }),
    });
    return site;
  });
  for (const one of doomed) one.siteRunner().start();
  for (let second = 0; second < 60 && !isOver(); second++) {
    await world.pass(1_000);
    if (doomed.every(({ process }) => !process.alive)) break;
  }
  for (const one of doomed) one.process.kill();
  const last = simulatedSite(world, kv, new Outside(), { objects });
  last.siteRunner().start();
  for (let round = 0; round < 300 && !isOver(); round++) await world.pass(5_000);
  last.process.kill();
  return { scene, calls, job: jobNow()! };
}

/** Never disturbed. */
const UNDISTURBED: Fate = { plan: () => "none" };

/** Kills the process before some of its calls, one after the other; answers how many calls there are. */
export async function killAt(plot: Plot, chosen: (calls: number) => number[]): Promise<number> {
  const undisturbed = await play(plot, [UNDISTURBED]);
  assertEquals([undisturbed.job.state, undisturbed.job.error], ["done", null]);
  const expected = await plot.outcomeOf(undisturbed.scene, undisturbed.job);
  for (const diesAt of chosen(undisturbed.calls)) {
    const { scene, job } = await play(plot, [{ ...UNDISTURBED, diesAt }]);
    assertEquals(job.state, "done", `dies before call ${diesAt}: ${job.error}`);
    assertEquals(await plot.outcomeOf(scene, job), expected, `dies before call ${diesAt}`);
  }
  return undisturbed.calls;
}

/** Adds a job; answers its id. */
export async function addTo(scene: Scene, type: JobType, payload: Json): Promise<string> {
  const { world, client: { context } } = scene;
  const operation = new Operation();
  const id = addJob(operation, context, { type, payload });
  await world.run(context.store.commit(operation));
  return id;
}

const TYPES = ENTITY_TYPES.flatMap((type) => [livePrefix(type), versionTypePrefix(type)]);

/** Everything of entities, byte for byte, with the keys that are made of them. */
export function contentsOf({ kv }: Scene) {
  const families: Key[] = [
    ...TYPES,
    ...ENTITY_TYPES.map(logPrefix),
    ["state_chunk"],
    ["version_id"],
    ["slug"],
    ["unique"],
    ["old_slug"],
    ["field_key"],
  ];
  return families.flatMap((family) => kv.dump(family).map(({ key, value }) => [key, value]));
}

async function listOf({ world, client: { content } }: Scene): Promise<string[]> {
  const { collections } = await world.run(content.schema.current());
  const { rows } = await world.run(content.index.list({
    collections,
    statuses: STATUSES,
    filters: [],
    sort: [{ by: "title", descending: false }],
    offset: 0,
    limit: 100,
  }));
  return rows.map(({ id, n }) => `${id} ${n}`);
}

/** A back-up is made. */
export async function exportPlot(size: Size): Promise<Plot> {
  const scene = newScene();
  await fill(scene, size);
  const jobId = await addTo(scene, "EXPORT", { reason: "manual" });
  const outcomeOf = async ({ objects }: Scene) => {
    const packed = await objects.getStream(exportPath(jobId));
    const { errors, manifest } = await checkBackup(packed!, { pause: () => Promise.resolve() });
    assertEquals(errors, []);
    return manifest!.tables;
  };
  return { scene, jobId, outcomeOf };
}

/** A site that has changed since the back-up that waits to be imported. */
export async function importPlot(size: Size): Promise<Plot & { before: Scene }> {
  const { scene: site, jobId: exportId } = await exportPlot(size);
  const { scene } = await play({ scene: site, jobId: exportId }, []);
  const before = await fork(scene);
  const { world, objects, client: { content } } = scene;
  await objects.put(importPath(ID), (await objects.get(exportPath(exportId)))!);
  await world.run((async () => {
    await createDocument(content, UNATTENDED, "posts", { title: "Later", code: "later" });
    const other = parseCollection({ slug: "other", name: "Other", fields: [] });
    await createCollection(content, UNATTENDED, other);
    await createDocument(content, UNATTENDED, "other", { title: "There" });
    const [first] = (await listOf(scene)).map((row) => row.split(" ")[0]!);
    await patchDocument(content, UNATTENDED, first!, { title: "Changed", slug: "changed" });
  })());
  const jobId = await addTo(scene, "IMPORT", { importId: ID, userId: ID });
  const expected = contentsOf(before);
  const outcomeOf = async (after: Scene) => {
    assertEquals(contentsOf(after), expected);
    assertEquals(await listOf(after), await listOf(before));
    return await Array.fromAsync(after.objects.list("imports/"));
  };
  return { scene, jobId, outcomeOf, before };
}

/** A field changes its type; its values stay unique. */
export async function migratePlot(size: Size): Promise<Plot> {
  const scene = newScene();
  await fill(scene, size);
  const { world, client: { content } } = scene;
  const [name, change]: [string, Record<string, Json>] = size === "tiny"
    ? ["code", { type: "select", options: { choices: ["c0", "c1"] } }]
    : ["size", { type: "number" }];
  const patched = await world.run(patchField(content, UNATTENDED, "posts", name, change));
  const { jobId } = patched as { jobId: string };
  const outcomeOf = async ({ kv, world, client }: Scene, job: JobRecord) => {
    const { collections: [collection] } = await world.run(client.content.schema.current());
    const field = collection!.fields.find((field) => field.name === name)!;
    const states = kv.dump(versionTypePrefix("document")).map(({ key, value }) => {
      const { summary, n } = value as { summary: string | null; n: number };
      return [key[2], n, summary];
    });
    const claims = kv.dump(["unique"]).filter(({ key }) => key[2] === field.key);
    const { documents } = job.results as { documents: { failed: number; lost: Json } };
    const { type, key, unique, uniqueBuilding } = field;
    const told = [documents.failed, documents.lost];
    return [type, key, unique, uniqueBuilding, claims.map(({ key }) => key), states, told];
  };
  return { scene, jobId, outcomeOf };
}

/** The example site comes to be. */
export async function seedPlot(): Promise<Plot> {
  const scene = newScene();
  const jobId = await addTo(scene, "SEED", {});
  const outcomeOf = ({ kv }: Scene) => [
    kv.dump(["slug"]).map(({ key, value }) => [key, value]),
    kv.dump(livePrefix("document")).map(({ key, value }) => [key, (value as { n: number }).n]),
    kv.dump(livePrefix("media_metadata")).map(({ key }) => key),
    kv.dump(livePrefix("collection")).map(({ key }) => key),
  ];
  return { scene, jobId, outcomeOf };
}

/** Places in a run at which a seed has the process killed. */
const KILLS = 6;

/** One of the jobs, killed at some of its calls; the seed says which. */
export async function simulateBackups(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const size = random() < 0.5 ? "tiny" as const : "full" as const;
  const plots = [exportPlot, importPlot, migratePlot, seedPlot];
  const plot = await plots[Math.floor(random() * plots.length)]!(size);
  await killAt(
    plot,
    (calls) => Array.from({ length: KILLS }, () => 1 + Math.floor(random() * calls)),
  );
}
