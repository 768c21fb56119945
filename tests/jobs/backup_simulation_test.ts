/**
 * EXPORT, IMPORT, MIGRATE and SEED with their process killed in the middle: another one goes on, and what
 * comes out is what would have come out.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { checkBackup } from "../../kv/backup/check_backup.ts";
import { createCollection } from "../../kv/schema/collections.ts";
import { createDocument, patchDocument, trashDocument } from "../../kv/documents/documents.ts";
import { scheduleDocument } from "../../kv/documents/status.ts";
import { patchField } from "../../kv/schema/fields.ts";
import { addJob } from "../../kv/jobs.ts";
import { jobKey, type Key, livePrefix, logPrefix, versionTypePrefix } from "../../kv/keys.ts";
import { parseCollection } from "../../kv/model/collection_input.ts";
import { STATUSES } from "../../kv/model/document.ts";
import { ENTITY_TYPES, type Json, UNATTENDED } from "../../kv/model/entity.ts";
import type { JobRecord } from "../../kv/model/job.ts";
import type { JobType } from "../../kv/model/job_type.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { exportPath, importPath } from "../../kv/objects/paths.ts";
import { Operation } from "../../kv/store/operation.ts";
import { FaultyObjects } from "../support/faulty_objects.ts";
import { type KvPlan, SimulatedKv } from "../support/simulated_kv.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../support/simulated_site.ts";
import { seededRandom, World } from "../support/world.ts";

const ID = "01JD0000000000000000000000";
/** Places at which a process is killed, of all its calls. */
const KILLS = 14;

interface Scene {
  world: World;
  kv: SimulatedKv;
  objects: MemoryObjects;
  /** A process that runs no jobs and never fails. */
  client: SimulatedSite;
}

function newScene(): Scene {
  const world = new World(7);
  const kv = new SimulatedKv();
  const objects = new MemoryObjects({ now: () => world.now });
  return { world, kv, objects, client: simulatedSite(world, kv, new Outside(), { objects }) };
}

async function fork({ world, kv, objects }: Scene): Promise<Scene> {
  const next = world.fork(7);
  const copied = new MemoryObjects({ now: () => next.now });
  for await (const { key } of objects.list("")) await copied.put(key, (await objects.get(key))!);
  const store = kv.fork();
  const client = simulatedSite(next, store, new Outside(), { objects: copied });
  return { world: next, kv: store, objects: copied, client };
}

async function fill({ world, client: { content } }: Scene): Promise<void> {
  await world.run((async () => {
    const fields = [
      { name: "size", label: "Size", type: "text", indexed: true, sortable: true },
      { name: "code", label: "Code", type: "text", unique: true },
      { name: "extra", label: "Extra", type: "json" },
    ];
    const input = parseCollection({ slug: "posts", name: "Posts", fields });
    await createCollection(content, UNATTENDED, input);
    const ids: string[] = [];
    for (const [n, size] of ["10", "9", "large", "1e2", "", "7"].entries()) {
      const body: Record<string, Json> = { title: `Post ${n}`, size, code: `c${n}` };
      if (n === 2) body.extra = "x".repeat(230_000);
      if (n < 2) body.status = "published";
      ids.push((await createDocument(content, UNATTENDED, "posts", body)).state.id);
    }
    await patchDocument(content, UNATTENDED, ids[0]!, { slug: "moved" });
    await trashDocument(content, UNATTENDED, ids[4]!);
    await scheduleDocument(content, UNATTENDED, ids[5]!, 4_000_000_000);
  })());
}

/** Lets processes run the jobs: those that are planned to die first, then one that lives. */
async function play(
  base: Scene,
  jobId: string,
  plans: KvPlan[],
  objectPlan?: () => "none" | "before",
): Promise<{ scene: Scene; calls: number; job: JobRecord }> {
  const scene = await fork(base);
  const { world, kv, objects } = scene;
  const jobNow = () => kv.read(jobKey(jobId)).value as JobRecord | null;
  const isOver = () => ["done", "failed"].includes(jobNow()?.state ?? "");
  const doomed = plans.map((plan) =>
    simulatedSite(world, kv, new Outside(), {
      objects: new FaultyObjects(objects, objectPlan),
      plan,
    })
  );
  for (const one of doomed) one.siteRunner().start();
  for (let second = 0; second < 60 && !isOver(); second++) {
    await world.pass(1_000);
    if (doomed.every(({ process }) => !process.alive)) break;
  }
  const calls = doomed[0]?.driver.calls ?? 0;
  for (const one of doomed) one.process.kill();
  const last = simulatedSite(world, kv, new Outside(), { objects });
  last.siteRunner().start();
  for (let round = 0; round < 300 && !isOver(); round++) await world.pass(5_000);
  await world.pass(10_000);
  last.process.kill();
  return { scene, calls, job: jobNow()! };
}

