/**
 * COMPACT_CHANGES: puts the change log in order, and forgets what no cursor needs any more.
 *
 * @module
 */
import { compactChanges, trimChanges } from "../../kv/changes/compaction.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** The shortest time between two runs, milliseconds. */
const GAP_MS = 1_000;

/** The kind of job that keeps the change log. */
export function compactChangesKind(): JobKind<"COMPACT_CHANGES"> {
  return jobKind("COMPACT_CHANGES", {
    compact: async ({ context, cursor }) => {
      const pieces = (cursor ?? 0) + 1;
      if (!await compactChanges(context)) return next({ pieces });
      return again(pieces, { done: pieces, total: pieces });
    },
    trim: async ({ context, cursor }) => {
      const removed = cursor ?? 0;
      const more = await trimChanges(context);
      return more === 0 ? next({ removed }) : again(removed + more);
    },
  }, { gapMs: GAP_MS });
}
