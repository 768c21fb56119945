/**
 * Lists by the book: documents in a map, filtered and sorted whole for each query. What the list index
 * is compared with.
 *
 * @module
 */
import type { IndexRow } from "../../../kv/index/index_row.ts";
import type { Bound, Condition } from "../../../kv/index/query/condition.ts";
import { readId } from "../../../kv/index/segments/id_words.ts";
import type { ColumnKey, FilterKey } from "../../../kv/index/segments/list_columns.ts";
import type {
  Facet,
  FacetKey,
  ListPage,
  ListQuery,
  Position,
  SortKey,
} from "../../../kv/index/query/list_query.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { IndexValue } from "../../../kv/model/fields/field_type.ts";
import { textIndex } from "../../../kv/model/values/scalar_index.ts";

/** The documents of each collection, by id; `values` holds every field, flagged or not. */
export type NaiveDocuments = Map<string, Map<string, IndexRow>>;

/** Answers a query. */
export function naiveList(documents: NaiveDocuments, query: ListQuery): ListPage {
  const found = query.collections.flatMap((collection) =>
    [...documents.get(collection.id)?.values() ?? []]
      .map((row) => ({ collection, row }))
      .filter((one) => query.statuses.includes(one.row.status))
      .filter((one) => query.where === undefined || holds(query.where, one, documents))
  );
  found.sort((a, b) => compare(a, b, query.sort));
  const { after, offset, limit } = query;
  const rest = after === undefined || after === "start"
    ? found
    : found.filter((one) => isBehind(one, after, query.sort));
  const cut = rest.slice(offset, offset + limit);
  const rows = cut.map(({ collection, row }) => {
    return { collectionId: collection.id, id: row.id, n: row.n };
  });
  const page: ListPage = { total: found.length, rows };
  if (after !== undefined) {
    page.next = rest.length > offset + limit && cut.length > 0
      ? positionOf(cut.at(-1)!, query.sort)
      : null;
  }
  if (query.facets !== undefined) page.facets = query.facets.map((one) => facetOf(found, one));
  return page;
}

/** The sort values of a document, texts as they sort. */
function positionOf(one: Found, sort: readonly SortKey[]): Position {
  const values = sort.map(({ by }) => {
    const [value = null] = indexedOf(one, by);
    return typeof value === "string" ? sortForm(value) : value;
  });
  return { values, id: one.row.id };
}

function isBehind(one: Found, { values, id }: Position, sort: readonly SortKey[]): boolean {
  const own = positionOf(one, sort);
  for (const [index, { descending }] of sort.entries()) {
    const [left, right] = [own.values[index]!, values[index]!];
    if (left === null || right === null) {
      if (left === right) continue;
      return left === null;
    }
    const order = compareValues(left, right);
    if (order !== 0) return descending ? order < 0 : order > 0;
  }
  return sort[0]?.descending ? own.id < id : own.id > id;
}

function facetOf(found: readonly Found[], { by, kind }: FacetKey): Facet {
  const values = found.flatMap((one) => [...new Set(indexedOf(one, by))])
    .filter((value) => value !== null);
  if (kind === "values") {
    const counts = new Map<string | number | boolean, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts].map(([value, count]) => ({ value, count }))
      .sort((a, b) =>
        b.count - a.count || typeof a.value !== typeof b.value
          ? b.count - a.count || (typeof a.value < typeof b.value ? -1 : 1)
          : compareExactly(a.value, b.value)
      ).slice(0, 100);
  }
  const numbers = values.filter((value) => typeof value === "number").sort((a, b) => a - b);
  const count = numbers.length;
  if (count === 0) return { min: null, max: null, sum: 0, avg: null, count };
  const sum = exactSum(numbers);
  return { min: numbers[0]!, max: numbers.at(-1)!, sum, avg: sum / count, count };
}

/** The double nearest to the sum, counted in units of the smallest double. */
export function exactSum(numbers: readonly number[]): number {
  const total = numbers.reduce((sum, value) => sum + unitsOf(value), 0n);
  const size = total < 0n ? -total : total;
  const dropped = BigInt(Math.max(0, size.toString(2).length - 64));
  const top = size >> dropped;
  // One more digit represents all dropped digits, so that the last rounding accounts for them.
  const isMore = top << dropped !== size;
  const digits = Number(top << 1n | (isMore ? 1n : 0n)) / 2;
  const nearest = digits * 2 ** (Number(dropped) - 1_074);
  return total < 0n ? -nearest : nearest;
}

