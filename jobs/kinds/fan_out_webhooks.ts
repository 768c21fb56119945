/**
 * FAN_OUT_WEBHOOKS: queues a message for every change that a webhook receives.
 *
 * @module
 */
import { fanOutAudit } from "../../kv/webhooks/audit_fan_out.ts";
import { fanOut } from "../../kv/webhooks/fan_out.ts";
import type { WebhookDeps } from "../deliveries/webhook_receiver.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** The kind of job that fills the queues of webhooks. */
export function fanOutWebhooksKind(
  { content: { context, schema }, webhooks, readFilter }: WebhookDeps,
): JobKind<"FAN_OUT_WEBHOOKS"> {
  return jobKind("FAN_OUT_WEBHOOKS", {
    fanOut: async ({ cursor }) => {
      const portions = (cursor ?? 0) + 1;
      const filterContext = { context, schema: await schema.current(), readFilter };
      const receivers = await webhooks.current();
      const moreChanges = await fanOut(filterContext, receivers);
      const moreAudit = await fanOutAudit(context, receivers);
      return moreChanges || moreAudit ? again(portions) : next({ pieces: portions });
    },
  });
}
