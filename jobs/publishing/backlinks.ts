/**
 * The newest documents that carry another one: as who made them, or as a tag. The page of an author leads to what he
 * wrote. It follows RENDER_TAGS, which every change of a document that carries tags asks for.
 *
 * @module
 */
import type { ListIndex } from "../../kv/index/list_index.ts";
import { hasValue } from "../../kv/index/query/condition.ts";
import { indexVersionKey } from "../../kv/index/index_keys.ts";
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import type { Store } from "../../kv/store/store.ts";
import { BACKLINKS_MAX } from "../limits.ts";
import { backlinkFields, type BacklinkIds } from "../render/pages/backlinks_view.ts";

/** Ids of the newest documents that carry one, by the field that refers to it; none where there are none. */
export async function findReferencing(
  { store, index }: { store: Store; index: Pick<ListIndex, "list"> },
  schema: Schema,
  collection: Collection,
  documentId: string,
): Promise<BacklinkIds[]> {
  const found = await Promise.all(
    backlinkFields(schema, collection).map(async ({ collection, field }) => {
      const version = await store.get(indexVersionKey(collection.id));
      const { rows, total } = await index.list({
        collections: [collection],
        statuses: ["published"],
        where: hasValue({ fieldKey: field.key }, documentId),
        sort: [{ by: "publishedAt", descending: true }],
        offset: 0,
        limit: BACKLINKS_MAX,
      }, [version]);
      return { collection, field, ids: rows.map(({ id }) => id), total };
    }),
  );
  return found.filter(({ total }) => total > 0);
}
