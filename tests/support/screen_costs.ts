/**
 * A process of its own that fills a store with documents, and prints as JSON how much processor time the server
 * takes for each screen of the studio, milliseconds: `deno run -A tests/support/screen_costs.ts [documents]`.
 *
 * @module
 */
import process from "node:process";
import { asking, fill, open, screens, settle } from "../bench/studio.ts";

/** Requests that are measured together: a single one may meet the garbage collector. */
const TOGETHER = 5;
const ROUNDS = 7;

/** The least of some rounds: what else runs on the machine only adds, by shared caches and cores. */
async function costOf(read: () => Promise<void>): Promise<number> {
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let turn = 0; turn < TOGETHER; turn++) await read();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1_000 / TOGETHER);
  }
  return Math.min(...costs);
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
      found[name] = await costOf(read);
    }
    console.log(JSON.stringify(found));
  } finally {
    site.context.store.close();
    await Deno.remove(dataDir, { recursive: true });
  }
}
