/**
 * FAN_OUT_WEBHOOKS: queues a message for every change that a webhook is to be told of.
 *
 * @module
 */
import type { Content } from "../kv/documents/content.ts";
import { fanOut } from "../kv/webhooks/fan_out.ts";
import type { WebhookSource } from "../kv/webhooks/webhooks.ts";
import { again, type JobKind, jobKind, next } from "./runner/job_kind.ts";

/** The kind of job that fills the queues of webhooks. */
export function fanOutWebhooksKind(
  { context, schema }: Content,
  webhooks: WebhookSource,
): JobKind<"FAN_OUT_WEBHOOKS"> {
  return jobKind("FAN_OUT_WEBHOOKS", {
    fanOut: async ({ cursor }) => {
      const portions = (cursor as number | null ?? 0) + 1;
      const more = await fanOut(context, await webhooks.current(), await schema.current());
      return more ? again(portions) : next({ pieces: portions });
    },
  });
}
