/**
 * COMPACT_INDEX: folds a collection's index together, one bounded piece of work after the other, and
 * erases the index of a collection that is no more.
 *
 * @module
 */
import { z } from "zod";
import type { Content } from "../kv/documents/content.ts";
import { readIndexRows } from "../kv/documents/rows.ts";
import { compactCollection, eraseIndex } from "../kv/index/compaction.ts";
import { again, type JobKind, jobKind, next } from "./runner/job_kind.ts";

/** The shortest time between two runs for one collection, milliseconds. */
const GAP_MS = 1_000;

/** The kind of job that compacts list indexes. */
export function compactIndexKind({ context, schema }: Content): JobKind {
  return jobKind<{ collectionId: string }>({
    type: "COMPACT_INDEX",
    payload: z.object({ collectionId: z.ulid() }),
    gapMs: GAP_MS,
    steps: {
      compact: async ({ payload, cursor }) => {
        const pieces = (cursor as number | null ?? 0) + 1;
        const collection = (await schema.current()).byId.get(payload.collectionId);
        const { done } = collection === undefined
          ? await eraseIndex(context.store, payload.collectionId)
          : await compactCollection(context.store, collection, {
            loadRows: (one, ids) => readIndexRows(context, one, ids),
          });
        return done ? next({ pieces }) : again(pieces, { done: pieces, total: pieces });
      },
    },
  });
}
