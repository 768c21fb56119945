/**
 * The keys of messages to webhooks: the rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** Up to where changes have been queued for webhooks. */
export const webhookCursorKey: Key = ["webhook", "cursor"];
/** One message to a webhook, and what came of it. */
export const webhookDeliveryKey = (webhookId: string, id: string): Key => [
  ...webhookDeliveryPrefix(webhookId),
  id,
];
/** All messages to a webhook, oldest first. */
export const webhookDeliveryPrefix = (webhookId: string): Key => [
  "webhook",
  "delivery",
  webhookId,
];
/** A message that waits, in the order of the commits that messages tell of. */
export const webhookPendingKey = (
  webhookId: string,
  [stamp, id, n]: readonly [stamp: string, id: string, n: number],
  deliveryId: string,
): Key => [...webhookPendingPrefix(webhookId), stamp, id, n, deliveryId];
/** All messages of a webhook that wait. */
export const webhookPendingPrefix = (webhookId: string): Key => ["webhook", "pending", webhookId];
