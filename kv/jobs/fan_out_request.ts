/**
 * Asking for the job that queues messages for webhooks.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "./jobs.ts";
import type { Operation } from "../store/operation.ts";

/** Asks for the fan-out; asking often does it once. */
export function requestFanOut(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  addJob(operation, context, { type: "FAN_OUT_WEBHOOKS", name: "webhooks", payload: {} });
}
