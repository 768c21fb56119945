/**
 * The keys of messages to webhooks and plugins: the rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** One message to a receiver, and what came of it. */
export const deliveryKey = (receiverId: string, id: string): Key => [
  ...deliveryPrefix(receiverId),
  id,
];
/** All messages to a receiver, oldest first. */
export const deliveryPrefix = (receiverId: string): Key => ["delivery", "message", receiverId];
/** A message that waits, in the order of the commits that messages tell of. */
export const pendingDeliveryKey = (
  receiverId: string,
  hook: string,
  [stamp, id, n]: readonly [stamp: string, id: string, n: number],
  deliveryId: string,
): Key => [...pendingDeliveryPrefix(receiverId, hook), stamp, id, n, deliveryId];
/** All messages of a queue that wait. */
export const pendingDeliveryPrefix = (receiverId: string, hook: string): Key => [
  "delivery",
  "pending",
  receiverId,
  hook,
];
