/**
 * Asking for webhook messages in the background, for changes that do not ask themselves.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { requestFanOut } from "../jobs/fan_out_request.ts";
import { Operation } from "../store/operation.ts";

/**
 * Requests the fan-out in the background; calls during a request cause one more. If the request fails, or the
 * process dies first, the cron of every minute requests it.
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
