/**
 * From the audit log to the queues of webhooks. An event waits in a row of its own until the commit that
 * queues its messages removes that row.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { queueOf, requestDelivery, stageMessage } from "../deliveries/deliveries.ts";
import { AUDIT_EVENT, type WebhookState } from "../model/entities/webhook.ts";
import type { AuditEvent } from "../model/audit_note.ts";
import { undeliveredAudit } from "../versioning/audit.ts";
import { Operation, type StoredEntry } from "../store/operation.ts";
import { AUDIT_MESSAGES_PER_COMMIT } from "../tuning.ts";
import { enabledFrom } from "./fan_out.ts";

/** Queues the next messages; answers whether there may be more. */
export async function fanOutAudit(
  context: Context,
  webhooks: readonly WebhookState[],
): Promise<boolean> {
  const enabled = webhooks.filter((one) => one.enabled && one.events.includes(AUDIT_EVENT));
  if (enabled.length === 0) return false;
  const limit = Math.max(1, Math.floor(AUDIT_MESSAGES_PER_COMMIT / enabled.length));
  const untold = await undeliveredAudit(context.store, limit);
  const [first] = untold;
  if (first === undefined) return false;
  const receivers = await Promise.all(enabled.map(async (webhook) => {
    return { webhook, from: await enabledFrom(context, webhook) };
  }));
  const operation = new Operation();
  const asked = new Set<string>();
  // Checked together with the first of them: of two runs at once one commits.
  operation.check(first);
  for (const entry of untold) {
    operation.delete(entry.key);
    for (const { webhook, from } of receivers) {
      // What was recorded before the webhook was enabled is not its own.
      if (entry.versionstamp <= from) continue;
      stageAuditMessage(operation, context, webhook.id, entry);
      asked.add(webhook.id);
    }
  }
  for (const receiverId of asked) {
    requestDelivery(operation, context, queueOf({ kind: "webhook", receiverId }));
  }
  await context.store.commit(operation);
  return true;
}

function stageAuditMessage(
  operation: Operation,
  context: Context,
  receiverId: string,
  { key, value: entry, versionstamp }: StoredEntry<AuditEvent>,
): void {
  const id = key.at(-1) as string;
  const body = JSON.stringify({
    type: AUDIT_EVENT,
    timestamp: new Date(entry.at * 1000).toISOString(),
    data: { id, collection: null, version: 1, changedAt: entry.at, entry },
  });
  const message = { event: AUDIT_EVENT, subject: id, body };
  stageMessage(
    operation,
    context,
    { kind: "webhook", receiverId },
    [versionstamp, id, 1],
    message,
  );
}
