/**
 * Parameters of the described operations.
 *
 * @module
 */
import { SEARCH_WORDS } from "../../query/search_words.ts";
import { INDEXED_CHARS_MAX, SLUG_CHARS_MAX } from "../../../kv/limits/content.ts";
import {
  FACETS_MAX,
  FILTER_VALUES_MAX,
  IDEMPOTENCY_KEY_CHARS_MAX,
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  SEARCH_PER_PAGE_MAX,
  SORT_KEYS_MAX,
} from "../../../kv/limits/requests.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type SlugForm, slugPattern } from "../../../kv/model/values/slug.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { columnFields, type IndexedField } from "../../../kv/model/fields/indexed_fields.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import type { FilterOperator } from "../../../kv/model/fields/filter_operator.ts";
import { hasFacet } from "../../query/facet_keys.ts";
import { expectsList } from "../../query/filter_condition.ts";
import { FILTERED_FRAMING, framingOperators } from "../../query/filter_target.ts";
import { SORTED_FRAMING } from "../../query/paging.ts";
import { LIST_FORMATS, RANK_KEYS, RICH_TEXT_FORMS } from "../../query/projection.ts";
import { FILTERED_STATUSES } from "../../query/status.ts";
import type { IncludeScope } from "../../query/include.ts";
import { RANDOM_SORT } from "../../query/random_order.ts";
import { RANDOM_SEED_CHARS_MAX } from "../../input/limits.ts";
import type { Part } from "./answers.ts";
import { filterSchema, isFilterable, isSortable } from "./field_schema.ts";
import { namesParameter, readParameters } from "./projection_parameters.ts";
import { ULID } from "./shared_schemas.ts";

/** Languages whose order `collate` knows; others, and their regional variants, are accepted as well. */
const COLLATIONS =
  "ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl pl pt ro ru sk sl sr sv ta te th tr uk vi zh"
    .split(" ");

/** Parameters that several operations share, by component name. */
const SHARED_PARAMETERS: { [name: string]: Part } = {
  Page: {
    name: "page",
    in: "query",
    description: "Page number, starting at 1.",
    schema: { type: "integer", minimum: 1, default: 1 },
  },
  PerPage: {
    name: "perPage",
    in: "query",
    description: `Documents per page. Values above ${PER_PAGE_MAX} are treated as ${PER_PAGE_MAX}.`,
    schema: { type: "integer", minimum: 1, default: PER_PAGE_DEFAULT },
  },
  SearchPerPage: {
    name: "perPage",
    in: "query",
    description:
      `Results per page. Values above ${SEARCH_PER_PAGE_MAX} are treated as ${SEARCH_PER_PAGE_MAX}.`,
    schema: { type: "integer", minimum: 1, default: PER_PAGE_DEFAULT },
  },
  Collate: {
    name: "collate",
    in: "query",
    description:
      "Sort texts by the rules of this language instead of by code points, such as `de`.",
    schema: { type: "string", enum: COLLATIONS },
  },
  StatusFilter: {
    name: "status",
    in: "query",
    description:
      "Only documents with this status. Statuses other than published require read-drafts.",
    schema: { type: "string", enum: ["draft", "published", "scheduled", "archived"] },
  },
  Filter: {
    name: "filter",
    in: "query",
    description: "Conditions as JSON, combined with `and`, `or` and `not`. See the Querying guide.",
    schema: { type: "string", contentMediaType: "application/json" },
  },
  Cursor: {
    name: "cursor",
    in: "query",
    description:
      "Use instead of `page`: send it empty for the first page, then pass `meta.nextCursor` of the previous response until it is null.",
    allowEmptyValue: true,
    schema: { type: "string" },
  },
  Words: {
    name: "q",
    in: "query",
    description: "Full-text search within the selected documents.",
    schema: SEARCH_WORDS,
  },
  At: {
    name: "at",
    in: "query",
    description:
      "Return content as of the end of this second (Unix epoch). Requires the read-history scope for every collection.",
    schema: { type: "integer", minimum: 0 },
  },
  Seed: {
    name: "seed",
    in: "query",
    description: "Seed of `sort=random`: the same seed gives the same order.",
    schema: { type: "string", minLength: 1, maxLength: RANDOM_SEED_CHARS_MAX },
  },
  Draft: {
    name: "draft",
    in: "query",
    description: "Include unpublished changes. Requires the read-drafts scope.",
    schema: { type: "boolean", default: false },
  },
  Release: {
    name: "release",
    in: "query",
    description:
      "With `draft=true`: the content as it will be once this open release is published.",
    schema: ULID,
  },
  VersionNumber: {
    name: "n",
    in: "path",
    required: true,
    description: "Version number.",
    schema: { type: "integer", minimum: 1 },
  },
  RichText: {
    name: "richText",
    in: "query",
    description: "Return rich text as a string in this format instead of Portable Text.",
    schema: { type: "string", enum: [...RICH_TEXT_FORMS] },
  },
  Format: {
    name: "format",
    in: "query",
    description:
      "Return everything that the filters select, as a CSV or NDJSON stream. `page`, `perPage` and `cursor` are ignored.",
    schema: { type: "string", enum: [...LIST_FORMATS] },
  },
  Id: { name: "id", in: "path", required: true, description: "Document ID.", schema: ULID },
  Slug: {
    name: "slug",
    in: "path",
    required: true,
    description: "Document slug.",
    schema: { type: "string" },
  },
  NewSlug: {
    name: "slug",
    in: "path",
    required: true,
    description: "Slug of the document to create or change.",
    schema: { type: "string", pattern: slugPattern(), maxLength: SLUG_CHARS_MAX },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Returns 304 if the ETag still matches.",
    schema: { type: "string" },
  },
  IfNoneMatchAny: {
    name: "If-None-Match",
    in: "header",
    description: "`*` returns 412 if the document already exists.",
    schema: { type: "string", enum: ["*"] },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Repeating the request with the same key within 24 hours returns the first response instead of writing again.",
    schema: {
      type: "string",
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_CHARS_MAX,
      pattern: "^[ -~]+$",
    },
  },
  DryRun: {
    name: "dryRun",
    in: "query",
    description:
      "Validate only: returns 200 with the document as it would be written, or the error, and writes nothing.",
    schema: { type: "boolean", default: false },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "Returns 412 if the ETag no longer matches.",
    schema: { type: "string" },
  },
};

