/**
 * Which documents an include shows of one document: those that its filter selects, in its order, as many as
 * its limit allows.
 *
 * @module
 */
import {
  allOf,
  type Condition,
  hasValue,
  someDocuments,
} from "../../../kv/index/query/condition.ts";
import type { ListPage, ListQuery } from "../../../kv/index/query/list_query.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState, Status } from "../../../kv/model/entities/document.ts";
import { REVERSE_LIMIT_DEFAULT } from "../../input/limits.ts";
import type { Include } from "../../query/include.ts";

/** Lists documents as the request sees them. */
export interface IncludeLists {
  list: (query: ListQuery) => Promise<ListPage>;
  /** The statuses of a collection that may be seen; null when it may not be read. */
  statuses: (collection: Collection) => readonly Status[] | null;
  /** A collection by its slug. */
  collection: (slug: string) => Collection | undefined;
}

/** The documents that a reverse include shows, by the document that they refer to; null without the scope. */
export async function reverseIds(
  { reverse, selection }: Include,
  states: readonly Pick<DocumentState, "id">[],
  { list, statuses }: IncludeLists,
): Promise<Map<string, string[]> | null> {
  if (reverse === null) return null;
  const { collection, field } = reverse;
  const visible = statuses(collection);
  if (visible === null) return null;
  const where = selection?.where?.get(collection.slug);
  const found = new Map<string, string[]>();
  await Promise.all([...new Set(states.map(({ id }) => id))].map(async (id) => {
    const { rows } = await list({
      collections: [collection],
      statuses: visible,
      where: allOf(refersTo(field, id), ...(where === undefined ? [] : [where])),
      sort: selection?.sort ?? [{ by: "createdAt", descending: true }],
      offset: 0,
      limit: selection?.limit ?? REVERSE_LIMIT_DEFAULT,
    });
    found.set(id, rows.map((row) => row.id));
  }));
  return found;
}

/** The condition of referring to a document; of a field without a column, documents decide it. */
export function refersTo(field: Collection["fields"][number], id: string): Condition {
  const { key, name, type, indexed } = field;
  if (indexed) return hasValue({ fieldKey: key }, id);
  return {
    kind: "items",
    name,
    key,
    steps: [],
    quantifier: "value",
    of: hasValue({ fieldKey: "value" }, id),
    types: { "": { value: type } },
  };
}

/** The place of each document that an include selects in its order; null if all of them stay. */
export async function includeRanks(
  { selection, targets }: Include,
  ids: readonly string[],
  { list, statuses, collection: find }: IncludeLists,
): Promise<Map<string, number> | null> {
  if (selection === null || (selection.where === null && selection.sort === null)) return null;
  const collections = [...targets.keys()].map(find).filter((one) => one !== undefined);
  const base = { offset: 0, limit: ids.length };
  const among = someDocuments(ids);
  const found = await Promise.all(collections.map(async (collection) => {
    const visible = statuses(collection);
    const where = selection.where?.get(collection.slug);
    if (visible === null || (selection.where !== null && where === undefined)) return [];
    const { rows } = await list({
      ...base,
      collections: [collection],
      statuses: visible,
      where: where === undefined ? among : allOf(among, where),
      sort: selection.sort ?? [],
    });
    return rows.map(({ id }) => id);
  }));
  let order = found.flat();
  if (selection.sort !== null && found.filter((some) => some.length > 0).length > 1) {
    const statusesOf = collections.flatMap((one) => statuses(one) ?? []);
    const query = { ...base, collections, statuses: statusesOf, where: someDocuments(order) };
    order = (await list({ ...query, sort: selection.sort })).rows.map(({ id }) => id);
  }
  return new Map(order.map((id, at) => [id, at]));
}
