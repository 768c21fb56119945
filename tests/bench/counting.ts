/**
 * What each list of the admin API costs beside many rows that it does not show: calls of the store, rows and bytes read,
 * and processor time of a request for one row, with a tenth of the rows and with all of them.
 * `deno run -A tests/bench/counting.ts [fraction of the rows]`
 *
 * - **first** is a process that has just begun, and counts.
 * - **again** is the same request right after it.
 * - **changed** is the same after a commit that adds one job and one event of the audit log.
 *
 * @module
 */
import type { Hono } from "@hono/hono";
import { addJob } from "../../kv/jobs/jobs.ts";
import { noteAudit, stageAudit } from "../../kv/versioning/audit.ts";
import { Operation } from "../../kv/store/operation.ts";
import { secondApp } from "../support/sites/app.ts";
import { countReads } from "../support/stores/count_reads.ts";
import { type RowCounts, shareOf, siteWithRows } from "../support/stores/many_rows.ts";
import { processorMs } from "./publish_site.ts";

const FRACTION = Number(Deno.args[0] ?? 1);
const ROWS: RowCounts = {
  queued: 60_000,
  done: 80_000,
  audit: 50_000,
  users: 5_000,
  tokens: 2_000,
  releases: 2_000,
  media: 20_000,
  deliveries: 50_000,
  versions: 100_000,
};
/** Requests whose processor time is taken together: the kernel counts coarsely. */
const REPEATED = 20;

async function measure(counts: RowCounts) {
  await using filled = await siteWithRows(counts);
  const { site: { context }, cookie, requests } = filled;
  const change = async () => {
    const operation = new Operation();
    addJob(operation, context, { type: "SEED", payload: {} } as never);
    const note = { userId: null, tokenId: null, address: "", details: {}, event: "sign_in" };
    const { now, newId } = context;
    stageAudit(operation, noteAudit({ now, newId }, note));
    await context.store.commit(operation);
    context.advance(50);
  };
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 };
  const fetched = (app: Hono, path: string) => {
    const request = new Request(`http://localhost/api/admin${path}`, { headers: { cookie } });
    return app.fetch(request, { remoteAddr });
  };
  const table: Record<string, string | number>[] = [];
  for (const path of requests) {
    const { app } = secondApp(context);
    const ask = async () => {
      const answer = await fetched(app, path);
      if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()).meta.total as number;
    };
    // What every request of a process reads once.
    await (await fetched(app, "/roles?perPage=1")).text();
    const firstAt = processorMs();
    const total = await ask();
    const first = processorMs() - firstAt;
    const againAt = processorMs();
    for (let n = 0; n < REPEATED; n++) await ask();
    const again = (processorMs() - againAt) / REPEATED;
    let changed = 0;
    for (let n = 0; n < REPEATED; n++) {
      await change();
      const changedAt = processorMs();
      await ask();
      changed += (processorMs() - changedAt) / REPEATED;
    }
    const { reads: { keys: _keys, ...reads } } = await countReads(context.store.driver, ask);
    table.push({
      path: path.replace(/[0-9A-Z]{26}/g, ":id"),
      total,
      ...reads,
      "first, ms": first.toFixed(1),
      "again, ms": again.toFixed(2),
      "changed, ms": changed.toFixed(2),
    });
  }
  return table;
}

const all = shareOf(ROWS, FRACTION);
console.log("a tenth of the rows");
console.table(await measure(shareOf(all, 0.1)));
console.log("all rows");
console.table(await measure(all));
Deno.exit(0);
