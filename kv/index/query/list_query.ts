/**
 * The query of a list, and its result.
 *
 * @module
 */
import type { Collection } from "../../model/entities/collection.ts";
import { type Status, STATUSES } from "../../model/entities/document.ts";
import type { IndexValue } from "../../model/fields/field_type.ts";
import {
  allOf,
  type Condition,
  conditionColumns,
  hasValue,
  type ItemsCondition,
} from "./condition.ts";
import type { IndexRow } from "../index_row.ts";
import { type ColumnKey, columnOfKey } from "../segments/list_columns.ts";

/** One key of a sort. */
export interface SortKey {
  by: ColumnKey;
  descending: boolean;
}

/** A list query. Ties are broken by id in the direction of the first sort key. */
export interface ListQuery {
  /** Fields are looked up in each of them by key; a collection without the field has no values. */
  collections: Collection[];
  statuses: readonly Status[];
  /** A further condition that documents must meet. */
  where?: Condition;
  sort: SortKey[];
  /** How many documents to pass over; counted behind `after` where that is given. */
  offset: number;
  limit: number;
  /** Only documents behind this position; the answer then has the next one. */
  after?: Position | "start";
  /** Whether to answer where the documents stand. */
  withPositions?: true;
  /** Columns of which all selected documents are summed up, whatever the page. */
  facets?: readonly FacetKey[];
  /** Rows that replace those of the index. */
  overlay?: IndexOverlay;
}

/** Rows that replace the index's rows for some documents. */
export interface IndexOverlay {
  /** Cache key of the whole overlay. */
  name: string;
  rows(collectionId: string): readonly IndexRow[];
  /**
   * The same row with whole texts and what the conditions say of it; null for a document that is as the index
   * says.
   */
  wholeRow(
    id: string,
    items: readonly ItemsCondition[],
  ): IndexRow | null | Promise<IndexRow | null>;
}

/** A position in the order of a list, whether or not a document stands there. */
export interface Position {
  /** One for each sort key; texts in their sort form. */
  values: readonly IndexValue[];
  id: string;
}

/** A column to sum up. */
export interface FacetKey {
  by: ColumnKey;
  /** How often each value occurs, or the bounds and the sum of numbers. */
  kind: "values" | "summary";
}

/** How often a value occurs among the selected documents. */
export interface ValueCount {
  value: string | number | boolean;
  count: number;
}

/** The numbers among the selected documents; null for none of them. */
export interface Summary {
  min: number | null;
  max: number | null;
  sum: number;
  avg: number | null;
  count: number;
}

/** The result of a facet. */
export type Facet = ValueCount[] | Summary;

/** A version of a document. */
export interface NamedVersion {
  id: string;
  n: number;
}

/** A document on a list page; `n` is the number of the version that the list shows. */
export interface ListedDocument extends NamedVersion {
  collectionId: string;
}

/** A page of a list; `total` is exact and counts all pages. */
export interface ListPage {
  total: number;
  rows: ListedDocument[];
  /** With `after`: the position of the last document, or null when no others follow. */
  next?: Position | null;
  /** Where the documents stand, if the query asks for it. */
  positions?: Position[];
  /** In the order in which they were asked for. */
  facets?: Facet[];
}

/** All conditions that documents must meet, with their cache key. */
export interface Selection {
  /** Null when everything is selected. */
  where: Condition | null;
  text: string;
}

/** The selection of a query. */
export function selectionOf({ statuses, where }: Pick<ListQuery, "statuses" | "where">): Selection {
  const parts: Condition[] = where === undefined ? [] : [where];
  const wanted = STATUSES.filter((status) => statuses.includes(status));
  if (wanted.length < STATUSES.length) parts.unshift(hasValue("status", ...wanted));
  if (parts.length === 0) return { where: null, text: "" };
  const all = allOf(...parts);
  return { where: all, text: JSON.stringify(all, nameOnly) };
}

/** The columns that a query reads. */
export function queryColumns(
  { sort, facets = [] }: Pick<ListQuery, "sort" | "facets">,
  { where }: Selection,
): string[] {
  return [
    ...(where === null ? [] : conditionColumns(where)),
    ...sort.map(sortColumn),
    ...facets.map(sortColumn),
  ];
}

/** The cache key of a condition. */
export function conditionText(condition: Condition): string {
  return JSON.stringify(condition, nameOnly);
}

/** Sets of documents are known by their name, collections by their id. */
function nameOnly(key: string, value: unknown): unknown {
  if (value instanceof Uint32Array) return undefined;
  return key === "collection" ? (value as Collection).id : value;
}

/** The column of a sort key. */
export function sortColumn({ by }: Pick<SortKey, "by">): string {
  return columnOfKey(by);
}

/** The cache key of a sort. */
export function sortText(sort: readonly SortKey[]): string {
  return JSON.stringify(sort.map((key) => [sortColumn(key), key.descending]));
}
