/**
 * Previous runs of a named job: each run starts with a fresh record, and the results of the latest runs are
 * stored separately.
 *
 * @module
 */
import { jobRunKey, jobRunPrefix } from "./job_keys.ts";
import type { Json } from "../model/entities/entity.ts";
import type { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { isFinished, type JobRecord, type JobState, type JobWire, jobWire } from "./job.ts";
import { JOBS } from "./job_contracts.ts";

/** The result of a run; times are milliseconds. */
interface JobRun {
  state: JobState;
  error: string | null;
  results: { [step: string]: Json };
  createdAt: number;
  updatedAt: number;
}

/** A former run on the wire; times are epoch seconds. */
export type JobRunWire = Pick<JobWire, "state" | "error" | "result" | "createdAt" | "updatedAt">;

/** Adds the run that a named job's next one replaces to a commit, in the place of the oldest. */
export function stageRun(operation: Operation, record: JobRecord): void {
  const kept = JOBS[record.type].runsKept;
  if (kept === undefined || !isFinished(record.state)) return;
  const { id, state, error, results, createdAt, updatedAt } = record;
  const run: JobRun = { state, error, results, createdAt, updatedAt };
  // The record itself holds one more.
  operation.set(jobRunKey(id, (record.run ?? 0) % (kept - 1)), run);
}

/** The runs of a job whose type keeps them, newest first, the present one included; null for others. */
export async function jobRuns(store: Store, record: JobRecord): Promise<JobRunWire[] | null> {
  const kept = JOBS[record.type].runsKept;
  if (kept === undefined || record.name === undefined) return null;
  const range = { prefix: jobRunPrefix(record.id) };
  const former = (await store.listAll<JobRun>(range, { limit: kept }))
    .map(({ value }) => ({ ...record, ...value }))
    .sort((a, b) => b.createdAt - a.createdAt);
  return [record, ...former].map((run) => {
    const { state, error, result, createdAt, updatedAt } = jobWire(run);
    return { state, error, result, createdAt, updatedAt };
  });
}
