/**
 * A job as its record keeps it and as the admin API shows it.
 *
 * @module
 */
import type { Json } from "../model/entities/entity.ts";
import { isJsonObject } from "../model/values/json_object.ts";
import type { JobClass } from "./job_contract.ts";
import type { JobType } from "./job_contracts.ts";

/** Every state of a job: `waiting` is due later, `failed` has given up and may be retried. */
export const JOB_STATES = ["queued", "running", "waiting", "done", "failed"] as const;

/** The state of a job. */
export type JobState = typeof JOB_STATES[number];

/** Whether `text` names a state of a job. */
export function isJobState(text: string): text is JobState {
  return (JOB_STATES as readonly string[]).includes(text);
}

/** How far a job has come. */
export interface Progress {
  done: number;
  total: number;
}

/** The durable truth about a job. All times are milliseconds since the epoch. */
export interface JobRecord {
  id: string;
  type: JobType;
  class: JobClass;
  /** Set on a job that there is only one of at a time. */
  name?: string;
  /** Which run of that it is. */
  run?: number;
  payload: Json;
  state: JobState;
  /** The step that runs now or next; null before the first. */
  step: string | null;
  /** The progress of a step that works in portions; null at its start. */
  cursor: Json;
  /** The results of finished steps, by step. */
  results: { [step: string]: Json };
  /** How often the present step was begun in vain; once the job has ended, how often in all. */
  attempts: number;
  /** Why the last attempt failed, or the job ended early. */
  error: string | null;
  /** Set on a failed job that was canceled. */
  cancelled?: true;
  progress: Progress;
  /** At once when it is not later than `createdAt`. */
  dueAt: number;
  /** The runner that holds the lease; null if none does. */
  holder: string | null;
  /** Counts the changes of this record, and who made the last: a runner knows its own commits by it. */
  fence: { n: number; by: string };
  createdAt: number;
  updatedAt: number;
  /** The span that asked for it, where that was traced. */
  trace?: string;
}

/** A job on the wire; times are epoch seconds. */
export interface JobWire {
  id: string;
  type: JobType;
  state: JobState;
  step: string | null;
  /** Tries of the present step, with the one that is under way. */
  attempts: number;
  error: string | null;
  progress: Progress;
  /** The results of its steps. */
  result: { [step: string]: Json };
  dueAt: number;
  createdAt: number;
  updatedAt: number;
}

/** A record as the admin API shows it: without payload, cursor and holder. */
export function jobWire(record: JobRecord): JobWire {
  const { id, type, state, step, attempts, error, progress, results } = record;
  return {
    id,
    type,
    state,
    step,
    attempts: state === "running" ? attempts + 1 : attempts,
    error,
    progress,
    result: FLAT_RESULTS.has(type) && isJsonObject(results.write) ? results.write : results,
    dueAt: Math.floor(record.dueAt / 1000),
    createdAt: Math.floor(record.createdAt / 1000),
    updatedAt: Math.floor(record.updatedAt / 1000),
  };
}

/** Jobs of one step, which show its result as theirs. */
const FLAT_RESULTS: ReadonlySet<string> = new Set(["TRANSLATION_EXPORT", "TRANSLATION_IMPORT"]);

/** Whether nothing more will happen to a job by itself. */
export function isFinished(state: JobState): boolean {
  return state === "done" || state === "failed";
}
