/**
 * Asking for the jobs of long ago to be forgotten.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Operation } from "../store/operation.ts";
import { addJob } from "./jobs.ts";

/** How likely one job of many asks. */
const ASKS = 1 / 500;

/** Adds the job that forgets old jobs to a commit; asking often does it once. */
export function requestTidying(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  addJob(operation, context, { type: "TIDY_JOBS", name: "tidy", payload: {} });
}

/** The same, now and then: for a job of which there may be very many. */
export function requestTidyingSometimes(operation: Operation, context: Context): void {
  if (context.store.random() < ASKS) requestTidying(operation, context);
}