/** References to shared parameters. */
export function parameters(...names: string[]): Part[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The fields that `sort` accepts, without direction. */
export function sortableNames(collection: Collection): string[] {
  return [
    ...SORTED_FRAMING,
    ...columnFields(collection).filter(isSortable).map((field) => field.name),
  ];
}

/** The query parameters of a collection's list that depend on its fields. */
export function listParameters(collection: Collection, scope: IncludeScope): Part[] {
  const sortable = sortableNames(collection).flatMap((name) => [name, `-${name}`]);
  const directions = [...new Set([...sortable, RANDOM_SORT])];
  const sort = namesParameter("sort", directions, {
    description:
      "Fields to sort by, most significant first. Prefix a field with `-` for descending order. `random` stands alone and needs a `seed`.",
    maxItems: SORT_KEYS_MAX,
    default: ["-createdAt"],
  });
  const facets = columnFields(collection).filter(hasFacet).map((field) => field.name);
  return [
    sort,
    ...readParameters(collection, scope, RANK_KEYS),
    ...(facets.length === 0 ? [] : [namesParameter("facets", facets, {
      description: "Fields to aggregate over all matching documents, returned in `meta.facets`.",
      maxItems: FACETS_MAX,
    })]),
    ...FILTERED_FRAMING.flatMap((key) => framingFilters(key)),
    ...columnFields(collection).filter(isFilterable).flatMap(fieldFilters),
  ];
}

const TIME_SCHEMA: JsonSchema = { type: "integer" };
const TEXT_SCHEMA: JsonSchema = { type: "string", maxLength: INDEXED_CHARS_MAX };

const FRAMING_SCHEMAS: Readonly<Record<typeof FILTERED_FRAMING[number], JsonSchema>> = {
  id: ULID,
  slug: TEXT_SCHEMA,
  title: TEXT_SCHEMA,
  status: { type: "string", enum: [...FILTERED_STATUSES] },
  createdAt: TIME_SCHEMA,
  updatedAt: TIME_SCHEMA,
  publishedAt: TIME_SCHEMA,
};

function framingFilters(key: typeof FILTERED_FRAMING[number]): Part[] {
  return filterParameters(key, FRAMING_SCHEMAS[key], framingOperators(key));
}

function fieldFilters(field: IndexedField): Part[] {
  return filterParameters(field.name, filterSchema(field), fieldType(field.type).operators);
}

/** Descriptions of operators. */
const OPERATOR_NOTES: Readonly<Record<Exclude<FilterOperator, "match">, string>> = {
  eq: "Equal to this value. Repeat the parameter to match any of several values.",
  ne:
    "Not equal to this value; documents without a value match too. Repeat the parameter to exclude several values.",
  in: "Equal to one of these values.",
  nin: "Equal to none of these values; documents without a value match too.",
  exists: "`true`: has a value. `false`: has no value.",
  gt: "Greater than this value.",
  gte: "Greater than or equal to this value.",
  lt: "Less than this value.",
  lte: "Less than or equal to this value.",
  contains: "Contains this text, case-insensitive.",
  startsWith: "Starts with this text, case-insensitive.",
  endsWith: "Ends with this text, case-insensitive.",
  all: "Has all of these values.",
};

function filterParameters(
  name: string,
  schema: JsonSchema,
  operators: readonly FilterOperator[],
): Part[] {
  const known = operators.filter((one) => one !== "match");
  return known.map((operator): Part => {
    const list = { type: "array", maxItems: FILTER_VALUES_MAX, items: schema as Json };
    const isRepeated = operator === "eq" || operator === "ne";
    return {
      name: operator === "eq" ? `field.${name}` : `field.${name}[${operator}]`,
      in: "query",
      description: OPERATOR_NOTES[operator],
      ...(isRepeated || expectsList(operator) ? { style: "form", explode: isRepeated } : {}),
      schema: expectsList(operator) ? list : operandSchema(operator, schema),
    };
  });
}

function operandSchema(operator: FilterOperator, schema: JsonSchema): JsonSchema {
  if (operator === "exists") return { type: "boolean" };
  return schema.type === "string" ? TEXT_SCHEMA : schema;
}

/** The same where slugs of the site are spelled so. */
export function sharedParameters(slugs?: SlugForm): { [name: string]: Part } {
  const slug = SHARED_PARAMETERS.NewSlug!;
  const schema = { ...slug.schema as Part, pattern: slugPattern(slugs) };
  return { ...SHARED_PARAMETERS, NewSlug: { ...slug, schema } };
}
