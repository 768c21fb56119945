/**
 * Related documents: the nearest ones to a document among those of each of its tags. These are the few that
 * were published before it, and for the first documents of a tag those after them. So a new document changes a
 * bounded number of pages: those of the few that follow it.
 *
 * @module
 */
import type { ListIndex } from "../../kv/index/list_index.ts";
import { hasValue } from "../../kv/index/query/condition.ts";
import type { ListView } from "../../kv/index/list_view.ts";
import type { Position } from "../../kv/index/query/list_query.ts";
import { indexVersionKey } from "../../kv/index/index_keys.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { isAuthorField } from "../../kv/model/fields/author_field.ts";
import type { PublishedDocument } from "../../kv/model/entities/page.ts";
import { type Tag, tagsOf } from "../../kv/model/fields/tags.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";
import { RELATED_MAX, RELATED_TAGS_MAX } from "../limits.ts";
import { chosenOf } from "../render/pages/related_view.ts";

/** Related documents per tag. */
const RELATED_PER_TAG = 3;

/** Whether a tag relates documents: subjects do, authors do not. */
export function relatesDocuments({ field }: Pick<Tag, "field">): boolean {
  return !isAuthorField(field);
}

/** The sources of related documents. */
export interface RelatedSource {
  store: Store;
  index: Pick<ListIndex, "list">;
}

/**
 * Ids of the documents related to one, as many as its page shows: those that share most of its first tags, then the
 * newest of them. `known` is the collection's index version, if it was already read.
 *
 * The place of a candidate in the index decides, so the others are neither read nor registered. RENDER_TAGS renders the
 * page again when one of the candidates leaves or another enters.
 */
export async function findRelated(
  { store, index }: RelatedSource,
  collection: Collection,
  document: PublishedDocument,
  known?: Entry,
): Promise<string[]> {
  const tags = tagsOf(collection, document).filter(relatesDocuments).slice(0, RELATED_TAGS_MAX);
  if (tags.length === 0) return [];
  const version = known ?? await store.get(indexVersionKey(collection.id));
  const neighbours = async ({ field, value }: Tag, descending: boolean, limit: number) => {
    const { positions } = await index.list({
      collections: [collection],
      statuses: ["published"],
      where: hasValue({ fieldKey: field.key }, value),
      sort: [{ by: "publishedAt", descending }],
      // A previewed document will come after all of them.
      after: { values: [document.publishedAt ?? Number.MAX_SAFE_INTEGER], id: document.id },
      offset: 0,
      limit,
      withPositions: true,
    }, [version]);
    return positions ?? [];
  };
  const candidates = await Promise.all(tags.map(async (tag) => {
    const before = await neighbours(tag, true, RELATED_PER_TAG);
    if (before.length === RELATED_PER_TAG) return before;
    return [...before, ...await neighbours(tag, false, RELATED_PER_TAG - before.length)];
  }));
  const chosen = chosenOf(document, collection);
  const free = candidates.flat().filter(({ id }) => !chosen.has(id));
  const shared = [...Map.groupBy(free, ({ id }) => id)]
    .map(([id, places]) => ({ id, count: places.length, at: Number(places[0]?.values[0] ?? 0) }));
  shared.sort((a, b) => b.count - a.count || b.at - a.at || (a.id < b.id ? 1 : -1));
  return shared.slice(0, RELATED_MAX).map(({ id }) => id);
}

/**
 * Ids of the documents whose related documents have changed, because others have left or come to some places in the
 * order of publication; `view` holds the documents of the tag, oldest first.
 */
export function relatedByTag(view: ListView, places: readonly Position[]): Set<string> {
  const ids = new Set<string>();
  for (const place of places) {
    const rank = view.rankOf(place);
    const start = rank <= RELATED_PER_TAG ? 0 : rank;
    for (const { id } of view.page(start, rank + RELATED_PER_TAG + 1 - start)) ids.add(id);
  }
  return ids;
}
