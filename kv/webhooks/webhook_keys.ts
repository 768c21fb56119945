/**
 * The key of events for webhooks: the rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** Up to where changes have been queued for webhooks. */
export const webhookCursorKey: Key = ["webhook", "cursor"];
