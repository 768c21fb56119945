/**
 * The documents of the site as they were at an instant, for rendering its pages again. What pruning has
 * removed is not there.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { readWholeRows } from "../documents/rows.ts";
import type { StoredDocument } from "../documents/write.ts";
import { readHead } from "../versioning/entities.ts";
import type { ListPage, ListQuery } from "../index/query/list_query.ts";
import { listRows } from "../index/row_list.ts";
import { currentKey } from "../keys.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import { modernized } from "../model/fields/field_migration.ts";
import type { PastReader } from "./past_collections.ts";
import { stateAtInstant } from "./site_restore/state_at_instant.ts";

/** The documents at the end of a second, epoch seconds, under the present field definitions. */
export function pastDocuments(
  { context }: Pick<Content, "context">,
  past: PastReader,
  schema: Schema,
  at: number,
) {
  const find = async (id: string): Promise<StoredDocument | null> => {
    const head = await readHead(context, "document", id, currentKey("document", id));
    const named = { type: "document" as const, id, head };
    const then = await stateAtInstant(context, past.timeline, named, at);
    if (then.kind !== "there") return null;
    const { n, state } = then;
    const collection = schema.byId.get(state.collectionId);
    return { n, state: collection ? modernized(state, collection, schema.blocks) : state };
  };
  const rowsOf = async (collections: readonly Collection[]) =>
    (await past.at(schema, at, collections)).rows;
  return {
    content: {
      context,
      index: {
        list: async (query: ListQuery): Promise<ListPage> => {
          const rows = await rowsOf(query.collections);
          return await listRows(query, {
            rowsOf: ({ id }) => rows.get(id) ?? [],
            wholeRows: (collection, versions, items) =>
              readWholeRows(context, collection, versions, { items }),
            pause: () => context.store.sleep(0),
            monotonic: context.store.monotonic,
          });
        },
      },
    },
    reader: {
      find,
      findBySlug: async (collectionId: string, slug: string): Promise<StoredDocument | null> => {
        const collection = schema.byId.get(collectionId);
        if (collection === undefined) return null;
        const rows = (await rowsOf([collection])).get(collectionId) ?? [];
        // What lies in the trash may have had the slug as well.
        const row = rows.find((row) => row.slug === slug && row.status !== "trashed");
        return row === undefined ? null : await find(row.id);
      },
      ofPage: async ({ rows }: ListPage): Promise<StoredDocument[]> => {
        const documents = await Promise.all(rows.map(({ id }) => find(id)));
        return documents.filter((document) => document !== null);
      },
    },
  };
}
