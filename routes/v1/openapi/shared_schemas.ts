/**
 * Component schemas that every site's description has.
 *
 * @module
 */
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { ULID_SCHEMA } from "../../../kv/model/input/wire_schemas.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import { SEARCH_PER_PAGE_MAX } from "../../../kv/limits/requests.ts";
import { BULK_SCHEMAS } from "./bulk_schemas.ts";
import { type DetailCode, type RefusalCode, REFUSALS } from "../../../kv/refusals.ts";

/** A schema of a ULID. */
export const ULID: JsonSchema = ULID_SCHEMA;

/** A schema of a point in time. */
export const EPOCH_SECONDS: JsonSchema = { type: "integer", description: "Unix epoch seconds." };

/** A reference to a component schema. */
export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

// A record, so that a code added to the catalogue cannot be forgotten here.
const DETAIL_CODES: Record<DetailCode, true> = {
  REQUIRED: true,
  INVALID_TYPE: true,
  TOO_SMALL: true,
  TOO_LARGE: true,
  TOO_LONG: true,
  TOO_SHORT: true,
  PATTERN_MISMATCH: true,
  INVALID_CHOICE: true,
  NOT_UNIQUE: true,
  UNKNOWN_KEY: true,
  INVALID_REFERENCE: true,
  INVALID_FILTER_VALUE: true,
  INVALID_STATUS: true,
  INVALID_SCOPE: true,
  INVALID_LANGUAGE: true,
};

/** Codes that only the admin API answers with. */
const ADMIN_CODES: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  "PROOF_REQUIRED",
  "SECOND_FACTOR_REQUIRED",
  "RESTORE_NOT_SUPPORTED",
]);

/** Every code that the described API may answer with. */
export const CODES = (Object.keys(REFUSALS) as RefusalCode[]).filter((code) =>
  !ADMIN_CODES.has(code)
);

