/**
 * Parses the query of a list for the headless API, the admin API and the studio.
 *
 * @module
 */
import { parseSearchWords } from "./search_words.ts";
import { allOf, type Condition } from "../../kv/index/query/condition.ts";
import { type ListQuery, sortText } from "../../kv/index/query/list_query.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { invalid, Refusal } from "../../kv/refusals.ts";
import { parseCursor } from "./cursor.ts";
import { parseFacets, type RequestedFacet } from "./facet_keys.ts";
import { FilterBudget, type FilterScope, type Visibility } from "./filter_budget.ts";
import { jsonCondition } from "./filter_json.ts";
import { parameterConditions } from "./filter_parameters.ts";
import type { FilteredFraming } from "./filter_target.ts";
import { isRandom, parseRandomOrder, RANDOM_SORT, type RandomOrder } from "./random_order.ts";
import type { Status } from "../../kv/model/entities/document.ts";
import { type Paging, parsePaging, parseSort } from "./paging.ts";
import type { Parameters } from "./parameters.ts";

/** Options for parsing a list request. */
export interface ListScope {
  collection: Collection;
  framing: readonly FilteredFraming[];
  /** Statuses that documents here can have. */
  filtered: readonly Status[];
  visibility: Visibility;
  blocks: FilterScope["blocks"];
  /** Whether `from.<name>` and `to.<name>` are known. */
  hasEnds: boolean;
  /** Whether `q` is a full-text search, which sorts by rank. */
  ranksByQuery: boolean;
  /** What the order depends on besides the sort, for cursors. */
  seenAs?: string;
}

/** A parsed list request. */
export interface ListRequest {
  query: Pick<ListQuery, "where" | "sort" | "offset" | "limit" | "after" | "facets">;
  paging: Paging;
  /** The search text; null if the list is not searched. */
  text: string | null;
  /** Whether the list is in the order of the search. */
  isRanked: boolean;
  facets: RequestedFacet[];
  /** Set if the list is in random order. */
  random: RandomOrder | null;
  /** The fingerprint of the sort, for cursors. */
  order: string;
}

/** Reads everything about which documents are listed, in which order. */
export function parseListRequest(parameters: Parameters, scope: ListScope): ListRequest {
  const { collection, ranksByQuery } = scope;
  const getAll = (name: string) => parameters.values(name);
  const paging = parsePaging({ getAll });
  const sorted = parameters.names("sort");
  const inRandomOrder = isRandom(sorted, collection);
  const sort = inRandomOrder ? [] : parseSort(sorted, collection);
  const where = parseFilters(parameters, scope);
  const text = ranksByQuery ? parseQueryText(getAll("q")) : null;
  const isRanked = text !== null && sorted === undefined;
  const facets = parseFacets(parameters.names("facets"), collection);
  const seen = scope.seenAs === undefined ? "" : ` ${scope.seenAs}`;
  const orderName = inRandomOrder ? RANDOM_SORT : isRanked ? `rank ${text}` : sortText(sort);
  const order = `${collection.id} ${orderName}${seen}`;
  const given = cursorText(getAll("cursor"), getAll("page"));
  const random = inRandomOrder ? parseRandomOrder(parameters, given, order) : null;
  const keys = isRanked ? 1 : sort.length;
  const listed = given === undefined || random !== null
    ? undefined
    : parseCursor(given, order, keys);
  const cursor = random === null ? listed : random.after;
  const query: ListRequest["query"] = {
    sort,
    offset: cursor === undefined ? (paging.page - 1) * paging.perPage : 0,
    limit: paging.perPage,
  };
  if (where !== null) query.where = where;
  if (cursor !== undefined) query.after = cursor;
  if (facets.length > 0) query.facets = facets;
  return { query, paging, text, isRanked, facets, random, order };
}

/** The filters of a request; null for none. */
export function parseFilters(
  parameters: Parameters,
  { collection, framing, filtered, visibility, blocks, hasEnds }: Omit<ListScope, "ranksByQuery">,
): Condition | null {
  const budget = new FilterBudget();
  const scope: FilterScope = { collection, framing, filtered, visibility, blocks, budget };
  const conditions = parameterConditions(parameters.all, scope, hasEnds);
  for (const text of parameters.values("filter")) conditions.push(jsonCondition(text, scope));
  budget.check();
  return conditions.length === 0 ? null : allOf(...conditions);
}

/** The text of a cursor; undefined if none is given. */
function cursorText(cursors: string[], pages: string[]): string | undefined {
  const [text] = cursors;
  if (text === undefined) return undefined;
  if (cursors.length > 1) {
    throw new Refusal("CURSOR_INVALID", { about: "cursor must be given only once" });
  }
  if (pages.length > 0) {
    throw new Refusal("PAGINATION_INVALID", { about: "page and cursor cannot be combined" });
  }
  return text;
}

/** `q`; null when it is not given. */
function parseQueryText(texts: readonly string[]): string | null {
  if (texts.length === 0) return null;
  const words = parseSearchWords(texts);
  if (!("text" in words)) throw invalid("q", words.code, words.message);
  return words.text;
}
