/**
 * What a list is asked for, and what it answers.
 *
 * @module
 */
import type { Collection } from "../model/collection.ts";
import { type Status, STATUSES } from "../model/document.ts";
import type { IndexValue } from "../model/field_type.ts";
import { sortForm } from "./texts.ts";

/** Framing keys that documents can be sorted by. */
export const FRAMING_SORTS = [
  "createdAt",
  "updatedAt",
  "publishedAt",
  "publishAt",
  "title",
  "slug",
  "status",
] as const;

/** A framing key that documents can be sorted by. */
export type FramingSort = typeof FRAMING_SORTS[number];

/** One key of a sort. */
export interface SortKey {
  by: FramingSort | { fieldKey: string };
  descending: boolean;
}

/** A field and the values of which a document must have one; null stands for "no value". */
export interface FieldFilter {
  fieldKey: string;
  values: IndexValue[];
}

/** A column and the numbers or times between which its value must be; null stands for no bound. */
export interface RangeFilter {
  by: FramingSort | { fieldKey: string };
  from: number | null;
  to: number | null;
}

/** What a list is asked for. Ties are broken by id in the direction of the first sort key. */
export interface ListQuery {
  /** Fields are looked up in each of them by key; a collection without the field has no values. */
  collections: Collection[];
  statuses: readonly Status[];
  /** All of them must match. */
  filters: FieldFilter[];
  /** These too; a document without a value is in no range. */
  ranges?: RangeFilter[];
  /** Text that the title must contain, whatever its case. */
  titleContains?: string;
  sort: SortKey[];
  offset: number;
  limit: number;
}

/** A document on a list page; `n` is the number of the version that the list shows. */
export interface ListedDocument {
  collectionId: string;
  id: string;
  n: number;
}

/** A page of a list; `total` is exact and counts all pages. */
export interface ListPage {
  total: number;
  rows: ListedDocument[];
}

/** The conditions of a query, with the text that stands for them in a cache. */
export interface Conditions {
  /** Null when every status is wanted. */
  statuses: readonly Status[] | null;
  filters: FieldFilter[];
  ranges: RangeFilter[];
  /** In sort form; empty for none. */
  titleContains: string;
  text: string;
}

/** The column of a sort key. */
export function sortColumn({ by }: Pick<SortKey, "by">): string {
  return typeof by === "string" ? framingColumn(by) : fieldColumn(by.fieldKey);
}

/** The column of a framing key. */
export function framingColumn(key: FramingSort): string {
  return `$${key}`;
}

/** The column of a field. */
export function fieldColumn(fieldKey: string): string {
  return `.${fieldKey}`;
}

/** The field of a column, or undefined for a framing key. */
export function columnField(column: string): string | undefined {
  return column.startsWith(".") ? column.slice(1) : undefined;
}

/** The conditions of a query. */
export function conditionsOf(
  query: Pick<ListQuery, "statuses" | "filters" | "ranges" | "titleContains">,
): Conditions {
  const statuses = STATUSES.every((status) => query.statuses.includes(status))
    ? null
    : STATUSES.filter((status) => query.statuses.includes(status));
  const titleContains = sortForm(query.titleContains ?? "");
  const { filters, ranges = [] } = query;
  const parts = [...filters, ...ranges];
  const text = statuses === null && parts.length === 0 && titleContains === ""
    ? ""
    : JSON.stringify([
      statuses,
      filters.map((one) => [one.fieldKey, one.values]),
      titleContains,
      ranges.map((one) => [sortColumn(one), one.from, one.to]),
    ]);
  return { statuses, filters, ranges, titleContains, text };
}

/** The columns that conditions look at. */
export function conditionColumns(conditions: Conditions): string[] {
  const { statuses, filters, ranges, titleContains } = conditions;
  const columns = filters.map((filter) => fieldColumn(filter.fieldKey));
  columns.push(...ranges.map(sortColumn));
  if (statuses !== null) columns.push(framingColumn("status"));
  if (titleContains !== "") columns.push(framingColumn("title"));
  return columns;
}

/** The text that stands for a sort in a cache. */
export function sortText(sort: SortKey[]): string {
  return JSON.stringify(sort.map((key) => [sortColumn(key), key.descending]));
}
