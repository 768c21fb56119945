/**
 * `meta` of a list: its page or its next cursor, totals and facets.
 *
 * @module
 */
import type { Facet, ListPage } from "../../kv/index/query/list_query.ts";
import { zip } from "../../kv/model/primitives/zip.ts";
import { formatCursor } from "./cursor.ts";
import type { ListRequest } from "./list_request.ts";

/** Metadata of a list. */
export interface ListMeta {
  page?: number;
  perPage: number;
  total: number;
  /** Null at the end. */
  nextCursor?: string | null;
  facets?: Record<string, Facet>;
  [name: string]: unknown;
}

/** `meta` of a page; one that a cursor led to has no number. */
export function listMeta(
  { query, paging: { page, perPage }, facets, order }: ListRequest,
  { total, next = null, facets: found = [] }: ListPage,
): ListMeta {
  const meta: ListMeta = query.after === undefined
    ? { page, perPage, total }
    : { perPage, total, nextCursor: next === null ? null : formatCursor(next, order) };
  if (facets.length > 0) {
    meta.facets = Object.fromEntries(
      zip(facets, found).map(([{ name }, counts]) => [name, counts]),
    );
  }
  return meta;
}
