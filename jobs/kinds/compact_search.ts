/**
 * COMPACT_SEARCH: compacts postings into segments and merges segments, one piece of work after the other, of both
 * indexes.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { LANGUAGES } from "../../kv/search/search_keys.ts";
import { compactSearch } from "../../kv/search/segments/compaction.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** The shortest time between two runs, milliseconds. */
const GAP_MS = 1_000;

/** The kind of job that compacts the search index. */
export function compactSearchKind({ schema }: Content): JobKind<"COMPACT_SEARCH"> {
  return jobKind("COMPACT_SEARCH", {
    compact: async ({ context, cursor }) => {
      const pieces = (cursor ?? 0) + 1;
      const { store, now, newId } = context;
      const { languages } = await schema.latest();
      const mayContinue = await compactSearch(context) ||
        (languages !== undefined && await compactSearch({ store, now, newId, keys: LANGUAGES }));
      return mayContinue ? again(pieces, { done: pieces, total: pieces }) : next({ pieces });
    },
  }, { gapMs: GAP_MS });
}
