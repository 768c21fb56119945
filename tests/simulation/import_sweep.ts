/**
 * An import beside sweeps of media, in processes that are slow and die: media that a back-up names have
 * their bytes afterwards, or the import says that they are missing.
 *
 * @module
 */
import { SWEEP_START, sweepMedia } from "../../jobs/kinds/sweep_media.ts";
import type { Context } from "../../kv/context.ts";
import type { JobRecord } from "../../kv/jobs/job.ts";
import { jobKey } from "../../kv/jobs/job_keys.ts";
import { createMedia, deleteMedia, findMedia } from "../../kv/media/media.ts";
import { storeUpload } from "../../kv/media/upload.ts";
import type { MediaState } from "../../kv/model/entities/media.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { exportPath, importPath, mediaPath } from "../../kv/objects/paths.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { type Fault, FaultyObjects } from "../support/stores/faulty_objects.ts";
import { paddedPng } from "../support/sites/images.ts";
import { streamOf } from "../support/stores/object_store_contract.ts";
import { Outside, type SimulatedSite, simulatedSite } from "../support/harness/simulated_site.ts";
import { addTo, emptyFixture, fill, type Fixture } from "./backups.ts";

const DAY_MS = 86_400_000;
/** Under which id a back-up lies ready. */
export const IMPORT_ID = "01JD0000000000000000000000";
const MEDIA_COUNT = 4;
const PROCESSES = 2;
/** Longer than an import waits for a sweep whose process has died, seconds. */
const PATIENCE_SECONDS = 7_200;

/** How many of the media of a back-up came back with their bytes, and without. */
export interface ImportSweepCounts {
  kept: number;
  missing: number;
}

/** Runs one seed; throws when something that must hold does not. */
export async function simulateImportSweep(seed: number): Promise<ImportSweepCounts> {
  const fixture = emptyFixture(seed);
  const { harness, client: { context } } = fixture;
  await fill(fixture, "tiny");
  const media = await harness.run(makeMedia(context));
  const withBytes = harness.chance(0.3);
  await backUp(fixture, withBytes);
  await forget(fixture, media);

  const doomed = Array.from({ length: PROCESSES }, () => slowSite(fixture));
  for (const one of doomed) one.siteRunner().start();
  const importId = await addTo(fixture, "IMPORT", { importId: IMPORT_ID, userId: IMPORT_ID });
  for (let sweep = 0; sweep < 6; sweep++) {
    await addTo(fixture, "SWEEP_MEDIA", {});
    await harness.pass(harness.random() * 3_000);
  }
  const survivor = slowSite(fixture, 0);
  survivor.siteRunner().start();
  const job = await finish(fixture, importId);
  await finish(fixture, await addTo(fixture, "SWEEP_MEDIA", {}));
  for (const one of [...doomed, survivor]) one.process.kill();

  assertEquals([job.state, job.error], ["done", null]);
  const kept = await harness.run(countKept(context, media));
  const { missing } = job.results.bytes as { missing: number };
  assertEquals(MEDIA_COUNT - kept, missing, "what has no bytes is said to be missing");
  if (withBytes) assertEquals(missing, 0, "the back-up brings what is missing");
  return { kept, missing };
}

async function makeMedia(context: Context): Promise<MediaState[]> {
  const media: MediaState[] = [];
  for (let n = 0; n < MEDIA_COUNT; n++) {
    const upload = await storeUpload(context, streamOf(paddedPng(500 + n)));
    media.push(await createMedia(context, UNATTENDED, upload, { filename: `${n}.png`, alt: "" }));
  }
  return media;
}

/** A back-up lies ready to be imported. */
export async function backUp(fixture: Fixture, withBytes: boolean): Promise<void> {
  const { harness, kv, objects } = fixture;
  const site = simulatedSite(harness, kv, new Outside(), { objects });
  site.siteRunner().start();
  const jobId = await addTo(fixture, "EXPORT", { reason: "manual", media: withBytes });
  assertEquals((await finish(fixture, jobId)).state, "done");
  site.process.kill();
  await objects.put(importPath(IMPORT_ID), (await objects.get(exportPath(jobId)))!);
}

/** The media are removed for good; the bytes are still there, or the rows too. */
async function forget({ harness, client: { context } }: Fixture, media: MediaState[]) {
  await harness.run((async () => {
    for (const { id } of media) await deleteMedia(context, UNATTENDED, id);
  })());
  harness.now += 31 * DAY_MS;
  if (harness.chance(0.7)) await harness.run(sweepMedia(context, SWEEP_START));
}

/** A process whose calls take their time; it may die. */
function slowSite({ harness, kv, objects }: Fixture, mortality = 0.002): SimulatedSite {
  const site: SimulatedSite = simulatedSite(harness, kv, new Outside(), {
    plan: () => harness.chance(mortality) ? "die_before" : harness.chance(0.1) ? "slow" : "none",
    objects: new FaultyObjects(objects, async (): Promise<Fault> => {
      await (harness.chance(0.3) ? harness.sleep(harness.random() * 2_000) : harness.turn());
      await site.process.awake();
      return "none";
    }),
  });
  return site;
}

/** Lets time pass until a job has ended. */
export async function finish({ harness, kv }: Fixture, jobId: string): Promise<JobRecord> {
  for (let seconds = 0; seconds < PATIENCE_SECONDS; seconds += 5) {
    const job = kv.read(jobKey(jobId)).value as JobRecord;
    if (job.state === "done" || job.state === "failed") return job;
    await harness.pass(5_000);
  }
  throw new Error(`The job comes to no end: ${JSON.stringify(kv.read(jobKey(jobId)).value)}`);
}

/** How many of the media have their bytes; all are there again. */
async function countKept(context: Context, media: MediaState[]): Promise<number> {
  let kept = 0;
  for (const { id, object } of media) {
    assert(await findMedia(context, id) !== null, `${id} is not there again`);
    if (await context.objects.head(mediaPath(object)) !== null) kept += 1;
  }
  return kept;
}
