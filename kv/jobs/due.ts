/**
 * The queue of waiting jobs. Due entries are grouped in lanes, so that a poll takes the most urgent without
 * reading the rest, and sorted in each lane by due time.
 *
 * @module
 */
import { dueKey } from "./job_keys.ts";
import { type Key } from "../keys.ts";
import type { JobRecord } from "./job.ts";
import type { JobClass } from "./job_contract.ts";

/**
 * The lanes, the best first: one for each class, and one for steps that have failed, whose slots are few:
 * what fails again and again must not stand in the way of others. Their places are part of stored keys.
 */
export const LANES = ["interactive", "scheduled", "retry", "bulk", "idle", "outbound"] as const;

/** A lane of due entries. */
export type Lane = typeof LANES[number];

/** The lanes of jobs that no person waits for. */
export const BULK_LANES: ReadonlySet<Lane> = new Set(["retry", "bulk", "idle"]);

/** Value of a due entry that represents a request by name; the value of a job's entry is its type. */
export const DUE_REQUEST = 2;

/**
 * Time of what is due at once: no clock's, for the clocks of those who ask and those who run may
 * disagree. What is asked for by name goes before the many jobs of its lane.
 */
const REQUEST_AT_ONCE = 0;
const JOB_AT_ONCE = 1;

/** The place of a lane in its keys. */
export function laneNumber(lane: Lane): number {
  return LANES.indexOf(lane);
}

/** The lane in which an unfinished job waits; a failed call waits for its receiver like the first. */
export function laneOf({ class: urgency, attempts }: Pick<JobRecord, "class" | "attempts">): Lane {
  return attempts > 0 && urgency !== "outbound" ? "retry" : urgency;
}

/** The due entry of an unfinished job. */
export function jobDueKey(
  record: Pick<JobRecord, "id" | "class" | "attempts" | "dueAt" | "createdAt">,
): Key {
  const at = record.dueAt <= record.createdAt ? JOB_AT_ONCE : record.dueAt;
  return dueKey(laneNumber(laneOf(record)), at, record.id);
}

/** The due entry of what is asked of the job with this name; requests of one second share it. */
export function requestDueKey(name: string, urgency: JobClass, dueAt: number | undefined): Key {
  const at = dueAt === undefined ? REQUEST_AT_ONCE : Math.ceil(dueAt / 1000) * 1000;
  return dueKey(laneNumber(urgency), at, name);
}

/** The parts of a due entry's key. */
export function readDueKey(key: Key): { lane: Lane; at: number; idOrName: string } {
  return { lane: LANES[key[1] as number]!, at: key[2] as number, idOrName: key[3] as string };
}

/** Whether a due entry is of a job that is due at once: those of a lane are in the order in which they were added. */
export function isDueAtOnce(key: Key): boolean {
  return key[2] === JOB_AT_ONCE;
}

/** The part of the key that the entries of such jobs have in common, and an id. */
export function atOnceKey(lane: Lane, id: string): Key {
  return dueKey(laneNumber(lane), JOB_AT_ONCE, id);
}