function unitsOf(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const bits = view.getBigUint64(0);
  const exponent = bits >> 52n;
  const digits = bits & (1n << 52n) - 1n;
  const units = exponent === 0n ? digits : (digits | 1n << 52n) << exponent - 1n;
  return value < 0 ? -units : units;
}

function compareExactly(a: string | number | boolean, b: typeof a): number {
  if (typeof a !== "string" || typeof b !== "string") return Number(a) - Number(b);
  return comparePoints(a, b);
}

/** Whether a document meets a condition. */
function holds(condition: Condition, one: Found, documents: NaiveDocuments): boolean {
  switch (condition.kind) {
    case "and":
      return condition.of.every((part) => holds(part, one, documents));
    case "or":
      return condition.of.some((part) => holds(part, one, documents));
    case "not":
      return !holds(condition.of, one, documents);
    case "documents":
      return Array.from({ length: condition.ids.length / 4 }, (_, at) => readId(condition.ids, at))
        .includes(one.row.id);
    case "values": {
      const own = valuesOf(one, condition.by);
      return own.length === 0
        ? condition.values.includes(null)
        : own.some((value) => condition.values.includes(value));
    }
    case "range":
      return valuesOf(one, condition.by).some((value) => isWithin(value, condition));
    case "part":
      return valuesOf(one, condition.by).some((value) =>
        typeof value === "string" && hasPart(sortForm(value), condition.where, condition.text)
      );
    case "items":
      throw new TypeError("Lists by the book know no items");
    case "match": {
      const { collection, statuses, where } = condition.target;
      return valuesOf(one, condition.by).some((id) => {
        const row = documents.get(collection.id)?.get(String(id));
        return row !== undefined && statuses.includes(row.status) &&
          holds(where, { collection, row }, documents);
      });
    }
  }
}

function hasPart(text: string, where: "contains" | "startsWith" | "endsWith", part: string) {
  if (where === "contains") return text.includes(part);
  return where === "startsWith" ? text.startsWith(part) : text.endsWith(part);
}

function isWithin(value: IndexValue, { from, to }: { from: Bound | null; to: Bound | null }) {
  const isText = typeof (from ?? to)?.value === "string";
  if (isText ? typeof value !== "string" : typeof value !== "number") return false;
  const own = typeof value === "string" ? sortForm(value) : value!;
  const above = from === null ? 1 : compareValues(own, from.value);
  const below = to === null ? -1 : compareValues(own, to.value);
  return (above > 0 || (above === 0 && from?.isOpen !== true)) &&
    (below < 0 || (below === 0 && to?.isOpen !== true));
}

/** The values of a key; framing texts as they sort. */
function valuesOf({ collection, row }: Found, by: FilterKey): IndexValue[] {
  if (typeof by !== "string") return fieldValues({ collection, row }, by.fieldKey);
  const value = by === "id" ? row.id : row[by];
  if (value === null) return [];
  return [by !== "id" && typeof value === "string" ? sortForm(value) : value];
}

/** The same as sorts and facets know them: the texts of fields cut. */
function indexedOf(one: Found, by: ColumnKey): IndexValue[] {
  const values = valuesOf(one, by);
  if (typeof by === "string") return values;
  return values.flatMap((value) => typeof value === "string" ? textIndex(value) : [value]);
}

interface Found {
  collection: Collection;
  row: IndexRow;
}

function compare(a: Found, b: Found, sort: SortKey[]): number {
  for (const { by, descending } of sort) {
    const left = typeof by === "string" ? a.row[by] : indexedOf(a, by)[0] ?? null;
    const right = typeof by === "string" ? b.row[by] : indexedOf(b, by)[0] ?? null;
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
  return comparePoints(sortForm(left), sortForm(right as string));
}

function comparePoints(left: string, right: string): number {
  const a = [...left].map((character) => character.codePointAt(0)!);
  const b = [...right].map((character) => character.codePointAt(0)!);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}

function sortForm(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
