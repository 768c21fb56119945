/**
 * How many jobs are due, and for how long: for probes and metrics.
 *
 * @module
 */
import { dueLanePrefix, jobKey } from "./job_keys.ts";
import type { Store } from "../store/store.ts";
import { DUE_COUNTED_MAX } from "../tuning.ts";
import { DUE_REQUEST, type Lane, laneNumber, LANES, readDueKey } from "./due.ts";
import type { JobRecord } from "./job.ts";

/** The due jobs of a lane. */
export interface DueLane {
  lane: Lane;
  /** Up to as many as were to be counted. */
  count: number;
  /** How long the first of them has been due, milliseconds; 0 when none is. */
  oldestMs: number;
  /** How many there are of each type; what is asked of named jobs is "named". */
  types: Record<string, number>;
}

/** The due jobs by lane, counted up to `countedMax` each. */
export function dueByLane(
  store: Store,
  now: number,
  countedMax = DUE_COUNTED_MAX,
): Promise<DueLane[]> {
  return Promise.all(LANES.map(async (lane) => {
    const entries = await store.listAll({ prefix: dueLanePrefix(laneNumber(lane)) }, {
      limit: countedMax,
    });
    const due = entries.filter(({ key }) => readDueKey(key).at <= now);
    const [first] = due.map(({ key }) => readDueKey(key));
    if (first === undefined) return { lane, count: 0, oldestMs: 0, types: {} };
    // What is due at once carries no time; its record knows when it was asked for.
    const { value } = await store.get<JobRecord>(jobKey(first.idOrName));
    const since = value === null ? now : Math.max(value.dueAt, value.createdAt);
    const types: Record<string, number> = {};
    for (const { value } of due) {
      const type = value === DUE_REQUEST ? "named" : String(value);
      types[type] = (types[type] ?? 0) + 1;
    }
    return { lane, count: due.length, oldestMs: Math.max(0, now - since), types };
  }));
}
