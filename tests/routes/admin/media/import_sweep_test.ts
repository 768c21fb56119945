/** An import beside a sweep of objects: what the back-up names is not removed. */
import { SWEEP_START, sweepMedia, type SweepPosition } from "../../../../jobs/kinds/sweep_media.ts";
import { withSweepLease } from "../../../../kv/media/sweep_lease.ts";
import { mediaPath } from "../../../../kv/objects/paths.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  type Admin,
  download,
  finishJob,
  importTarball,
  pictureForm,
  setUpAdmin,
  signIn,
} from "../../../support/sites/backups.ts";

const DAY = 86_400_000;

/** A back-up that names an image, of which the present site has nothing left but the bytes. */
async function forgottenImage(app: TestApp): Promise<{
  admin: Admin;
  tarball: Uint8Array<ArrayBuffer>;
  id: string;
  path: string;
}> {
  const admin = await setUpAdmin(app);
  const { id } = (await admin.ask("POST", "/media", undefined, pictureForm())).json;
  const tarball = await download(app, admin);
  const objects = await Array.fromAsync(app.context.objects.list(mediaPath("")));
  assertEquals(objects.length, 1);
  await admin.ask("DELETE", `/media/${id}`);
  app.context.advance(31 * DAY);
  // Only the first stage: the rows are gone, the bytes are next.
  await sweepMedia(app.context, SWEEP_START);
  return { admin: await signIn(app), tarball, id, path: objects[0]!.key };
}

async function sweepAll(app: TestApp): Promise<void> {
  for (let position: SweepPosition | null = SWEEP_START; position !== null;) {
    position = (await sweepMedia(app.context, position)).next;
  }
}

Deno.test("import: a sweep in its middle leaves the bytes that the back-up names", async () => {
  await using app = await testApp();
  const { admin, tarball, id, path } = await forgottenImage(app);
  const { objects } = app.context;
  const head = objects.head.bind(objects);
  let sweeps = 0;
  // The import has just found the bytes, so it does not bring its own.
  objects.head = async (key) => {
    const found = await head(key);
    if (key === path && sweeps++ === 0) await sweepAll(app);
    return found;
  };

  const job = await importTarball(app, admin, tarball);

  assertEquals([job.state, job.error], ["done", null]);
  assert(sweeps > 0, "no sweep ran in the middle");
  assertEquals(job.results.bytes, { restored: 0, missing: 0, named: [] });
  assert(await head(path) !== null, "the bytes are gone");
  assertEquals((await admin.ask("GET", `/media/${id}`)).status, 200);
});

Deno.test("import: waits for the sweep that is under way", async () => {
  await using app = await testApp();
  const { admin, tarball } = await forgottenImage(app);
  let jobId = "";

  await withSweepLease(app.context, async () => {
    jobId = (await admin.ask("POST", "/imports", undefined, tarball)).json.jobId;
    await app.runner.drain();
    app.context.advance(60_000);
    await app.runner.drain();
    const { json } = await admin.ask("GET", `/jobs/${jobId}`);
    assertEquals([json.state, json.step], ["waiting", "edits"]);
  });

  assertEquals((await finishJob(app, jobId)).state, "done");
});

Deno.test("import: waits for the sweep that is under way when another one has ended", async () => {
  await using app = await testApp();
  const { admin, tarball } = await forgottenImage(app);
  let jobId = "";

  await withSweepLease(app.context, async () => {
    await withSweepLease(app.context, () => Promise.resolve());
    jobId = (await admin.ask("POST", "/imports", undefined, tarball)).json.jobId;
    await app.runner.drain();
    const { json } = await admin.ask("GET", `/jobs/${jobId}`);
    assertEquals([json.state, json.step], ["waiting", "edits"]);
  });

  app.context.advance(60_000);
  assertEquals((await finishJob(app, jobId)).state, "done");
});
