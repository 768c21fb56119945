/**
 * Jobs that go through a whole site, over a store at a distance: every call takes as long, with the strictest
 * limits of a remote store. Beside the time, which a busy machine makes longer, stand the calls and the processor
 * time of each document.
 *
 *     deno run -A tests/bench/distant_jobs.ts [documents] [ms] [JOB …]
 *
 * @module
 */
import process from "node:process";
import { RemoteDriver } from "../../kv/store/remote_driver.ts";
import { DISTANT_WORKS, DistantSite } from "../support/distant_site.ts";
import { SlowDriver } from "../support/slow_driver.ts";

const DOCUMENTS = Number(Deno.args[0] ?? 4_000);
const CALL_MS = Number(Deno.args[1] ?? 20);
const CHOSEN = Deno.args.slice(2);

const size = { documents: DOCUMENTS, media: DOCUMENTS / 4 };
let slow: SlowDriver;
await using site = await DistantSite.open((near) => {
  slow = new SlowDriver(near, 0);
  return new RemoteDriver(slow, { random: Math.random });
}, size);

const figures = [];
for (const work of DISTANT_WORKS) {
  if (CHOSEN.length > 0 && !CHOSEN.includes(work)) continue;
  const count = work === "SWEEP_MEDIA" ? size.media : size.documents;
  slow!.callMs = CALL_MS;
  slow!.mostUnderWay = 0;
  const [startedAt, callsBefore, cpuBefore] = [performance.now(), slow!.calls, process.cpuUsage()];
  await site.run(work);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  figures.push({
    work,
    count,
    seconds: Number(seconds.toFixed(1)),
    "per second": Math.round(count / seconds),
    "calls each": Number(((slow!.calls - callsBefore) / count).toFixed(2)),
    "most in flight": slow!.mostUnderWay,
    "cpu ms each": Number(((user + system) / 1000 / count).toFixed(2)),
  });
  slow!.callMs = 0;
  await site.settle();
}
console.table(figures);
const [load] = Deno.loadavg();
console.log(`${CALL_MS} ms a call; load of the machine ${load!.toFixed(1)}`);
