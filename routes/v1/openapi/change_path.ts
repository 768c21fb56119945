/**
 * The path of the change feed.
 *
 * @module
 */
import {
  CHANGES_PER_PAGE_DEFAULT,
  CHANGES_PER_PAGE_MAX,
  CHANGES_WAIT_SECONDS_MAX,
} from "../../../kv/limits.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { BEARER_FAILURES, countedHeaders, failures, type Part } from "./answers.ts";
import { EPOCH_SECONDS, ref, ULID } from "./shared_schemas.ts";

/** The operation of the feed. */
export function changesOperation(operationId: string): Part {
  return {
    operationId,
    summary: "Follow the changes of documents",
    description:
      "Begins with every document that the token sees, then tells every change in order. " +
      "With `Accept: text/event-stream` it goes on as events, resumed by `Last-Event-ID`.",
    tags: ["changes"],
    parameters: [
      query("since", "A cursor of the feed; from the beginning when left out.", { type: "string" }),
      {
        ...query("collection", "Slugs of the collections to follow; all when left out.", {
          type: "array",
          items: { type: "string" },
        }),
        style: "form",
        explode: false,
      },
      query("limit", "Changes on a page.", {
        type: "integer",
        minimum: 1,
        maximum: CHANGES_PER_PAGE_MAX,
        default: CHANGES_PER_PAGE_DEFAULT,
      }),
      query("wait", "Seconds that the answer may wait for a change.", {
        type: "integer",
        minimum: 1,
        maximum: CHANGES_WAIT_SECONDS_MAX,
      }),
      query("include", "`none` leaves the documents out.", { type: "string", enum: ["none"] }),
      {
        name: "Last-Event-ID",
        in: "header",
        description: "Where a stream of events goes on; takes the place of `since`.",
        schema: { type: "string" },
      },
    ],
    responses: {
      "200": {
        description: "A page of changes, or a stream of them.",
        headers: countedHeaders(),
        content: {
          "application/json": { schema: ref("ChangePage") },
          "text/event-stream": { schema: { type: "string" } },
        },
      },
      ...failures("CursorInvalid", "Forbidden", "CollectionNotFound", "CursorExpired"),
      ...failures(...BEARER_FAILURES),
    },
  };
}

function query(name: string, description: string, schema: JsonSchema): Part {
  return { name, in: "query", description, schema: schema as Part };
}

/** The component schemas of the feed. */
export const CHANGE_SCHEMAS: { [name: string]: JsonSchema } = {
  Change: {
    type: "object",
    required: ["cursor", "change", "collection", "id", "version", "changedAt"],
    additionalProperties: false,
    properties: {
      cursor: { type: "string", description: "Behind this change." },
      change: { type: "string", enum: ["upserted", "removed"] },
      collection: { type: "string" },
      id: ULID,
      version: { type: "integer", minimum: 1 },
      changedAt: EPOCH_SECONDS,
      document: {
        type: "object",
        additionalProperties: true,
        description: "As of now, so it may be newer than `version`; of `upserted` only.",
      },
    },
  },
  ChangePage: {
    type: "object",
    required: ["data", "meta"],
    additionalProperties: false,
    properties: {
      data: { type: "array", items: ref("Change"), maxItems: CHANGES_PER_PAGE_MAX },
      meta: {
        type: "object",
        required: ["cursor", "hasMore"],
        additionalProperties: false,
        properties: {
          cursor: { type: "string", description: "Where the next page begins." },
          hasMore: { type: "boolean", description: "Whether it can be asked for at once." },
        },
      },
    },
  },
};
