/**
 * The description of 50 collections of 30 fields: made anew, plain and compressed, and answered when it
 * is kept; beside the bare writing of the same document as JSON. `deno run -A tests/bench/openapi.ts`.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Schema } from "../../kv/model/entities/collection.ts";
import { metaRoutes } from "../../routes/v1/meta.ts";
import { largeSite } from "../contract/sites.ts";

const ROUNDS = 30;
const BUDGET_MS = { fresh: 60, kept: 5 };

/** Median and worst of repeated runs, milliseconds. */
async function timed(run: () => Promise<unknown>): Promise<{ median: number; worst: number }> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return { median: times[ROUNDS >> 1]!, worst: times.at(-1)! };
}

/** Times both states of one path. */
export async function benchDescription(path: string): Promise<Record<string, string | number>> {
  let schema: Schema = largeSite(50, 30);
  const app: Hono = metaRoutes({
    authenticated: (work) => (http) => work({ http, schema, headers: {} }),
    origin: () => "https://cms.example.net",
  });
  const ask = async (headers: Record<string, string> = {}) =>
    await (await app.request(path, { headers })).arrayBuffer();
  const plain = await ask();
  const text = new TextDecoder().decode(plain);
  const whole = path.endsWith(".ts") ? text : JSON.parse(text);
  const bare = await timed(async () => new TextEncoder().encode(JSON.stringify(whole)));
  const kept = await timed(ask);
  let stamp = 1;
  const renew = (headers?: Record<string, string>) =>
    timed(() => {
      schema = { ...schema, stamp: String(stamp += 1) };
      return ask(headers);
    });
  const fresh = await renew();
  const zipped = await renew({ "accept-encoding": "gzip" });
  return {
    path,
    bytes: plain.byteLength,
    "gzip bytes": (await ask({ "accept-encoding": "gzip" })).byteLength,
    "bare JSON, median ms": bare.median.toFixed(2),
    "kept, median ms": kept.median.toFixed(2),
    "kept, worst ms": kept.worst.toFixed(2),
    "fresh, median ms": fresh.median.toFixed(2),
    "fresh, worst ms": fresh.worst.toFixed(2),
    "fresh gzip, median ms": zipped.median.toFixed(2),
    "in budget": String(kept.median < BUDGET_MS.kept && zipped.median < BUDGET_MS.fresh),
  };
}

if (import.meta.main) {
  console.table([await benchDescription("/_meta"), await benchDescription("/_meta/types.ts")]);
}
