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
      "One operation. `create` and `upsert` require `body`; `update` and `trash` require `id` or `slug`.",
    required: ["op"],
    additionalProperties: false,
    properties: {
      op: { type: "string", enum: [...BULK_OPERATIONS] },
      id: { type: "string" },
      slug: { type: "string" },
      ifMatch: { type: "string", description: "Same as the `If-Match` header." },
      body: {
        type: "object",
        additionalProperties: true,
        description: "Same as the body of the single-document route.",
      },
    },
  },
  BulkAnswer: {
    type: "object",
    description: "The result of one line or, on the last line (`done`), the totals.",
    additionalProperties: false,
    properties: {
      line: { type: "integer", minimum: 1 },
      status: {
        type: "integer",
        description: "HTTP status that the single-document route would return.",
      },
      id: NULLABLE_TEXT,
      slug: NULLABLE_TEXT,
      error: { $ref: "#/components/schemas/ProblemError" },
      done: { type: "boolean" },
      ok: { type: "integer", minimum: 0 },
      failed: { type: "integer", minimum: 0 },
    },
  },
};
