/**
 * A process of its own that fills a store with documents, and prints as JSON how much processor time the server
 * takes for each screen of the studio, milliseconds:
 * `deno run -A tests/support/harness/screen_costs.ts [documents] [enough]`. A screen that costs less than `enough` is
 * not measured again.
 *
 * @module
 */
import process from "node:process";
import { asking, fill, open, screens, settle } from "../../bench/studio.ts";

/** Requests that are measured together: a single one may meet the garbage collector. */
const TOGETHER = 5;
const ROUNDS = 7;
/**
 * Milliseconds of processor time that the bare work below takes on the machine that the bounds are for. Where
 * others share its caches and cores it takes more, and so does a screen.
 */
const BARE_MS = 1.3;
const RECORDS = Array.from({ length: 1_000 }, (_, n) => ({ id: `record-${n}`, at: n, done: [n] }));

function bareWork(): void {
  structuredClone(JSON.parse(JSON.stringify(RECORDS)));
}

async function processorMs(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let turn = 0; turn < TOGETHER; turn++) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / TOGETHER;
}

/** The least of some rounds, by the pace of the machine in each; the rounds end when the cost is less than `enough`. */
async function costOf(read: () => Promise<void>, enough: number): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least >= enough; round++) {
    const pace = Math.max(1, await processorMs(bareWork) / BARE_MS);
    least = Math.min(least, await processorMs(read) / pace);
  }
  return least;
}

if (import.meta.main) {
  const dataDir = await Deno.makeTempDir({ prefix: "cms-screens-" });
  const site = await open(dataDir);
  try {
    const { cookie, ids } = await fill(site, Number(Deno.args[0] ?? 10_000));
    await settle(site);
    const ask = asking(site.deps, { text: cookie });
    const found: Record<string, number> = {};
    for (const [name, path] of screens(ids)) {
      const read = async () => {
        const answer = await ask("GET", path);
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
        await answer.text();
      };
      // The first answers warm the caches up.
      for (let turn = 0; turn < TOGETHER; turn++) await read();
      found[name] = await costOf(read, Number(Deno.args[1] ?? 0));
    }
    console.log(JSON.stringify(found));
  } finally {
    site.context.store.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}
