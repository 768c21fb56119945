/**
 * The keys of jobs: records, requests and due entries. The rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** A job record. */
export const jobKey = (id: string): Key => ["job", id];
/** All job records, oldest first. */
export const jobPrefix: Key = ["job"];
/** A sign of life of the runner whose step takes long; it never changes the record, and goes with it. */
export const jobBeatKey = (id: string): Key => ["job_beat", id];
/** Marks a failed job, so that failed jobs are found without reading the others. */
export const jobFailedKey = (id: string): Key => ["job_failed", id];
/** All failed jobs, oldest first. */
export const jobFailedPrefix: Key = ["job_failed"];
/** How many jobs end in a process, by its runner. */
export const jobRateKey = (runnerId: string): Key => ["job_rate", runnerId];
/** Those of all processes. */
export const jobRatePrefix: Key = ["job_rate"];
/** The result of a former run of a named job; a new one replaces the oldest. */
export const jobRunKey = (id: string, place: number): Key => ["job_run", id, place];
/** All former runs of a named job. */
export const jobRunPrefix = (id: string): Key => ["job_run", id];
/** The request for the job with this name; there is at most one. */
export const jobRequestKey = (name: string): Key => ["job_request", name];
/** Everything that is asked of named jobs. */
export const jobRequestPrefix: Key = ["job_request"];
/** Unfinished jobs (by id) and requests (by name), by lane and the time (ms) at which they are due. */
export const dueKey = (
  lane: number,
  dueAt: number,
  idOrName: string,
): Key => ["due", lane, dueAt, idOrName];
/** All of them. */
export const duePrefix: Key = ["due"];
/** Those of a lane, in order of time. */
export const dueLanePrefix = (lane: number): Key => ["due", lane];
/** Whether setting `key` makes something due: what an in-process wake-up listens for. */
export const isDueKey = (key: Key): boolean => key[0] === duePrefix[0];
