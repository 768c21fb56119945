/**
 * The keys of requests with an idempotency key.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** The result of a write with an idempotency key, by token and a digest of the key. */
export const idempotencyKey = (
  tokenId: string,
  digest: string,
): Key => ["idempotency", tokenId, digest];
/** Until when a request with an idempotency key is taken to be under way, in whatever process. */
export const idempotencyClaimKey = (
  tokenId: string,
  digest: string,
): Key => ["idempotency_claim", tokenId, digest];