/** The component schemas that do not depend on the site. */
export const SHARED_SCHEMAS: { [name: string]: JsonSchema } = {
  ...BULK_SCHEMAS,
  Problem: {
    type: "object",
    description: "Every error response has this shape.",
    required: ["error"],
    additionalProperties: false,
    properties: { error: ref("ProblemError") },
  },
  ProblemError: {
    type: "object",
    description: "What failed and why.",
    required: ["code", "message"],
    additionalProperties: false,
    properties: {
      code: { type: "string", enum: CODES, description: "Stable; branch on it in code." },
      message: { type: "string", description: "For people. The wording may change." },
      details: {
        type: "array",
        description: "One entry per invalid field.",
        items: ref("Detail"),
      },
    },
  },
  Detail: {
    type: "object",
    required: ["field", "code", "message"],
    additionalProperties: false,
    properties: {
      field: { type: "string", description: "Dotted path, such as `gallery.2.caption`." },
      code: { type: "string", enum: Object.keys(DETAIL_CODES) },
      message: { type: "string" },
    },
  },
  ListMeta: {
    type: "object",
    description:
      "`page` is absent when paging by cursor; `nextCursor` is absent when paging by number.",
    required: ["perPage", "total"],
    additionalProperties: false,
    properties: {
      page: { type: "integer", minimum: 1 },
      perPage: { type: "integer", minimum: 1 },
      total: {
        type: "integer",
        minimum: 0,
        description: "Number of matching documents that the token can see.",
      },
      incomplete: {
        type: "boolean",
        description:
          "True if versions needed for `at` have been pruned, or if `q` did not search all drafts.",
      },
      nextCursor: {
        type: ["string", "null"],
        description: "Cursor of the next page; null on the last page.",
      },
      facets: {
        type: "object",
        description:
          "By field: the count of each value, or minimum, maximum, sum and average of numbers.",
        additionalProperties: {
          anyOf: [
            { type: "array", items: ref("ValueCount") },
            ref("NumberSummary"),
          ],
        },
      },
      unavailable: {
        type: "array",
        items: { type: "string" },
        description:
          "IDs of documents omitted from this page because they cannot be read at the moment.",
      },
    },
  },
  DocumentVersion: {
    type: "object",
    required: ["version", "changedAt", "changedBy", "summary", "status"],
    additionalProperties: false,
    properties: {
      version: { type: "integer", minimum: 1 },
      changedAt: EPOCH_SECONDS,
      changedBy: {
        type: ["string", "null"],
        description: "User ID; null if a token or the service made the change.",
      },
      summary: { type: ["string", "null"] },
      status: ref("Status"),
    },
  },
  DocumentVersionList: {
    type: "object",
    required: ["data", "meta"],
    additionalProperties: false,
    properties: { data: { type: "array", items: ref("DocumentVersion") }, meta: ref("ListMeta") },
  },
  ValueCount: {
    type: "object",
    required: ["value", "count"],
    additionalProperties: false,
    properties: {
      // Generators of Go know one type for a schema.
      value: { oneOf: [{ type: "string" }, { type: "number" }, { type: "boolean" }] },
      count: { type: "integer", minimum: 1 },
    },
  },
  NumberSummary: {
    type: "object",
    required: ["min", "max", "sum", "avg", "count"],
    additionalProperties: false,
    properties: {
      min: { type: ["number", "null"] },
      max: { type: ["number", "null"] },
      sum: { type: "number" },
      avg: { type: ["number", "null"] },
      count: { type: "integer", minimum: 0 },
    },
  },
  Status: {
    type: "string",
    description: "Statuses other than published are only visible with the read-drafts scope.",
    enum: [...STATUSES],
  },
  PortableTextBlock: {
    type: "object",
    required: ["_type"],
    properties: { _type: { type: "string", minLength: 1 }, _key: { type: "string", minLength: 1 } },
    additionalProperties: true,
    description: "A Portable Text block. See portabletext.org for its structure.",
  },
  Block: {
    type: "object",
    description: "A block in a block field or in the block tree.",
    required: ["type", "id", "data"],
    properties: {
      type: { type: "string", description: "Name of the block definition." },
      id: { type: "string" },
      data: { type: "object", additionalProperties: true },
    },
    additionalProperties: true,
  },
  SearchHit: {
    type: "object",
    required: ["documentId", "collectionSlug", "title", "snippet", "rank"],
    additionalProperties: false,
    properties: {
      documentId: ULID,
      collectionSlug: { type: "string" },
      title: { type: "string" },
      snippet: {
        type: "string",
        description: "HTML-escaped text around the best match, with matches in `<mark>`.",
      },
      rank: { type: "number", description: "Higher is better." },
    },
  },
  SearchPage: {
    type: "object",
    required: ["data", "meta"],
    additionalProperties: false,
    properties: {
      data: { type: "array", items: ref("SearchHit"), maxItems: SEARCH_PER_PAGE_MAX },
      meta: {
        type: "object",
        required: ["page", "perPage", "total", "took_ms"],
        additionalProperties: false,
        properties: {
          page: { type: "integer", minimum: 1 },
          perPage: { type: "integer", minimum: 1, maximum: SEARCH_PER_PAGE_MAX },
          total: { type: "integer", minimum: 0 },
          took_ms: { type: "number", minimum: 0 },
          incomplete: {
            type: "boolean",
            description:
              "True if a language has more documents than a search covers while its index is being built.",
          },
          corrected: {
            type: "string",
            description:
              "The corrected query that produced these results, if nothing matched the words as written.",
          },
          facets: {
            type: "object",
            description: "Results per collection, largest count first. Only present with `facets`.",
            required: ["collection"],
            additionalProperties: false,
            properties: {
              collection: {
                type: "array",
                items: {
                  type: "object",
                  required: ["value", "count"],
                  additionalProperties: false,
                  properties: {
                    value: { type: "string" },
                    count: { type: "integer", minimum: 1 },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};
