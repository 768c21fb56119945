/**
 * What a kind of job is made of: a payload and steps in their order. A step adds its effect to a commit
 * and answers how the job goes on; the runner adds progress and wake-up and commits all of it, or
 * nothing. A step may be cut off anywhere and run again, so whatever it does outside of its commit must
 * bear repetition.
 *
 * @module
 */
import type { z } from "zod";
import type { Context } from "../../kv/context.ts";
import type { Json } from "../../kv/model/entity.ts";
import type { Progress } from "../../kv/model/job.ts";
import type { JobType } from "../../kv/model/job_type.ts";
import type { Operation } from "../../kv/store/operation.ts";

/** How a job goes on after a step. */
export type Outcome =
  | { kind: "next"; result?: Json; progress?: Progress; light?: true }
  | { kind: "again"; cursor: Json; progress?: Progress }
  | { kind: "wait"; dueAt: number; cursor: Json }
  | { kind: "finish"; result?: Json }
  | { kind: "fail"; reason: string }
  | { kind: "sealed"; outcome: Outcome };

/** The step is done; `result` is kept and handed to the steps that follow. */
export const next = (result?: Json, progress?: Progress): Outcome => ({
  kind: "next",
  ...(result !== undefined && { result }),
  ...(progress !== undefined && { progress }),
});
/** Like {@linkcode next} for a step that may as well run again: it is recorded with the one that follows. */
export const pass = (result?: Json): Outcome => ({
  kind: "next",
  light: true,
  ...(result !== undefined && { result }),
});
/** The step goes on from `cursor`: what it added so far is committed. */
export const again = (cursor: Json, progress?: Progress): Outcome =>
  progress === undefined ? { kind: "again", cursor } : { kind: "again", cursor, progress };
/** The step runs again at `dueAt` (milliseconds). */
export const waitUntil = (dueAt: number, cursor: Json = null): Outcome => ({
  kind: "wait",
  dueAt,
  cursor,
});
/** The job is done, whatever steps remain; the result says why. */
export const finish = (result?: Json): Outcome =>
  result === undefined ? { kind: "finish" } : { kind: "finish", result };
/** The job has failed for good; what the step added is committed. */
export const giveUp = (reason: string): Outcome => ({ kind: "fail", reason });

/** What a step is given. */
export interface Work<P> {
  context: Context;
  jobId: string;
  payload: P;
  /** Null, or what this step last answered with {@linkcode again} or {@linkcode waitUntil}. */
  cursor: Json;
  /** What finished steps have answered, by their names. */
  results: Readonly<{ [step: string]: Json }>;
  /** Which attempt this is, from 1. */
  attempt: number;
  /** The same for every run of this step: names an effect outside of the store. */
  key: string;
  /** The step's effect. One of the ten checks of a commit is the runner's. */
  operation: Operation;
  /** Aborted when the step must end: at shutdown, or when the lease was lost. */
  signal: AbortSignal;
  /**
   * Adds fence, progress and wake-up to a commit that the step makes itself, such as a versioned
   * write. Called last in each attempt of that commit; the step answers what this answers.
   */
  seal(operation: Operation, outcome: Outcome): Outcome;
}

/** One repeatable part of a job. */
export type Step<P> = (work: Work<P>) => Promise<Outcome> | Outcome;

/** A kind of job. */
export interface JobKind<P = unknown> {
  type: JobType;
  payload: z.ZodType<P>;
  /** In the order in which they run. */
  steps: { readonly [name: string]: Step<P> };
  /** A named job starts at most once in this time (ms): requests in between are answered together. */
  gapMs?: number;
}

/** Declares a kind; its payload is parsed before any step sees it. */
export function jobKind<P>(kind: JobKind<P>): JobKind {
  return kind as unknown as JobKind;
}

/** A failure that no repetition can mend: the job is `failed` at once. */
export class JobFailure extends Error {
  override name = "JobFailure";
}
