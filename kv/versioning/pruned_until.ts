/**
 * What the last PRUNE has left: up to when it went through the histories, and by what. The next one goes through
 * those that have changed since, as long as all of that still holds.
 *
 * @module
 */
import { prunedUntilKey } from "../keys.ts";
import type { Operation } from "../store/operation.ts";

/** Up to when histories were gone through, by which caps, and the import that had brought them. */
export interface PrunedUntil {
  /** Epoch seconds; 0 for never. */
  at: number;
  /** The caps by type; null for one that changed while its histories were gone through. */
  keep: { [type: string]: number | null };
  /** Versionstamp of the import's lock. */
  site: string | null;
}

/** Adds to a commit that a version may have become surplus in a history that has not changed. */
export function forgetPruned(operation: Operation): void {
  operation.set(prunedUntilKey, { at: 0, keep: {}, site: null } satisfies PrunedUntil);
}
