/**
 * Lists by the book: documents in a map, filtered and sorted whole for each query. What the list index
 * is compared with.
 *
 * @module
 */
import type { IndexRow } from "../../kv/index/index_row.ts";
import type { ListPage, ListQuery, SortKey } from "../../kv/index/list_query.ts";
import type { Collection } from "../../kv/model/collection.ts";
import type { IndexValue } from "../../kv/model/field_type.ts";

/** The documents of each collection, by id; `values` holds every field, flagged or not. */
export type NaiveDocuments = Map<string, Map<string, IndexRow>>;

/** Answers a query. */
export function naiveList(documents: NaiveDocuments, query: ListQuery): ListPage {
  const found = query.collections.flatMap((collection) =>
    [...documents.get(collection.id)?.values() ?? []]
      .filter((row) => matches(row, collection, query))
      .map((row) => ({ collection, row }))
  );
  found.sort((a, b) => compare(a, b, query.sort));
  const rows = found.slice(query.offset, query.offset + query.limit)
    .map(({ collection, row }) => ({ collectionId: collection.id, id: row.id, n: row.n }));
  return { total: found.length, rows };
}

interface Found {
  collection: Collection;
  row: IndexRow;
}

function matches(row: IndexRow, collection: Collection, query: ListQuery): boolean {
  if (!query.statuses.includes(row.status)) return false;
  const part = sortForm(query.titleContains ?? "");
  if (!sortForm(row.title).includes(part)) return false;
  return query.filters.every(({ fieldKey, values }) => {
    const own = fieldValues({ collection, row }, fieldKey);
    return own.length === 0 ? values.includes(null) : own.some((value) => values.includes(value));
  });
}

function compare(a: Found, b: Found, sort: SortKey[]): number {
  for (const { by, descending } of sort) {
    const left = typeof by === "string" ? a.row[by] : fieldValues(a, by.fieldKey)[0] ?? null;
    const right = typeof by === "string" ? b.row[by] : fieldValues(b, by.fieldKey)[0] ?? null;
    if (left === null || right === null) {
      if (left === right) continue;
      return left === null ? 1 : -1;
    }
    const order = compareValues(left, right);
    if (order !== 0) return descending ? -order : order;
  }
  const order = a.row.id < b.row.id ? -1 : 1;
  return sort[0]?.descending ? -order : order;
}

function fieldValues({ collection, row }: Found, key: string): IndexValue[] {
  const field = collection.fields.find((one) => one.key === key);
  if (field === undefined || !(field.indexed || field.sortable)) return [];
  return (row.values[key] ?? []).filter((value) => value !== null);
}

/** Booleans come before numbers, numbers before texts. */
function compareValues(left: string | number | boolean, right: typeof left): number {
  const kinds = ["boolean", "number", "string"];
  const kind = kinds.indexOf(typeof left) - kinds.indexOf(typeof right);
  if (kind !== 0) return kind;
  if (typeof left !== "string") return Number(left) - Number(right);
  const a = [...sortForm(left)].map((character) => character.codePointAt(0)!);
  const b = [...sortForm(right as string)].map((character) => character.codePointAt(0)!);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

function sortForm(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
