/**
 * Jobs and kinds of a test's own making, beside the contracts.
 *
 * @module
 */
import type { JobKind, Outcome, Work } from "../../../jobs/runner/job_kind.ts";
import type { Context } from "../../../kv/context.ts";
import type { JobType } from "../../../kv/jobs/job_contracts.ts";
import { addJob, type NewJob } from "../../../kv/jobs/jobs.ts";
import type { Operation } from "../../../kv/store/operation.ts";
import { z } from "zod";

/** What a step of any kind is given. */
export type AnyWork<P> = Omit<Work<JobType>, "payload"> & { payload: P };

/** Steps of any kind. */
export type AnySteps<P> = { [name: string]: (work: AnyWork<P>) => Promise<Outcome> | Outcome };

/** A kind of job with any payload and steps; a SEED by default. */
// deno-lint-ignore no-explicit-any
export function anyKind<P = any>(steps: AnySteps<P>, facts: Partial<JobKind> = {}): JobKind {
  return { type: "SEED", payload: z.unknown(), steps: steps as JobKind["steps"], ...facts };
}

/** A job of any type with any payload. */
export type AnyJob = Omit<NewJob, "payload"> & { payload: unknown };

/** Adds a job of any type with any payload. */
export function addAnyJob(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  job: AnyJob,
): string {
  return addJob(operation, context, job as NewJob);
}
