/**
 * The transitions of a job's record: claimed, advanced, postponed, failed. Pure, except for adding the change
 * to a commit.
 *
 * @module
 */
import { ERROR_CHARS_MAX, JOB_RESULTS_CHARS_MAX } from "../limits.ts";
import { jobDueKey } from "../../kv/jobs/due.ts";
import { jobFailedKey, jobKey } from "../../kv/jobs/job_keys.ts";
import { type Key } from "../../kv/keys.ts";
import { isFinished, type JobRecord } from "../../kv/jobs/job.ts";
import { stampJob } from "../../kv/jobs/jobs.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { keyText, type Operation } from "../../kv/store/operation.ts";
import { retryDelayMs, STEP_ATTEMPTS } from "./backoff.ts";
import type { JobKind, Outcome } from "./job_kind.ts";

/** The runner that changes a record, and the time. */
export interface LeaseHolder {
  runnerId: string;
  now: number;
}

function changed(record: JobRecord, { runnerId, now }: LeaseHolder): JobRecord {
  const fence = { n: record.fence.n + 1, by: runnerId };
  return { ...record, fence, updatedAt: Math.max(now, record.createdAt) };
}

/** The record after a claim; `over` if the lease was taken from a runner that disappeared. */
export function claimed(
  record: JobRecord,
  kind: JobKind,
  holder: LeaseHolder,
  over: boolean,
): JobRecord {
  // From here on the record shows the step that is running.
  const next = { ...changed(record, holder), step: currentStep(record, kind) };
  if (over) {
    next.attempts += 1;
    next.error = "The process that ran it disappeared";
    if (next.attempts >= STEP_ATTEMPTS) return { ...next, state: "failed", holder: null };
  }
  return { ...next, state: "running", holder: holder.runnerId };
}

/** The record handed back for the next runner. */
export function released(record: JobRecord, holder: LeaseHolder): JobRecord {
  return { ...changed(record, holder), state: "queued", holder: null };
}

/** The record after an outcome of its current step. */
export function advanced(
  record: JobRecord,
  kind: JobKind,
  outcome: Outcome,
  holder: LeaseHolder,
): JobRecord {
  const before = { ...changed(record, holder), attempts: 0, error: null };
  const step = currentStep(record, kind);
  // A finished job shows the attempts of its last step.
  const ended = { ...before, step, attempts: record.attempts + 1 };
  switch (outcome.kind) {
    case "sealed":
      return advanced(record, kind, outcome.outcome, holder);
    case "again": {
      const progress = outcome.progress ?? record.progress;
      return { ...before, step, cursor: outcome.cursor, progress };
    }
    case "wait": {
      const { cursor, dueAt } = outcome;
      return { ...before, state: "waiting", holder: null, step, cursor, dueAt };
    }
    case "finish": {
      const results = withResult(record, step, outcome.result);
      return done({ ...ended, results });
    }
    case "fail": {
      const error = outcome.reason.slice(0, ERROR_CHARS_MAX);
      return { ...ended, state: "failed", holder: null, error };
    }
    case "next": {
      const results = withResult(record, step, outcome.result);
      const names = Object.keys(kind.steps);
      const following = names[names.indexOf(step) + 1];
      const progress = outcome.progress ?? record.progress;
      if (following === undefined) return done({ ...ended, results, progress });
      return { ...before, step: following, cursor: null, results, progress };
    }
  }
}

/** The step that a record is at. */
export function currentStep(record: JobRecord, kind: JobKind): string {
  return record.step ?? Object.keys(kind.steps)[0] ?? "";
}

function done(record: JobRecord): JobRecord {
  const { total } = record.progress;
  return { ...record, state: "done", holder: null, cursor: null, progress: { done: total, total } };
}

function withResult(record: JobRecord, step: string, result: unknown): JobRecord["results"] {
  if (result === undefined) return record.results;
  const results = { ...record.results, [step]: result as Json };
  const size = JSON.stringify(results).length;
  if (size > JOB_RESULTS_CHARS_MAX) {
    throw new RangeError(
      `A job's results have ${size} characters, at most ${JOB_RESULTS_CHARS_MAX}`,
    );
  }
  return results;
}

/** The record after a failed attempt: due again after a growing delay, or `failed`. */
export function failed(
  record: JobRecord,
  message: string,
  holder: LeaseHolder,
  options: { random: () => number; final: boolean },
): JobRecord {
  const next = changed(record, holder);
  next.holder = null;
  next.attempts += 1;
  next.error = message.slice(0, ERROR_CHARS_MAX);
  const delay = options.final ? null : retryDelayMs(next.attempts, options.random);
  if (delay === null) return { ...next, state: "failed" };
  return { ...next, state: "waiting", dueAt: holder.now + delay };
}

/** Adds a record's change to a commit, with its due entry. */
export function putRecord(operation: Operation, before: JobRecord | null, after: JobRecord): void {
  const { id } = after;
  keep(operation, jobKey(id));
  operation.set(jobKey(id), after);
  if (before?.state !== after.state) stampJob(operation, after);
  const was = before === null || isFinished(before.state) ? null : jobDueKey(before);
  const is = isFinished(after.state) ? null : jobDueKey(after);
  if (was === null || is === null || keyText(was) !== keyText(is)) {
    if (was !== null) operation.delete(was);
    if (is !== null) operation.set(is, after.type);
  }
  if (after.state === "failed") operation.set(jobFailedKey(id), 1);
  // A named job that runs again may have failed before.
  else if (before === null && after.name !== undefined) operation.delete(jobFailedKey(id));
}

/** A write that drops the job that makes it, as a schedule's, leaves its record. */
function keep(operation: Operation, key: Key): void {
  const text = keyText(key);
  const index = operation.deletes.findIndex((deleted) => keyText(deleted) === text);
  if (index >= 0) operation.deletes.splice(index, 1);
}
