/**
 * Requests for the removal of old jobs.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Operation } from "../store/operation.ts";
import { addJob } from "./jobs.ts";

/** The probability that one job requests it. */
const ASKS = 1 / 500;

/** Adds the job that removes old jobs to a commit; repeated requests run once. */
export function requestTidying(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  addJob(operation, context, { type: "TIDY_JOBS", name: "tidy", payload: {} });
}

/** The same with a small probability, for jobs that may be very many. */
export function requestTidyingSometimes(operation: Operation, context: Context): void {
  if (context.store.random() < ASKS) requestTidying(operation, context);
}
