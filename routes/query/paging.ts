/**
 * `page`, `perPage` and `sort`.
 *
 * @module
 */
import { PER_PAGE_DEFAULT, PER_PAGE_MAX, SORT_KEYS_MAX } from "../../kv/limits/requests.ts";
import type { SortKey } from "../../kv/index/query/list_query.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { findColumnField } from "../../kv/model/fields/indexed_fields.ts";
import { Refusal } from "../../kv/refusals.ts";
import { refuseMisspelled } from "./parameters.ts";

/** The position of a page. */
export interface Paging {
  page: number;
  perPage: number;
}

/** A source of parameters. */
interface Values {
  getAll(name: string): string[];
  /** The given names, unless they were checked before. */
  keys?(): Iterable<string>;
}

/** Framing keys that the headless API sorts by. */
export const SORTED_FRAMING = [
  "createdAt",
  "updatedAt",
  "publishedAt",
  "title",
  "slug",
  "status",
] as const;

/** `page` and `perPage`; too large a `perPage` is clamped. A page that no number can hold is past any end. */
export function parsePaging(query: Values, perPageMax = PER_PAGE_MAX): Paging {
  refuseMisspelled(query.keys?.() ?? [], ["page", "perPage"]);
  const page = Math.min(wholeNumber(query, "page") ?? 1, Number.MAX_SAFE_INTEGER);
  const perPage = Math.min(wholeNumber(query, "perPage") ?? PER_PAGE_DEFAULT, perPageMax);
  return { page, perPage };
}

function wholeNumber(query: Values, name: string): number | undefined {
  const [text, again] = query.getAll(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (again !== undefined || !/^\d+$/.test(text) || value < 1) {
    throw new Refusal("PAGINATION_INVALID", {
      about: `${name} must be an integer of at least 1`,
    });
  }
  return value;
}

/** The `sort` of a list; `-createdAt` when nothing is asked for. */
export function parseSort(names: readonly string[] | undefined, collection: Collection): SortKey[] {
  if (names === undefined) return [{ by: "createdAt", descending: true }];
  if (names.length > SORT_KEYS_MAX) {
    throw new Refusal("SORT_FIELD_INVALID", {
      about: `at most ${SORT_KEYS_MAX} fields are allowed`,
    });
  }
  return names.map((text) => {
    const descending = text.startsWith("-");
    const name = descending ? text.slice(1) : text;
    const framing = SORTED_FRAMING.find((key) => key === name);
    if (framing !== undefined) return { by: framing, descending };
    const field = findColumnField(collection, name);
    if (!field?.sortable) throw new Refusal("SORT_FIELD_INVALID", { about: name.slice(0, 100) });
    return { by: { fieldKey: field.key }, descending };
  });
}
