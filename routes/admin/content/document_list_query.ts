/**
 * The query of the admin's document list: collection, status, title search, sort, field filters,
 * ranges, creators, page, and whether only documents are wanted that have a working copy, or wait for a review.
 *
 * @module
 */
import { SEARCH_CHARS_MAX } from "../../../kv/limits/requests.ts";
import type { Mark } from "../../../kv/documents/reference_rows.ts";
import type { ListQuery } from "../../../kv/index/query/list_query.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { LIST_CREATORS_MAX } from "../../input/limits.ts";
import type { DocumentRights } from "../../../kv/model/entities/document_rights.ts";
import {
  codesOf,
  type Collection,
  getCollection,
  languagesOf,
  type Schema,
} from "../../../kv/model/entities/collection.ts";
import { type DocumentState, type Status, STATUSES } from "../../../kv/model/entities/document.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import { translationIs } from "../../../kv/index/query/language_query.ts";
import {
  allOf,
  type Condition,
  createdBy,
  titleContains,
} from "../../../kv/index/query/condition.ts";
import type { AdminSession } from "../../deps/admin_session.ts";
import type { Visibility } from "../../query/filter_budget.ts";
import { FILTERED_FRAMING } from "../../query/filter_target.ts";
import { type ListRequest, type ListScope, parseListRequest } from "../../query/list_request.ts";
import { parseTogether } from "../../query/read_together.ts";
import { languageInvalid, parseStates } from "../../v1/reading/language.ts";
import { parameterInvalid, Parameters } from "../../query/parameters.ts";
import { DOCUMENT_KEYS, parseProjection, type Projection } from "../../query/projection.ts";
import type { Paging } from "../../query/paging.ts";

const LIST_PARAMETERS = [
  "collection",
  "status",
  "workingCopy",
  "review",
  "createdBy",
  "q",
  "sort",
  "page",
  "perPage",
  "cursor",
  "filter",
  "facets",
  "fields",
  "include",
  "richText",
  "counts",
  "seed",
  "format",
] as const;
/** Parameters of sites with several languages. */
const LANGUAGE_PARAMETERS = ["language", "translation"] as const;

/** Keys of documents in the admin API, in addition to their fields. */
const ADMIN_KEYS = [
  ...DOCUMENT_KEYS,
  "collection",
  "publishAt",
  "unpublishAt",
  "hasWorkingCopy",
  "_review",
  "inRelease",
] as const;

/** A parsed list request of the admin API. */
export interface DocumentListQuery {
  query: ListQuery;
  paging: Paging;
  request: ListRequest;
  projection: Projection;
  /** Only documents that are marked so. */
  marks: Mark[];
}

/** Parses the query; without a collection, all of them are listed by framing keys. */
export function parseDocumentList(
  params: URLSearchParams,
  schema: Schema,
  visibility: AdminVisibility,
): DocumentListQuery {
  const parameters = new Parameters(params.toString());
  parameters.refuseMisspelled([
    ...LIST_PARAMETERS,
    ...schema.languages ? LANGUAGE_PARAMETERS : [],
  ]);
  const slug = params.get("collection");
  const collections = slug === null
    ? visibility.collections
    : slug.split(",").map((one) => getCollection(schema, one));
  if (collections.some((one) => !visibility.collections.includes(one))) {
    throw new Refusal("FORBIDDEN");
  }
  const [only] = collections;
  const shared: Collection = only !== undefined && collections.length === 1 ? only : NO_FIELDS;
  const title = params.get("q")?.trim() ?? "";
  const scope: ListScope = {
    collection: shared,
    framing: [...FILTERED_FRAMING, "publishAt"],
    filtered: STATUSES,
    visibility,
    blocks: schema.blocks,
    hasEnds: true,
    ranksByQuery: false,
  };
  const [request, statuses] = parseTogether(
    () => parseListRequest(parameters, scope),
    () => parseStatuses(params),
    () => refuseLong(title),
  );
  const conditions = request.query.where === undefined ? [] : [request.query.where];
  if (title !== "") conditions.push(titleContains(title));
  conditions.push(...translationConditions(parameters, shared), ...creatorConditions(parameters));
  const query: ListQuery = { ...request.query, collections, statuses };
  if (conditions.length > 0) query.where = allOf(...conditions);
  const projection = parseProjection(parameters, {
    collection: shared,
    find: (slug) => visibility.collection(slug),
    blocks: schema.blocks,
    keys: ADMIN_KEYS,
    filters: scope,
  });
  return { query, paging: request.paging, request, projection, marks: parseMarks(parameters) };
}

