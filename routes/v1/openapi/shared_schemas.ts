/**
 * Component schemas that every site's description has.
 *
 * @module
 */
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { ULID_SCHEMA } from "../../../kv/model/input/wire_schemas.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import { SEARCH_PER_PAGE_MAX } from "../../../kv/limits.ts";
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
};

/** Codes that only the admin API answers with. */
const ADMIN_CODES: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  "PROOF_REQUIRED",
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
    description: "The envelope of every error.",
    required: ["error"],
    additionalProperties: false,
    properties: { error: ref("ProblemError") },
  },
  ProblemError: {
    type: "object",
    description: "What was refused, and why.",
    required: ["code", "message"],
    additionalProperties: false,
    properties: {
      code: { type: "string", enum: CODES, description: "Stable; made to be switched on." },
      message: { type: "string", description: "For people; may change." },
      details: {
        type: "array",
        description: "One element per failed field.",
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
    description: "`page` is absent where a cursor leads, `nextCursor` where a page was asked for.",
    required: ["perPage", "total"],
    additionalProperties: false,
    properties: {
      page: { type: "integer", minimum: 1 },
      perPage: { type: "integer", minimum: 1 },
      total: { type: "integer", minimum: 0, description: "All that match and may be seen." },
      incomplete: {
        type: "boolean",
        description:
          "True where `at` asks for what pruning has removed, or `q` has not looked through all drafts.",
      },
      nextCursor: { type: ["string", "null"], description: "Null at the end." },
      facets: {
        type: "object",
        description: "Counts of values, or bounds and sums of numbers, by field.",
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
        description: "Documents of the page that are left out, because they cannot be read now.",
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
      changedBy: { type: ["string", "null"], description: "Id of a user; null for programs." },
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
    description: "Statuses other than published are seen with the read-drafts scope only.",
    enum: [...STATUSES],
  },
  PortableTextBlock: {
    type: "object",
    required: ["_type"],
    properties: { _type: { type: "string", minLength: 1 }, _key: { type: "string", minLength: 1 } },
    additionalProperties: true,
    description: "One block of Portable Text; opaque here, see portabletext.org.",
  },
  Block: {
    type: "object",
    description: "One block of a block field or of the block tree.",
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
        description: "HTML-escaped text around the best match; matches stand in <mark>.",
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
          corrected: {
            type: "string",
            description: "What was searched for instead, when nothing matched as written.",
          },
          facets: {
            type: "object",
            description: "What was found by collection, most first; only with `facets`.",
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
