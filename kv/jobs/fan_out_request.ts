/**
 * Asking for the job that queues messages for webhooks.
 *
 * @module
 */
import type { Context } from "../versioning/context.ts";
import { addJob } from "./jobs.ts";
import type { Content } from "../documents/content.ts";
import { Operation } from "../store/operation.ts";

/** Asks for the fan-out; asking often does it once. */
export function requestFanOut(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  addJob(operation, context, { type: "FAN_OUT_WEBHOOKS", name: "webhooks", payload: {} });
}

/**
 * Asks for the fan-out after changes that do not ask themselves, in the background and once for all that
 * came meanwhile. When it fails, or the process dies before, the minute's cron asks.
 */
export function fanOutSoon({ context, schema, webhooks }: Content): () => void {
  let state: "idle" | "asking" | "again" = "idle";
  const ask = async () => {
    do {
      state = "asking";
      if (!await webhooks?.isAnyEnabled(await schema.current())) continue;
      const operation = new Operation();
      requestFanOut(operation, context);
      await context.store.commit(operation);
    } while (String(state) === "again");
  };
  return () => {
    if (state !== "idle") state = "again";
    else {
      ask().catch((error) =>
        context.log.debug("webhooks are notified later", { error: String(error) })
      )
        .finally(() => state = "idle");
    }
  };
}
