/**
 * What a kind of job is made of: a payload and steps in their order. A step adds its effect to a commit
 * and answers how the job goes on; the runner adds progress and wake-up and commits all of it, or
 * nothing. A step may be cut off anywhere and run again, so whatever it does outside of its commit must
 * bear repetition.
 *
 * @module
 */
import type { z } from "zod";
import type { Context } from "../../kv/versioning/context.ts";
import {
  type JobPayload,
  type JobResults,
  JOBS,
  type JobStep,
  type JobType,
  type StepResult,
} from "../../kv/jobs/job_contracts.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { Progress } from "../../kv/jobs/job.ts";
import type { Operation } from "../../kv/store/operation.ts";

/** How a job goes on after a step that answers an `R`. */
export type Outcome<R = unknown> =
  | { kind: "next"; result?: R; progress?: Progress; uncommitted?: true; merged?: true }
  | { kind: "again"; cursor: Json; progress?: Progress }
  | { kind: "wait"; dueAt: number; cursor: Json }
  | { kind: "finish"; result?: R }
  | { kind: "fail"; reason: string }
  | { kind: "sealed"; outcome: Outcome<R> };

/** How a step of a type of job goes on. */
export type OutcomeOf<T extends JobType, S extends JobStep<T>> = Outcome<StepResult<T, S>>;

/** The step is done; `result` is kept and handed to the steps that follow. */
export function next(): Outcome<undefined>;
export function next<R>(result: R, progress?: Progress): Outcome<R>;
export function next<R>(result?: R, progress?: Progress): Outcome<R> {
  return {
    kind: "next",
    ...(result !== undefined && { result }),
    ...(progress !== undefined && { progress }),
  };
}
/** Like {@linkcode next} for a step that may as well run again: it is recorded with the one that follows. */
export function nextUncommitted(): Outcome<undefined>;
export function nextUncommitted<R>(result: R): Outcome<R>;
export function nextUncommitted<R>(result?: R): Outcome<R> {
  return { kind: "next", uncommitted: true, ...(result !== undefined && { result }) };
}
/** The step is done with what it added; it is committed together with the step that follows. */
export function nextInSameCommit(): Outcome<undefined>;
export function nextInSameCommit<R>(result: R): Outcome<R>;
export function nextInSameCommit<R>(result?: R): Outcome<R> {
  return { kind: "next", uncommitted: true, merged: true, ...(result !== undefined && { result }) };
}
/** The step goes on from `cursor`: what it added so far is committed. */
export function again(cursor: Json, progress?: Progress): Outcome<never> {
  return progress === undefined ? { kind: "again", cursor } : { kind: "again", cursor, progress };
}
/** The step runs again at `dueAt` (milliseconds). */
export function waitUntil(dueAt: number, cursor: Json = null): Outcome<never> {
  return { kind: "wait", dueAt, cursor };
}
/** The job is done, whatever steps remain; the result says why. */
export function finish(): Outcome<undefined>;
export function finish<R>(result: R): Outcome<R>;
export function finish<R>(result?: R): Outcome<R> {
  return result === undefined ? { kind: "finish" } : { kind: "finish", result };
}
/** The job has failed for good; what the step added is committed. */
export function giveUp(reason: string): Outcome<never> {
  return { kind: "fail", reason };
}

/** What a step is given. */
export interface Work<T extends JobType> {
  context: Context;
  jobId: string;
  payload: JobPayload<T>;
  /** Null, or what this step last answered with {@linkcode again} or {@linkcode waitUntil}. */
  cursor: Json;
  /** What finished steps have answered, by their names. */
  results: JobResults<T>;
  /** Which attempt this is, from 1. */
  attempt: number;
  /** Whether somebody waits for the job. */
  urgent: boolean;
  /** The same for every run of this step: names an effect outside of the store. */
  key: string;
  /** The step's effect, after those of steps that join it. One of the nine checks of a commit is the runner's. */
  operation: Operation;
  /** Aborted when the step must end: at shutdown, or when the lease was lost. */
  signal: AbortSignal;
  /**
   * Adds fence, progress and wake-up to a commit that the step makes itself, such as a versioned
   * write. Called last in each attempt of that commit; the step answers what this answers.
   */
  commitWith<R>(operation: Operation, outcome: Outcome<R>): Outcome<R>;
}

/** One repeatable part of a job. */
export type Step<T extends JobType, S extends JobStep<T>> = (
  work: Work<T>,
) => Promise<OutcomeOf<T, S>> | OutcomeOf<T, S>;

/** The steps of a type of job. */
export type Steps<T extends JobType> = { readonly [S in JobStep<T>]: Step<T, S> };

/** A step as the runner calls it: what it is given was parsed by its contract. */
type AnyStep = (work: Work<JobType>) => Promise<Outcome> | Outcome;

/** A kind of job as a runner knows it. */
export interface JobKind<T extends JobType = JobType> {
  type: T;
  payload: z.ZodType;
  /** In the order in which they run. */
  steps: { readonly [name: string]: AnyStep };
  /** A named job starts at most once in this time (ms): requests in between are answered together. */
  gapMs?: number;
  /** So many jobs of the kind go forward together in one slot, and share reads and commits; one when left out. */
  batchSize?: number;
  /** So many jobs of the kind a process runs at a time, whatever slots are free. */
  concurrencyMax?: number;
}

/** Declares the kind that satisfies the contract of a type: its steps run in the contract's order. */
export function jobKind<T extends JobType>(
  type: T,
  steps: Steps<T>,
  options: Pick<JobKind, "gapMs" | "batchSize" | "concurrencyMax"> = {},
): JobKind<T> {
  const names = Object.keys(JOBS[type].steps) as JobStep<T>[];
  const ordered = names.map((name) => [name, steps[name] as unknown as AnyStep]);
  return { type, payload: JOBS[type].payload, steps: Object.fromEntries(ordered), ...options };
}

/** A failure that no repetition can mend: the job is `failed` at once. */
export class JobFailure extends Error {
  override name = "JobFailure";
}
