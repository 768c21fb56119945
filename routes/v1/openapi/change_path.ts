/**
 * The path of the change feed.
 *
 * @module
 */
import {
  CHANGES_PER_PAGE_DEFAULT,
  CHANGES_PER_PAGE_MAX,
  CHANGES_WAIT_SECONDS_MAX,
} from "../../../kv/limits/requests.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { BEARER_FAILURES, countedHeaders, failures, type Part } from "./answers.ts";
import { EPOCH_SECONDS, ref, ULID } from "./shared_schemas.ts";

/** The operation of the feed. */
export function changesOperation(operationId: string): Part {
  return {
    operationId,
    summary: "Follow the changes of documents",
    description:
      "Starts with every document that the token can see, followed by every change in order. " +
      "Send `Accept: text/event-stream` to receive changes as server-sent events; `Last-Event-ID` resumes the stream.",
    tags: ["changes"],
    parameters: [
      query("since", "Cursor to continue from. Default: the beginning.", { type: "string" }),
      {
        ...query("collection", "Slugs of the collections to follow. Default: all.", {
          type: "array",
          items: { type: "string" },
        }),
        style: "form",
        explode: false,
      },
      query("limit", "Changes per page.", {
        type: "integer",
        minimum: 1,
        maximum: CHANGES_PER_PAGE_MAX,
        default: CHANGES_PER_PAGE_DEFAULT,
      }),
      query("wait", "Long polling: seconds to wait for a change before responding.", {
        type: "integer",
        minimum: 1,
        maximum: CHANGES_WAIT_SECONDS_MAX,
      }),
      query("include", "`none` omits the documents.", { type: "string", enum: ["none"] }),
      {
        name: "Last-Event-ID",
        in: "header",
        description: "Event to resume the stream after. Takes precedence over `since`.",
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
      cursor: { type: "string", description: "Cursor that continues after this change." },
      change: { type: "string", enum: ["upserted", "removed"] },
      collection: { type: "string" },
      id: ULID,
      version: { type: "integer", minimum: 1 },
      changedAt: EPOCH_SECONDS,
      document: {
        type: "object",
        additionalProperties: true,
        description:
          "The current document, which may be newer than `version`. Only present for `upserted`.",
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
          cursor: { type: "string", description: "Pass as `since` to get the next page." },
          hasMore: { type: "boolean", description: "Whether more changes are available now." },
        },
      },
    },
  },
};
