/**
 * The jobs of every day on an embedded store, as a site grows: each document has three versions, a quarter of them
 * is public, and there is a medium for every four. A migration beside them, which goes through all documents, too.
 *
 *     deno run -A tests/bench/daily.ts [documents, … [one of so many is public]]
 *
 * @module
 */
import process from "node:process";
import { RemoteSite, type RemoteWork } from "../support/sites/remote_site.ts";

const SIZES = (Deno.args[0] ?? "2000,8000").split(",").map(Number);
const PUBLISHED_OF = Number(Deno.args[1] ?? 4);
/** What a site of so many documents would take if it went on like this. */
const MILLION = 1_000_000;
const WORKS: [name: string, work: RemoteWork, changed?: number][] = [
  ["PRUNE, the first", "PRUNE"],
  ["PRUNE, nothing new", "PRUNE"],
  ["PRUNE, one of 100 changed", "PRUNE", 1 / 100],
  ["SWEEP_MEDIA", "SWEEP_MEDIA"],
  ["COMPARE_SITE", "COMPARE_SITE"],
  ["EXPORT", "EXPORT"],
  ["MIGRATE", "MIGRATE"],
];

const rows = [];
for (const documents of SIZES) {
  const size = { documents, media: documents / 4, publishedOf: PUBLISHED_OF };
  await using site = await RemoteSite.open((near) => near, size);
  for (const [name, work, changed] of WORKS) {
    if (changed !== undefined) await site.edit(documents * changed);
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    await site.run(work);
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(before);
    const cpuSeconds = (user + system) / 1e6;
    rows.push({
      work: name,
      documents,
      seconds: Number(seconds.toFixed(1)),
      "cpu s": Number(cpuSeconds.toFixed(1)),
      "cpu ms each": Number((cpuSeconds * 1000 / documents).toFixed(3)),
      "minutes of a million": Number((seconds / documents * MILLION / 60).toFixed(1)),
    });
    await site.settle();
  }
}
console.table(rows.toSorted((a, b) => a.work < b.work ? -1 : a.work > b.work ? 1 : 0));
console.log(`Load of the machine ${Deno.loadavg()[0]!.toFixed(1)}`);
