/**
 * The progress of the last PRUNE: up to when it processed the histories, under which caps and after which
 * import. The next run processes the histories changed since, as long as caps and import are the same.
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
