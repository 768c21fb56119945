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
import type { IndexRow } from "../../kv/index/index_row.ts";
import { indexVersionKey } from "../../kv/index/index_keys.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { isAuthorField } from "../../kv/model/fields/author_field.ts";
import type { PublishedDocument } from "../../kv/model/entities/page.ts";
import { type Tag, tagsOf } from "../../kv/model/fields/tags.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";
import { RELATED_TAGS_MAX } from "../limits.ts";

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
 * Ids of the documents related to one, for each of its first tags, the nearest before it first. `known` is the
 * collection's index version, if it was already read.
 */
export async function findRelated(
  { store, index }: RelatedSource,
  collection: Collection,
  document: PublishedDocument,
  known?: Entry,
): Promise<string[][]> {
  const tags = tagsOf(collection, document).filter(relatesDocuments).slice(0, RELATED_TAGS_MAX);
  if (tags.length === 0) return [];
  const version = known ?? await store.get(indexVersionKey(collection.id));
  const neighbours = async ({ field, value }: Tag, descending: boolean, limit: number) => {
    const { rows } = await index.list({
      collections: [collection],
      statuses: ["published"],
      where: hasValue({ fieldKey: field.key }, value),
      sort: [{ by: "publishedAt", descending }],
      // A previewed document will come after all of them.
      after: { values: [document.publishedAt ?? Number.MAX_SAFE_INTEGER], id: document.id },
      offset: 0,
      limit,
    }, [version]);
    return rows.map(({ id }) => id);
  };
  return await Promise.all(tags.map(async (tag) => {
    const before = await neighbours(tag, true, RELATED_PER_TAG);
    if (before.length === RELATED_PER_TAG) return before;
    return [...before, ...await neighbours(tag, false, RELATED_PER_TAG - before.length)];
  }));
}

/** Ids of the documents whose related documents have changed; `view` holds those of the tag, oldest first. */
export function relatedByTag(view: ListView, entered: readonly IndexRow[]): Set<string> {
  const ids = new Set<string>();
  for (const row of entered) {
    const rank = view.rankOf(row);
    const start = rank <= RELATED_PER_TAG ? 0 : rank + 1;
    for (const { id } of view.page(start, rank + RELATED_PER_TAG + 1 - start)) ids.add(id);
  }
  return ids;
}

/** Represents a document in the order of publication. */
export function rowAt(id: string, publishedAt: number | null): IndexRow {
  return {
    id,
    n: 1,
    status: "published",
    createdAt: 0,
    updatedAt: 0,
    publishedAt,
    publishAt: null,
    slug: "",
    title: "",
    values: {},
  };
}
