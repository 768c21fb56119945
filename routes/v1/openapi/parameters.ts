/**
 * Parameters of the described operations.
 *
 * @module
 */
import {
  FILTER_VALUES_MAX,
  IDEMPOTENCY_KEY_CHARS_MAX,
  PER_PAGE_DEFAULT,
  PER_PAGE_MAX,
  SEARCH_PER_PAGE_MAX,
  SLUG_CHARS_MAX,
  SORT_KEYS_MAX,
} from "../../../kv/limits.ts";
import type { Collection } from "../../../kv/model/collection.ts";
import type { Json } from "../../../kv/model/entity.ts";
import { SLUG } from "../../../kv/model/slug.ts";
import type { Part } from "./answers.ts";
import { filterSchema, isFilterable, isSortable } from "./field_schema.ts";
import { ULID } from "./shared_schemas.ts";

const FRAMING_SORTS = ["createdAt", "updatedAt", "publishedAt", "title", "slug", "status"];

/** Parameters that several operations share, by component name. */
export const SHARED_PARAMETERS: { [name: string]: Part } = {
  Page: {
    name: "page",
    in: "query",
    description: "Which page, from 1.",
    schema: { type: "integer", minimum: 1, default: 1 },
  },
  PerPage: {
    name: "perPage",
    in: "query",
    description: `Documents on a page; more than ${PER_PAGE_MAX} is answered as ${PER_PAGE_MAX}.`,
    schema: { type: "integer", minimum: 1, default: PER_PAGE_DEFAULT },
  },
  SearchPerPage: {
    name: "perPage",
    in: "query",
    description:
      `Results on a page; more than ${SEARCH_PER_PAGE_MAX} is answered as ${SEARCH_PER_PAGE_MAX}.`,
    schema: { type: "integer", minimum: 1, default: PER_PAGE_DEFAULT },
  },
  StatusFilter: {
    name: "status",
    in: "query",
    description: "Only documents of this status; others than published need read-drafts.",
    schema: { type: "string", enum: ["draft", "published", "scheduled", "archived"] },
  },
  Id: { name: "id", in: "path", required: true, description: "Id of the document.", schema: ULID },
  Slug: {
    name: "slug",
    in: "path",
    required: true,
    description: "Slug of the document.",
    schema: { type: "string" },
  },
  NewSlug: {
    name: "slug",
    in: "path",
    required: true,
    description: "Slug of the document, new or not.",
    schema: { type: "string", pattern: SLUG.source, maxLength: SLUG_CHARS_MAX },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Answers 304 when this is still the entity tag.",
    schema: { type: "string" },
  },
  IfNoneMatchAny: {
    name: "If-None-Match",
    in: "header",
    description: "`*` refuses with 412 when there is a document already.",
    schema: { type: "string", enum: ["*"] },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "For 24 hours the same request with this key is answered again, not repeated.",
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
    description: "Answers 200 with what would be written, or the refusal, and writes nothing.",
    schema: { type: "boolean", default: false },
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "Refuses the change with 412 when this is no longer the entity tag.",
    schema: { type: "string" },
  },
};

/** References to shared parameters. */
export function parameters(...names: string[]): Part[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** The fields that `sort` accepts, without direction. */
export function sortableNames(collection: Collection): string[] {
  return [...FRAMING_SORTS, ...collection.fields.filter(isSortable).map((field) => field.name)];
}

/** The query parameters of a collection's list that depend on its fields. */
export function listParameters(collection: Collection): Part[] {
  const directions = sortableNames(collection).flatMap((name) => [name, `-${name}`]);
  const sort: Part = {
    name: "sort",
    in: "query",
    description: "Fields to sort by, in order of weight; a leading `-` means descending.",
    style: "form",
    explode: false,
    schema: {
      type: "array",
      minItems: 1,
      maxItems: SORT_KEYS_MAX,
      items: { type: "string", enum: directions },
      default: ["-createdAt"],
    },
  };
  return [sort, ...collection.fields.filter(isFilterable).map(filterParameter)];
}

function filterParameter(field: Collection["fields"][number]): Part {
  return {
    name: `field.${field.name}`,
    in: "query",
    description: "Only documents with this value; given several times, with any of the values.",
    style: "form",
    explode: true,
    schema: {
      type: "array",
      maxItems: FILTER_VALUES_MAX,
      items: filterSchema(field) as Json,
    },
  };
}
