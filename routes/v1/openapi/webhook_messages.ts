/**
 * Webhook messages: the body of each event, and the headers that authenticate it.
 *
 * @module
 */
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import {
  AUDIT_EVENT,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from "../../../kv/model/entities/webhook.ts";
import type { Part } from "./answers.ts";
import { EPOCH_SECONDS, ref, ULID } from "./shared_schemas.ts";

/** The tag of webhook messages; no slug has a space. */
export const WEBHOOK_TAG = "webhook messages";

/** The summary of an event, and the entity that the message ID refers to. */
const EVENTS: Readonly<Record<WebhookEvent, { summary: string; of: string }>> = {
  "document.published": { summary: "A document was published", of: "document" },
  "document.updated": { summary: "A published document was changed", of: "document" },
  "document.unpublished": { summary: "A document was unpublished", of: "document" },
  "document.trashed": { summary: "A document was moved to the trash", of: "document" },
  "media.changed": { summary: "A media asset was added, changed or deleted", of: "asset" },
  "release.published": { summary: "A release was published", of: "release" },
  "schema.changed": {
    summary: "A collection, a field or a block definition was changed",
    of: "collection, field or block definition",
  },
  "audit.recorded": {
    summary: "An event was added to the audit log",
    of: "event in `data.entry`",
  },
};

/** Headers of Standard Webhooks. */
const HEADERS: Part[] = [
  ["webhook-id", "Message ID; retries have the same ID."],
  ["webhook-timestamp", "Time of this attempt, in Unix epoch seconds."],
  ["webhook-signature", "`v1,` followed by the signature, once per active secret."],
].map(([name = "", description = ""]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
}));

/** The section `webhooks` of the description. */
export function webhookMessages(): Part {
  return Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, { post: message(event) }]));
}

function message(event: WebhookEvent): Part {
  const { summary, of } = EVENTS[event];
  const example = {
    type: event,
    timestamp: "2026-06-01T12:00:00.000Z",
    data: {
      id: "01JZ6M0N1P2Q3R4S5T6V7W8X9Y",
      collection: /^(document|schema)\./.test(event) ? "posts" : null,
      version: 3,
      changedAt: 1_780_315_200,
      ...(event === AUDIT_EVENT && { entry: EXAMPLE_ENTRY }),
    },
  };
  return {
    operationId: `on${
      event.split(".").map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join("")
    }`,
    summary,
    description: `\`data.id\` is the ID of the ${of}. Signed according to Standard Webhooks.`,
    // A generator that writes one file per tag would overwrite the paths of the same tag.
    tags: [WEBHOOK_TAG],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: ref("WebhookMessage"),
          examples: { example: { value: example } },
        },
      },
    },
    responses: {
      "2XX": { description: "The message was accepted." },
      "4XX": {
        description: "The message was not accepted and will be retried; 410 disables the webhook.",
      },
    },
  };
}

const EXAMPLE_ENTRY = {
  at: 1_780_315_200,
  event: "sign_in_failed",
  userId: null,
  tokenId: null,
  address: "192.0.2.7",
  details: { reason: "unknown_address" },
};

/** The event of the audit log that a message is about; other messages have none. */
const AUDIT_ENTRY: JsonSchema = {
  type: "object",
  description: "The audit log event. Only present in `audit.recorded` messages.",
  required: ["at", "event", "userId", "tokenId", "address", "details"],
  additionalProperties: false,
  properties: {
    at: EPOCH_SECONDS,
    event: { type: "string" },
    userId: { type: ["string", "null"] },
    tokenId: { type: ["string", "null"] },
    address: { type: "string" },
    details: {
      type: "object",
      additionalProperties: false,
      properties: {
        method: { type: "string" },
        path: { type: "string" },
        reason: { type: "string" },
      },
    },
  },
};

/** The component schema of messages. */
export const WEBHOOK_SCHEMAS: { [name: string]: JsonSchema } = {
  WebhookMessage: {
    type: "object",
    required: ["type", "timestamp", "data"],
    additionalProperties: false,
    properties: {
      type: { type: "string", enum: [...WEBHOOK_EVENTS, "webhook.test"] },
      timestamp: { type: "string", format: "date-time", description: "Time of the event." },
      data: {
        type: "object",
        required: ["id", "collection", "version", "changedAt"],
        additionalProperties: false,
        properties: {
          id: ULID,
          collection: {
            type: ["string", "null"],
            description:
              "Slug of the collection; null for block definitions, media assets and releases.",
          },
          version: { type: "integer", minimum: 0 },
          changedAt: EPOCH_SECONDS,
          entry: AUDIT_ENTRY,
        },
      },
    },
  },
};
