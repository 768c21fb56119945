/**
 * `_counts`: how many documents each of some documents refers to, or is referred to by, of those that the
 * token may see.
 *
 * @module
 */
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { idsIn } from "../../../kv/model/fields/referenced_ids.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { zip } from "../../../kv/model/primitives/zip.ts";
import type { DocumentCount } from "../../query/document_counts.ts";
import { type IncludeLists, refersTo } from "./include_selection.ts";

/** What counting needs. */
interface CountSource extends IncludeLists {
  /** Whether a document that was looked up may be seen. */
  isVisible: (id: string) => boolean;
}

/** The counts by document; parts that the token may not read are left out. */
export async function countDocuments(
  counts: readonly DocumentCount[],
  states: readonly DocumentState[],
  source: CountSource,
): Promise<Map<string, Record<string, number>>> {
  // Together, since each count may ask the store for the version of a collection's index.
  const found = await Promise.all(states.map(async (state) => {
    const totals = await Promise.all(counts.map((count) => countOf(count, state, source)));
    const own: Record<string, number> = {};
    for (const [{ name }, total] of zip(counts, totals)) if (total !== null) own[name] = total;
    return [state.id, own] as const;
  }));
  return new Map(found);
}

async function countOf(
  { reverse, key, targets }: DocumentCount,
  { id, data }: DocumentState,
  { list, statuses, collection: find, isVisible }: CountSource,
): Promise<number | null> {
  if (reverse === null) {
    const canRead = (slug: string) => {
      const collection = find(slug);
      return collection !== undefined && statuses(collection) !== null;
    };
    if (targets.length > 0 && !targets.some(canRead)) return null;
    return new Set(idsIn(ownValue(data, key))).values().filter(isVisible).toArray().length;
  }
  const visible = statuses(reverse.collection);
  if (visible === null) return null;
  const { total } = await list({
    collections: [reverse.collection],
    statuses: visible,
    where: refersTo(reverse.field, id),
    sort: [],
    offset: 0,
    limit: 0,
  });
  return total;
}
