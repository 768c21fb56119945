/**
 * COMPACT_INDEX: compacts a collection's index in bounded pieces of work. A removed collection keeps its
 * index, which holds its trashed documents: the collection may be restored.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { readIndexRows } from "../../kv/documents/rows.ts";
import { lostCollection } from "../../kv/history/restore/lost_states.ts";
import { compactCollection } from "../../kv/index/segments/compaction.ts";
import type { CompactionPosition, CursorOf } from "../runner/job_cursors.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** The shortest time between two runs for one collection, milliseconds. */
const GAP_MS = 1_000;

/** The kind of job that compacts list indexes. */
export function compactIndexKind({ context, schema }: Content): JobKind<"COMPACT_INDEX"> {
  return jobKind("COMPACT_INDEX", {
    compact: async ({ payload, cursor }) => {
      const { pieces: before, endEpoch } = positionOf(cursor);
      const pieces = before + 1;
      const collection = (await schema.current()).byId.get(payload.collectionId) ??
        await lostCollection(context, payload.collectionId);
      const { done, ...end } = await compactCollection(context.store, collection, {
        loadRows: (one, ids) => readIndexRows(context, one, ids),
        ...(endEpoch !== undefined && { endEpoch }),
      });
      return done ? next({ pieces }) : again({ pieces, ...end }, { done: pieces, total: pieces });
    },
  }, { gapMs: GAP_MS });
}

/** The position in a cursor, which was the number of pieces in earlier releases. */
function positionOf(cursor: CursorOf<"COMPACT_INDEX", "compact"> | null): CompactionPosition {
  return typeof cursor === "object" ? cursor ?? { pieces: 0 } : { pieces: cursor };
}
