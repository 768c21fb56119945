/**
 * Component schemas of bulk requests: a line, and its answer.
 *
 * @module
 */
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { BULK_OPERATIONS } from "../writing/bulk_line.ts";

const NULLABLE_TEXT: JsonSchema = { type: ["string", "null"] };

/** The schemas by component name. */
export const BULK_SCHEMAS: { [name: string]: JsonSchema } = {
  BulkLine: {
    type: "object",
    description:
      "One line; `create` and `upsert` need a body, `update` and `trash` an id or a slug.",
    required: ["op"],
    additionalProperties: false,
    properties: {
      op: { type: "string", enum: [...BULK_OPERATIONS] },
      id: { type: "string" },
      slug: { type: "string" },
      ifMatch: { type: "string", description: "As the header `If-Match`." },
      body: { type: "object", additionalProperties: true, description: "As of the single routes." },
    },
  },
  BulkAnswer: {
    type: "object",
    description: "The answer to one line, or at the end the counts (`done`).",
    additionalProperties: false,
    properties: {
      line: { type: "integer", minimum: 1 },
      status: { type: "integer", description: "The status of the single route." },
      id: NULLABLE_TEXT,
      slug: NULLABLE_TEXT,
      error: { $ref: "#/components/schemas/ProblemError" },
      done: { type: "boolean" },
      ok: { type: "integer", minimum: 0 },
      failed: { type: "integer", minimum: 0 },
    },
  },
};
