/**
 * A kind of job: its payload and its steps in order. A step adds its effect to a commit and returns an
 * outcome; the runner adds the job's progress and its next due entry and commits all of it, or nothing. A step
 * may be cut off anywhere and run again, so any effect that it has outside of its commit must be repeatable.
 *
 * @module
 */
import type { z } from "zod";
import type { Context } from "../../kv/context.ts";
import {
  type JobPayload,
  type JobResults,
  JOBS,
  type JobStep,
  type JobType,
  type StepResult,
} from "../../kv/jobs/job_contracts.ts";
import type { CursorOf } from "./job_cursors.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { Progress } from "../../kv/jobs/job.ts";
import type { Operation } from "../../kv/store/operation.ts";

/** The next action of a job after a step whose result is an `R` and whose cursor is a `C`. */
export type Outcome<R = unknown, C = Json> =
  | { kind: "next"; result?: R; progress?: Progress; uncommitted?: true; merged?: true }
  | { kind: "again"; cursor: C; progress?: Progress }
  | { kind: "wait"; dueAt: number; cursor: C }
  | { kind: "finish"; result?: R }
  | { kind: "fail"; reason: string }
  | { kind: "sealed"; outcome: Outcome<R, C> };

/** The outcome of a step of a type of job. */
export type OutcomeOf<T extends JobType, S extends JobStep<T>> = Outcome<
  StepResult<T, S>,
  CursorOf<T, S> | null
>;

/** The step is done; `result` is stored and passed to the later steps. */
export function next(): Outcome<undefined, never>;
export function next<R>(result: R, progress?: Progress): Outcome<R, never>;
export function next<R>(result?: R, progress?: Progress): Outcome<R, never> {
  return {
    kind: "next",
    ...(result !== undefined && { result }),
    ...(progress !== undefined && { progress }),
  };
}
/** Like {@linkcode next} for a step that is safe to run again: it is recorded together with the next step. */
export function nextUncommitted(): Outcome<undefined, never>;
export function nextUncommitted<R>(result: R): Outcome<R, never>;
export function nextUncommitted<R>(result?: R): Outcome<R, never> {
  return { kind: "next", uncommitted: true, ...(result !== undefined && { result }) };
}
/** The step is done; what it added is committed together with the next step. */
export function nextInSameCommit(): Outcome<undefined, never>;
export function nextInSameCommit<R>(result: R): Outcome<R, never>;
export function nextInSameCommit<R>(result?: R): Outcome<R, never> {
  return { kind: "next", uncommitted: true, merged: true, ...(result !== undefined && { result }) };
}
/** The step continues from `cursor`: what it added so far is committed. */
export function again<C extends Json>(cursor: C, progress?: Progress): Outcome<never, C> {
  return progress === undefined ? { kind: "again", cursor } : { kind: "again", cursor, progress };
}
/** The step runs again at `dueAt` (milliseconds). */
export function waitUntil(dueAt: number): Outcome<never, null>;
export function waitUntil<C extends Json>(dueAt: number, cursor: C): Outcome<never, C>;
export function waitUntil(dueAt: number, cursor: Json = null): Outcome<never> {
  return { kind: "wait", dueAt, cursor };
}
/** The job is done, even if steps remain; the result says why. */
export function finish(): Outcome<undefined, never>;
export function finish<R>(result: R): Outcome<R, never>;
export function finish<R>(result?: R): Outcome<R, never> {
  return result === undefined ? { kind: "finish" } : { kind: "finish", result };
}
/** The job has failed for good; what the step added is committed. */
export function giveUp(reason: string): Outcome<never, never> {
  return { kind: "fail", reason };
}

/** The input of a step; with `S` left out, of any step of the type. */
export interface Work<T extends JobType, S extends JobStep<T> = JobStep<T>> {
  context: Context;
  jobId: string;
  payload: JobPayload<T>;
  /** Null, or the cursor of this step's last {@linkcode again} or {@linkcode waitUntil}. */
  cursor: CursorOf<T, S> | null;
  /** Results of the finished steps, by name. */
  results: JobResults<T>;
  /** Number of this attempt, from 1. */
  attempt: number;
  /** Whether a user is waiting for the job. */
  urgent: boolean;
  /** The same for every run of this step: identifies an effect outside of the store. */
  key: string;
  /** The step's effect, after those of merged steps. One of the nine checks of a commit is the runner's. */
  operation: Operation;
  /** Aborted when the step must end: at shutdown, or when the lease is lost. */
  signal: AbortSignal;
  /**
   * Adds the fence, progress and wake-up to a commit that the step makes itself, such as a versioned write.
   * The step calls it last in each attempt of that commit and returns its result.
   */
  commitWith<R, C extends Json>(operation: Operation, outcome: Outcome<R, C>): Outcome<R, C>;
}

/** One repeatable part of a job. */
export type Step<T extends JobType, S extends JobStep<T>> = (
  work: Work<T, S>,
) => Promise<OutcomeOf<T, S>> | OutcomeOf<T, S>;

/** All steps of a type of job. */
export type Steps<T extends JobType> = { readonly [S in JobStep<T>]: Step<T, S> };

/** A step as the runner calls it, with an input that its contract has parsed. */
type AnyStep = (work: Work<JobType>) => Promise<Outcome> | Outcome;

/** A kind of job as the runner sees it. */
export interface JobKind<T extends JobType = JobType> {
  type: T;
  payload: z.ZodType;
  /** In the order in which they run. */
  steps: { readonly [name: string]: AnyStep };
  /** A named job starts at most once in this time (ms); requests in between share one run. */
  gapMs?: number;
  /** How many jobs of the kind run together in one slot and share reads and commits; 1 by default. */
  batchSize?: number;
  /** The most jobs of the kind that a process runs at a time, even if more slots are free. */
  concurrencyMax?: number;
}

/** Declares a kind; its steps run in the order of the type's contract. */
export function jobKind<T extends JobType>(
  type: T,
  steps: Steps<T>,
  options: Pick<JobKind, "gapMs" | "batchSize" | "concurrencyMax"> = {},
): JobKind<T> {
  const names = Object.keys(JOBS[type].steps) as JobStep<T>[];
  const ordered = names.map((name) => [name, steps[name] as unknown as AnyStep]);
  return { type, payload: JOBS[type].payload, steps: Object.fromEntries(ordered), ...options };
}

/** A failure that a retry cannot fix: the job fails at once. */
export class JobFailure extends Error {
  override name = "JobFailure";
}
