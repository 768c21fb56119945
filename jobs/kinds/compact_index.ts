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
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** The shortest time between two runs for one collection, milliseconds. */
const GAP_MS = 1_000;

/** The kind of job that compacts list indexes. */
export function compactIndexKind({ context, schema }: Content): JobKind<"COMPACT_INDEX"> {
  return jobKind("COMPACT_INDEX", {
    compact: async ({ payload, cursor }) => {
      const pieces = (cursor ?? 0) + 1;
      const collection = (await schema.current()).byId.get(payload.collectionId) ??
        await lostCollection(context, payload.collectionId);
      const { done } = await compactCollection(context.store, collection, {
        loadRows: (one, ids) => readIndexRows(context, one, ids),
      });
      return done ? next({ pieces }) : again(pieces, { done: pieces, total: pieces });
    },
  }, { gapMs: GAP_MS });
}
