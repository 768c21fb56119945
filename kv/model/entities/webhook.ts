/**
 * Webhooks: addresses that receive events.
 *
 * @module
 */
import { z } from "zod";
import { EVENTS_NAMED_MAX } from "../limits.ts";
import { NAME_CHARS_MAX } from "../../limits/content.ts";
import { ADDRESS_CHARS_MAX, WEBHOOK_COLLECTIONS_MAX } from "../../limits/packages.ts";
import type { Json } from "./entity.ts";
import { checkedAs, recordOf, time, unchecked } from "./state_member.ts";
import { namedLanguages } from "../languages/language.ts";
import { nameText } from "../values/text_check.ts";
import { parseBody } from "../input/zod_details.ts";

/** The events that webhooks can subscribe to. */
export const WEBHOOK_EVENTS = [
  "document.published",
  "document.updated",
  "document.unpublished",
  "document.trashed",
  "media.changed",
  "release.published",
  "schema.changed",
  "audit.recorded",
] as const;

/** The event of the audit log, which is for administrators alone. */
export const AUDIT_EVENT = "audit.recorded";

/** One of {@linkcode WEBHOOK_EVENTS}. */
export type WebhookEvent = typeof WEBHOOK_EVENTS[number];

/** The state of a webhook. Times are epoch seconds. */
export const WebhookState = z.object({
  id: z.ulid(),
  name: z.string().min(1),
  url: z.string(),
  events: checkedAs<WebhookEvent[]>(z.array(z.string())),
  /** Ids of the collections whose documents it receives; null for all. */
  collectionIds: z.array(z.ulid()).nullable(),
  /** The condition that documents must meet, in the filter language of lists; absent or null for any. */
  filter: recordOf<WebhookFilter>().nullable().exactOptional(),
  /** The languages whose changes it receives; absent or null for all. */
  languages: unchecked<string[] | null>().exactOptional(),
  enabled: z.boolean(),
  /** The version that enabled it: events before it are not its own. */
  enabledVersion: time,
  /** Why the service has disabled it; null otherwise. */
  disabledReason: unchecked<string | null>(),
  /** `whsec_…`; every message is signed with it. */
  secret: z.string(),
  /** The secret before, which signs too for a while. */
  previousSecret: unchecked<string | null>(),
  previousUntil: unchecked<number | null>(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type WebhookState = z.infer<typeof WebhookState>;

/** A filter as lists take it in JSON. */
export type WebhookFilter = { [name: string]: Json };

const attributes = {
  name: nameText(NAME_CHARS_MAX),
  url: z.url({ protocol: /^https?$/ }).max(ADDRESS_CHARS_MAX),
  events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(EVENTS_NAMED_MAX).transform((
    events,
  ) => [...new Set(events)]),
  /** Slugs; null for all. */
  collections: z.array(z.string()).max(WEBHOOK_COLLECTIONS_MAX).nullable(),
  filter: z.record(z.string(), z.json()).nullable(),
  languages: namedLanguages,
  enabled: z.boolean(),
};

/** The input for a webhook. */
export type WebhookInput = z.infer<z.ZodObject<typeof attributes>>;

/** The body of a new webhook. */
export const NewWebhook = z.strictObject({
  ...attributes,
  collections: attributes.collections.default(null),
  filter: attributes.filter.default(null),
  enabled: attributes.enabled.default(true),
});

/** A partial body. */
export const WebhookPatch = z.strictObject(attributes).partial();

/** Parses the body of a new webhook. */
export function parseWebhook(body: Record<string, Json>): WebhookInput {
  return parseBody(NewWebhook, body);
}

/** Parses a partial body. */
export function parseWebhookPatch(body: Record<string, Json>): Partial<WebhookInput> {
  const patch = parseBody(WebhookPatch, body);
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
}
