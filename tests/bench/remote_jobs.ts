/**
 * Jobs that go through a whole site, over a store at a distance: every call takes as long, with the strictest
 * limits of a remote store. Beside the time, which a busy machine makes longer, stand the calls of each document and
 * its processor time, beside what the same calls take alone, one after the other.
 *
 *     deno run -A tests/bench/remote_jobs.ts [documents] [ms] [JOB …]
 *
 * @module
 */
import process from "node:process";
import { DenoKvDriver, type Driver } from "../../kv/store/driver.ts";
import { RemoteDriver } from "../../kv/store/remote_driver.ts";
import { REMOTE_WORKS, RemoteSite } from "../support/sites/remote_site.ts";
import { copyStore, RecordingDriver } from "../support/stores/recording_driver.ts";
import { SlowDriver } from "../support/stores/slow_driver.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 4_000);
const CALL_MS = Number(Deno.args[1] ?? 20);
const CHOSEN = Deno.args.slice(2);

const size = { documents: DOCUMENTS, media: DOCUMENTS / 4 };
let slow: SlowDriver;
let near: Driver;
let recording: RecordingDriver;
await using site = await RemoteSite.open((driver) => {
  near = driver;
  slow = new SlowDriver(driver, 0);
  recording = new RecordingDriver(slow);
  return new RemoteDriver(recording, { random: Math.random });
}, size);

/** Milliseconds of processor time that some work takes. */
async function processorMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const figures = [];
for (const work of REMOTE_WORKS) {
  if (CHOSEN.length > 0 && !CHOSEN.includes(work)) continue;
  const count = work === "SWEEP_MEDIA" ? size.media : size.documents;
  const bare = new DenoKvDriver(await Deno.openKv(":memory:"));
  await copyStore(near!, bare);
  slow!.callMs = CALL_MS;
  slow!.mostUnderWay = 0;
  recording!.record();
  const [startedAt, callsBefore] = [performance.now(), slow!.calls];
  const cpuMs = await processorMs(() => site.run(work));
  const seconds = (performance.now() - startedAt) / 1000;
  const calls = slow!.calls - callsBefore;
  const repeat = recording!.recorded();
  slow!.callMs = 0;
  await site.settle();
  const bareMs = await processorMs(() => repeat(bare));
  bare.close();
  figures.push({
    work,
    count,
    seconds: Number(seconds.toFixed(1)),
    "per second": Math.round(count / seconds),
    "calls each": Number((calls / count).toFixed(2)),
    "most in flight": slow!.mostUnderWay,
    "cpu ms each": Number((cpuMs / count).toFixed(2)),
    "its calls alone": Number((bareMs / count).toFixed(2)),
    "times": Number((cpuMs / bareMs).toFixed(1)),
  });
}
console.table(figures);
const [load] = Deno.loadavg();
console.log(`${CALL_MS} ms a call; load of the machine ${load!.toFixed(1)}`);
