/**
 * How fast jobs end: each process that runs some reports from time to time, and reports expire soon.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { jobRateKey, jobRatePrefix } from "./job_keys.ts";
import { Operation } from "../store/operation.ts";
import { type Lane, LANES } from "./due.ts";

/** How long a report counts, milliseconds. */
const VALID_FOR_MS = 60_000;

/** Jobs that ended in a minute, by lane. */
export type JobRates = Record<Lane, number>;

interface RateRow {
  /** Milliseconds. */
  at: number;
  rates: JobRates;
}

/** Nothing ended. */
export function noRates(): JobRates {
  return Object.fromEntries(LANES.map((lane) => [lane, 0])) as JobRates;
}

/** Tells how many jobs ended in a process in the last minute. */
export async function putRates(
  { store, now }: Pick<Context, "store" | "now">,
  runnerId: string,
  rates: JobRates,
): Promise<void> {
  const row: RateRow = { at: now(), rates };
  await store.commit(
    new Operation().set(jobRateKey(runnerId), row, { expireIn: 2 * VALID_FOR_MS }),
  );
}

/** How many jobs end in a minute, in all processes together. */
export async function readRates({ store, now }: Pick<Context, "store" | "now">): Promise<JobRates> {
  const sum = noRates();
  // A process of an older version tells nothing of lanes that it does not know.
  for await (const { value } of store.list<RateRow>({ prefix: jobRatePrefix })) {
    if (Math.abs(now() - value.at) > VALID_FOR_MS) continue;
    for (const lane of LANES) sum[lane] += value.rates[lane] ?? 0;
  }
  return sum;
}