/** Kills the process at places all over its run, before and after the call. */
async function killEverywhere(
  base: Scene,
  jobId: string,
  outcomeOf: (scene: Scene, job: JobRecord) => unknown,
  kills = KILLS,
): Promise<void> {
  const undisturbed = await play(base, jobId, [() => "none"]);
  assertEquals([undisturbed.job.state, undisturbed.job.error], ["done", null]);
  const expected = await outcomeOf(undisturbed.scene, undisturbed.job);
  const stride = Math.max(1, Math.floor(undisturbed.calls / kills));
  for (let n = 1; n <= undisturbed.calls; n += stride) {
    for (const fault of ["die_before", "die_after"] as const) {
      const plan: KvPlan = (call) => call.n === n ? fault : "none";
      const { scene, job } = await play(base, jobId, [plan]);
      assertEquals(job.state, "done", `${fault} call ${n}: ${job.error}`);
      assertEquals(await outcomeOf(scene, job), expected, `${fault} call ${n}`);
    }
  }
}

async function addTo(scene: Scene, type: JobType, payload: Json): Promise<string> {
  const { world, client: { context } } = scene;
  const operation = new Operation();
  const id = addJob(operation, context, { type, payload });
  await world.run(context.store.commit(operation));
  return id;
}

const TYPES = ENTITY_TYPES.flatMap((type) => [livePrefix(type), versionTypePrefix(type)]);

/** Everything of entities, byte for byte, with the keys that are made of them. */
function contentsOf({ kv }: Scene) {
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

/** A site that has changed since the back-up that waits to be imported. */
async function importScene(): Promise<{ scene: Scene; jobId: string; before: Scene }> {
  const scene = newScene();
  await fill(scene);
  const exportId = await addTo(scene, "EXPORT", { reason: "manual" });
  const { scene: exported } = await play(scene, exportId, []);
  const before = await fork(exported);
  const { world, objects, client: { content } } = exported;
  await objects.put(importPath(ID), (await objects.get(exportPath(exportId)))!);
  await world.run((async () => {
    await createDocument(content, UNATTENDED, "posts", { title: "Later", code: "later" });
    const other = parseCollection({ slug: "other", name: "Other", fields: [] });
    await createCollection(content, UNATTENDED, other);
    await createDocument(content, UNATTENDED, "other", { title: "There" });
    const [first] = (await listOf(exported)).map((row) => row.split(" ")[0]!);
    await patchDocument(content, UNATTENDED, first!, { title: "Changed", slug: "changed" });
  })());
  const jobId = await addTo(exported, "IMPORT", { importId: ID, userId: ID });
  return { scene: exported, jobId, before };
}

Deno.test("EXPORT ends the same wherever its process is killed", async () => {
  const scene = newScene();
  await fill(scene);
  const jobId = await addTo(scene, "EXPORT", { reason: "manual" });
  await killEverywhere(scene, jobId, async ({ objects }) => {
    const packed = await objects.getStream(exportPath(jobId));
    const { errors, manifest } = await checkBackup(packed!, { pause: () => Promise.resolve() });
    assertEquals(errors, []);
    return manifest!.tables;
  });
});

Deno.test("IMPORT ends the same wherever its process is killed", async () => {
  const { scene, jobId, before } = await importScene();
  const expected = contentsOf(before);
  await killEverywhere(scene, jobId, async (after) => {
    assertEquals(contentsOf(after), expected);
    assertEquals(await listOf(after), await listOf(before));
    return await Array.fromAsync(after.objects.list("imports/"));
  });
});

Deno.test("IMPORT ends the same with two runners and failing stores", async () => {
  const { scene, jobId, before } = await importScene();
  const expected = contentsOf(before);
  for (let seed = 1; seed <= 4; seed++) {
    const random = seededRandom(seed);
    const plan: KvPlan = ({ method }) => {
      if (random() > 0.01) return "none";
      if (method !== "commit") return "before";
      return (["before", "after", "late", "locked"] as const)[Math.floor(random() * 4)]!;
    };
    const objectPlan = () => random() < 0.01 ? "before" as const : "none" as const;
    const { scene: after, job } = await play(scene, jobId, [plan, plan], objectPlan);
    assertEquals([job.state, job.error], ["done", null], `seed ${seed}`);
    assertEquals(contentsOf(after), expected, `seed ${seed}`);
  }
});

Deno.test("MIGRATE ends the same wherever its process is killed", async () => {
  const scene = newScene();
  await fill(scene);
  const { world, client: { content } } = scene;
  const patched = await world.run(
    patchField(content, UNATTENDED, "posts", "size", { type: "number" }),
  );
  assert("jobId" in patched);
  await killEverywhere(scene, patched.jobId, async ({ kv, world, client }, job) => {
    const { collections: [collection] } = await world.run(client.content.schema.current());
    const field = collection!.fields.find(({ name }) => name === "size")!;
    const states = kv.dump(versionTypePrefix("document")).map(({ key, value }) => {
      const { summary, n } = value as { summary: string | null; n: number };
      return [key[2], n, summary];
    });
    const { documents } = job.results as { documents: { failed: number; lost: Json } };
    return [field.type, field.key, states, documents.failed, documents.lost];
  });
});

Deno.test("SEED ends the same wherever its process is killed", async () => {
  const scene = newScene();
  const jobId = await addTo(scene, "SEED", {});
  await killEverywhere(scene, jobId, ({ kv }) => [
    kv.dump(["slug"]).map(({ key, value }) => [key, value]),
    kv.dump(livePrefix("document")).map(({ key, value }) => [key, (value as { n: number }).n]),
    kv.dump(livePrefix("media_metadata")).map(({ key }) => key),
    kv.dump(livePrefix("collection")).map(({ key }) => key),
  ], 3);
});
