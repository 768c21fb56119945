/**
 * The query of a list request, parsed once: page, sort, status and field filters.
 *
 * @module
 */
import {
  FILTER_VALUES_MAX,
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  SORT_KEYS_MAX,
} from "../../kv/limits.ts";
import type { ListQuery } from "../../kv/index/list_query.ts";
import type { Collection } from "../../kv/model/collection.ts";
import type { Status } from "../../kv/model/document.ts";
import type { IndexValue } from "../../kv/model/field_type.ts";
import { fieldType } from "../../kv/model/field_types/registry.ts";
import { type Detail, Refusal } from "../../kv/refusals.ts";

/** Where a page lies. */
export interface Paging {
  page: number;
  perPage: number;
}

/** Sortable keys that every document has. */
const FRAMING_SORTS = ["createdAt", "updatedAt", "publishedAt", "title", "slug", "status"] as const;

type Sort = ListQuery["sort"];
type Filters = ListQuery["filters"];

/** `page` and `perPage`; too large a `perPage` is clamped. A page that no number can hold is past any end. */
export function parsePaging(query: URLSearchParams, perPageMax = PER_PAGE_MAX): Paging {
  const page = Math.min(wholeNumber(query, "page") ?? 1, Number.MAX_SAFE_INTEGER);
  const perPage = Math.min(wholeNumber(query, "perPage") ?? PER_PAGE_DEFAULT, perPageMax);
  return { page, perPage };
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const values = query.getAll(name);
  if (values.length === 0) return undefined;
  const [text] = values;
  const value = Number(text);
  if (values.length > 1 || !/^\d+$/.test(text!) || value < 1) {
    throw new Refusal("PAGINATION_INVALID", {
      about: `${name} must be a whole number of 1 or more`,
    });
  }
  return value;
}

/** The `sort` of a list; `-createdAt` when nothing is asked for. */
export function parseSort(query: URLSearchParams, collection: Collection): Sort {
  const values = query.getAll("sort");
  if (values.length === 0) return [{ by: "createdAt", descending: true }];
  // Clients that repeat a parameter for each element of a list mean the same as the comma does.
  const names = values.flatMap((value) => value.split(","));
  if (names.length > SORT_KEYS_MAX) {
    throw new Refusal("SORT_FIELD_INVALID", { about: `more than ${SORT_KEYS_MAX} fields` });
  }
  return names.map((text) => {
    const descending = text.startsWith("-");
    const name = descending ? text.slice(1) : text;
    const framing = FRAMING_SORTS.find((key) => key === name);
    if (framing !== undefined) return { by: framing, descending };
    const field = collection.fields.find((field) => field.name === name && field.sortable);
    if (field === undefined) throw new Refusal("SORT_FIELD_INVALID", { about: name.slice(0, 100) });
    return { by: { fieldKey: field.key }, descending };
  });
}

const FILTERABLE_STATUSES: readonly Status[] = ["draft", "published", "scheduled", "archived"];

/** The statuses that the query asks for among those that the token may see. */
export function parseStatus(query: URLSearchParams, visible: readonly Status[]): readonly Status[] {
  const values = query.getAll("status");
  if (values.length === 0) return visible;
  const status = FILTERABLE_STATUSES.find((status) => status === values[0]);
  if (status === undefined || values.length > 1) {
    throw filterRefusal([{
      field: "status",
      code: "INVALID_FILTER_VALUE",
      message: `Must be one of ${FILTERABLE_STATUSES.join(", ")}`,
    }]);
  }
  return visible.includes(status) ? [status] : [];
}

/** The `field.<name>` filters: several fields must all match, several values of one any. `search` is the query as sent. */
export function parseFilters(search: string, collection: Collection): Filters {
  const filters = new Map<string, IndexValue[]>();
  const details: Detail[] = [];
  let count = 0;
  for (const pair of search.replace(/^\?/, "").split("&")) {
    const [parameter = ""] = new URLSearchParams(pair).keys();
    if (!parameter.startsWith("field.")) continue;
    const name = parameter.slice("field.".length);
    const field = collection.fields.find((field) => field.name === name);
    if (field === undefined) {
      throw new Refusal("FILTER_FIELD_INVALID", { about: name.slice(0, 100) });
    }
    const type = fieldType(field.type);
    if (!field.indexed || !type.can.index) {
      throw new Refusal("FIELD_NOT_FILTERABLE", { about: name });
    }
    count += 1;
    const text = valueOf(pair);
    const value = text === undefined ? undefined : type.parseFilter(text, field);
    if (value === undefined || count > FILTER_VALUES_MAX) {
      const message = value === undefined ? `Is no ${field.type} of this field` : "Too many values";
      details.push({ field: parameter, code: "INVALID_FILTER_VALUE", message });
    } else filters.set(field.key, [...filters.get(field.key) ?? [], value]);
  }
  if (details.length > 0) throw filterRefusal(details.slice(0, FILTER_VALUES_MAX));
  return [...filters].map(([fieldKey, values]) => ({ fieldKey, values }));
}

/** The value of a `name=value` pair; undefined when its percent-encoding is broken. */
function valueOf(pair: string): string | undefined {
  const equals = pair.indexOf("=");
  if (equals < 0) return "";
  try {
    return decodeURIComponent(pair.slice(equals + 1).replaceAll("+", " "));
  } catch (error) {
    // The lenient parser would put other characters in its place, and find what was not asked for.
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function filterRefusal(details: Detail[]): Refusal {
  return new Refusal("VALIDATION_FAILED", { details });
}
