/**
 * The query of the admin's document list: collection, status, title search, sort, field filters,
 * ranges, page, and whether only documents are wanted that have a working copy, or wait for a review.
 *
 * @module
 */
import { SEARCH_CHARS_MAX } from "../../kv/limits.ts";
import type { Mark } from "../../kv/documents/reference_rows.ts";
import type { ListQuery } from "../../kv/index/list_query.ts";
import type { Collection, Schema } from "../../kv/model/collection.ts";
import { type Status, STATUSES } from "../../kv/model/document.ts";
import { invalid } from "../../kv/refusals.ts";
import { getCollection } from "../../kv/schema/schema.ts";
import { allOf, titleContains } from "../../kv/index/condition.ts";
import type { Sight } from "../query/filter_budget.ts";
import { FILTERED_FRAMING } from "../query/filter_target.ts";
import { type ListRequest, parseListRequest } from "../query/list_request.ts";
import { Parameters } from "../query/parameters.ts";
import type { Paging } from "../query/paging.ts";

/** Parses the query; without a collection, all of them are listed by framing keys. */
export function parseDocumentList(
  params: URLSearchParams,
  schema: Schema,
): { query: ListQuery; paging: Paging; request: ListRequest; mark: Mark | null } {
  const parameters = new Parameters(params.toString());
  const slug = params.get("collection");
  const collections = slug === null ? schema.collections : [getCollection(schema, slug)];
  const shared: Collection = collections.length === 1 ? collections[0]! : NO_FIELDS;
  const title = params.get("q")?.trim() ?? "";
  if ([...title].length > SEARCH_CHARS_MAX) {
    throw invalid("q", "TOO_LONG", `Must have at most ${SEARCH_CHARS_MAX} characters`);
  }
  const request = parseListRequest(parameters, {
    collection: shared,
    framing: [...FILTERED_FRAMING, "publishAt"],
    sight: new AdminSight(schema),
    hasEnds: true,
    ranksByQuery: false,
  });
  const conditions = request.query.where === undefined ? [] : [request.query.where];
  if (title !== "") conditions.push(titleContains(title));
  const query: ListQuery = { ...request.query, collections, statuses: parseStatuses(params) };
  if (conditions.length > 0) query.where = allOf(...conditions);
  return { query, paging: request.paging, request, mark: parseMark(params) };
}

/** `workingCopy=true` or `review=asked`: only documents that are marked so; null for all. */
function parseMark(params: URLSearchParams): Mark | null {
  const [workingCopy, review] = [params.get("workingCopy"), params.get("review")];
  if (workingCopy !== null && workingCopy !== "true") {
    throw invalid("workingCopy", "INVALID_FILTER_VALUE", "Must be true, or left out");
  }
  if (review !== null && review !== "asked") {
    throw invalid("review", "INVALID_FILTER_VALUE", "Must be asked, or left out");
  }
  if (workingCopy !== null && review !== null) {
    throw invalid("review", "INVALID_FILTER_VALUE", "Must be left out beside workingCopy");
  }
  return workingCopy !== null ? "changed" : review;
}

/** A person who may read documents sees all of them but those in the trash. */
class AdminSight implements Sight {
  readonly #schema: Schema;

  constructor(schema: Schema) {
    this.#schema = schema;
  }

  statuses(): readonly Status[] {
    return STATUSES.filter((status) => status !== "trashed");
  }

  collection(slug: string): Collection | undefined {
    return this.#schema.bySlug.get(slug);
  }
}

/** Stands for "several collections": none of their fields can be sorted or filtered by. */
const NO_FIELDS: Collection = {
  id: "",
  slug: "",
  name: "",
  description: "",
  exposed: false,
  createdAt: 0,
  updatedAt: 0,
  fields: [],
};

function parseStatuses(params: URLSearchParams): readonly Status[] {
  const given = params.getAll("status").flatMap((text) => text.split(","));
  if (given.length === 0) return STATUSES.filter((status) => status !== "trashed");
  const known: readonly string[] = [...STATUSES, "any"];
  if (given.some((text) => !known.includes(text))) {
    throw invalid("status", "INVALID_FILTER_VALUE", `Must be one of ${known.join(", ")}`);
  }
  return STATUSES.filter((status) => given.includes(status) || given.includes("any"));
}
