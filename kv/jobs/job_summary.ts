/**
 * How many jobs there are of each type and state, and since when: for metrics.
 *
 * @module
 */
import { dueLanePrefix, jobKey } from "./job_keys.ts";
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { DUE_COUNTED_MAX } from "../tuning.ts";
import { DUE_REQUEST, laneNumber, LANES, readDueKey } from "./due.ts";
import { isFinished, type JobRecord, type JobState } from "./job.ts";
import { newestJobs } from "./job_list.ts";
import type { JobType } from "./job_contracts.ts";
import { askedJobs } from "./jobs.ts";

/** The jobs of one type in one state. */
export interface JobGroup {
  type: JobType;
  state: JobState;
  count: number;
  /** When the oldest of them was asked for, epoch milliseconds. */
  since: number;
}

/** Jobs that are not done: unfinished ones, the first `countedMax` of each lane, and as many that have failed. */
export async function jobsByState(
  store: Store,
  countedMax = DUE_COUNTED_MAX,
): Promise<JobGroup[]> {
  const [asked, failed, ...lanes] = await Promise.all([
    askedJobs(store),
    newestJobs(store, { state: "failed", limit: countedMax }),
    ...LANES.map((lane) => unfinished(store, laneNumber(lane), countedMax)),
  ]);
  const groups = new Map<string, JobGroup>();
  const known = failed.jobs.filter(({ cancelled }) => cancelled !== true);
  for (const { type, state, createdAt } of [...asked.values(), ...known, ...lanes.flat()]) {
    const group = groups.get(`${type} ${state}`) ?? { type, state, count: 0, since: createdAt };
    group.count += 1;
    group.since = Math.min(group.since, createdAt);
    groups.set(`${type} ${state}`, group);
  }
  return [...groups.values()];
}

async function unfinished(store: Store, lane: number, limit: number): Promise<JobRecord[]> {
  const due = await store.listAll({ prefix: dueLanePrefix(lane) }, { limit });
  const ids = due.filter(({ value }) => value !== DUE_REQUEST)
    .map(({ key }) => readDueKey(key).idOrName);
  const records = await store.getMany(ids.map(jobKey)) as Entry<JobRecord>[];
  return records.map(({ value }) => value)
    .filter((record) => record !== null)
    .filter(({ state }) => !isFinished(state));
}
