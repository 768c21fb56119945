/**
 * The newest published documents, for what shows only those.
 *
 * @module
 */
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import type { Condition } from "../../../kv/index/query/condition.ts";
import type { ListIndex } from "../../../kv/index/list_index.ts";
import type { ListPage } from "../../../kv/index/query/list_query.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { isPublished, type PublishedDocument } from "../../../kv/model/entities/page.ts";

/** The newest published documents of collections as the index has them, newest first. */
export function listNewest(
  { index }: { index: Pick<ListIndex, "list"> },
  collections: Collection[],
  limit: number,
  where?: Condition,
): Promise<ListPage> {
  return index.list({
    collections,
    statuses: ["published"],
    ...(where !== undefined && { where }),
    sort: [{ by: "publishedAt", descending: true }],
    offset: 0,
    limit,
  });
}

/** The published documents of a list page, each at the version that the index saw. */
export async function publishedOf(
  { reader }: { reader: Pick<DocumentReader, "ofPage"> },
  page: ListPage,
): Promise<PublishedDocument[]> {
  return (await reader.ofPage(page)).map(({ state }) => state).filter(isPublished);
}
