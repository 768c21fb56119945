/**
 * REPLAY_WEBHOOK: tells a webhook again of everything since a time, as far as the change log goes back.
 *
 * @module
 */
import { afterStamp, FIRST_STAMP, readChanges } from "../../kv/changes/change_log.ts";
import { changeStampKey } from "../../kv/changes/change_keys.ts";
import { concerns, stageChangeMessage } from "../../kv/webhooks/fan_out.ts";
import { queueOf, requestDelivery } from "../../kv/deliveries/deliveries.ts";
import type { WebhookDeps } from "../deliveries/webhook_receiver.ts";
import { again, finish, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** Changes that one portion looks at; each may queue a message. */
const CHANGES_PER_PORTION = 150;

/** The kind of job that tells webhooks again. */
export function replayWebhookKind(
  { content: { context, schema }, webhooks, readFilter }: WebhookDeps,
): JobKind<"REPLAY_WEBHOOK"> {
  const { store } = context;
  return jobKind("REPLAY_WEBHOOK", {
    replay: async ({ payload: { webhookId, since }, cursor, operation }) => {
      const webhook = (await webhooks.current()).find(({ id }) => id === webhookId);
      if (webhook === undefined) return finish({ messages: 0 });
      const filterContext = { context, schema: await schema.current(), readFilter };
      let { position, upTo, messages } = cursor ?? {
        position: afterStamp(FIRST_STAMP),
        upTo: (await store.get(changeStampKey)).versionstamp ?? FIRST_STAMP,
        messages: 0,
      };
      const limit = CHANGES_PER_PORTION;
      const { changes } = await readChanges(store, { after: position, upTo, limit });
      for (const change of changes) {
        position = { stamp: change.stamp, id: change.id, n: change.n };
        if (change.at < since || !(await concerns(filterContext, webhook, change))) continue;
        await stageChangeMessage(operation, context, webhookId, change, filterContext.schema);
        messages += 1;
      }
      if (operation.mutations > 0) {
        requestDelivery(operation, context, queueOf({ kind: "webhook", receiverId: webhookId }));
      }
      if (changes.length < limit) return next({ messages });
      return again({ position, upTo, messages });
    },
  });
}