/** `language` with `translation`: only documents whose translation is in one of some states. */
function translationConditions(parameters: Parameters, collection: Collection): Condition[] {
  const site = languagesOf(collection);
  const codes = codesOf(collection);
  if (site === undefined || codes.length === 0) return [];
  const code = parameters.single("language");
  const states = parseStates(parameters.single("translation"), code);
  if (code === undefined) return [];
  if (!codes.includes(code)) throw languageInvalid(code, codes);
  return states.length === 0 ? [] : [translationIs(collection, code, site.original, states)];
}

/** `createdBy`: only documents that one of some users created, by their ids. */
function creatorConditions(parameters: Parameters): Condition[] {
  const ids = parameters.single("createdBy")?.split(",");
  if (ids === undefined) return [];
  if (!ids.every(isUlid)) throw parameterInvalid("createdBy must be ids of users");
  if (ids.length > LIST_CREATORS_MAX) {
    throw parameterInvalid(`createdBy must name at most ${LIST_CREATORS_MAX} users`);
  }
  return [createdBy(new Set(ids))];
}

/** `workingCopy=true` and `review=asked`: only documents that are marked so. */
function parseMarks(parameters: Parameters): Mark[] {
  const workingCopy = parameters.single("workingCopy");
  const review = parameters.single("review");
  if (workingCopy !== undefined && workingCopy !== "true") {
    throw parameterInvalid("workingCopy must be true or omitted");
  }
  if (review !== undefined && review !== "asked") {
    throw parameterInvalid("review must be asked or omitted");
  }
  return [
    ...(review === undefined ? [] : ["asked" as const]),
    ...(workingCopy === undefined ? [] : ["changed" as const]),
  ];
}

/** The documents of the collections that a user may read, except those in the trash. */
export class AdminVisibility implements Visibility {
  readonly #schema: Schema;
  readonly #documents: DocumentRights;
  /** The collections whose documents are seen. */
  readonly collections: Collection[];
  readonly canSeeMedia: boolean;

  constructor(
    schema: Schema,
    { documents, permissions }: Pick<AdminSession, "documents" | "permissions">,
  ) {
    this.#schema = schema;
    this.#documents = documents;
    this.collections = documents.within("read", schema.collections);
    this.canSeeMedia = permissions.has("media.read");
  }

  statuses({ id }: Collection): readonly Status[] | null {
    if (!this.#documents.in("read", id)) return null;
    return STATUSES.filter((status) => status !== "trashed");
  }

  collection(slug: string): Collection | undefined {
    return this.#schema.bySlug.get(slug);
  }

  /** The collection of a document that may be seen; null for one that may not. */
  collectionOf({ collectionId, status }: DocumentState): Collection | null {
    const isSeen = status !== "trashed" && this.#documents.in("read", collectionId);
    return isSeen ? this.#schema.byId.get(collectionId) ?? null : null;
  }
}

/** Selects several collections: none of their fields can be sorted or filtered by. */
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

function refuseLong(title: string): void {
  if ([...title].length <= SEARCH_CHARS_MAX) return;
  throw invalid("q", "TOO_LONG", `Must have at most ${SEARCH_CHARS_MAX} characters`);
}

function parseStatuses(params: URLSearchParams): readonly Status[] {
  const given = params.getAll("status").flatMap((text) => text.split(","));
  if (given.length === 0) return STATUSES.filter((status) => status !== "trashed");
  const known: readonly string[] = [...STATUSES, "any"];
  if (given.some((text) => !known.includes(text))) {
    throw invalid("status", "INVALID_FILTER_VALUE", `Must be one of ${known.join(", ")}`);
  }
  return STATUSES.filter((status) => given.includes(status) || given.includes("any"));
}
