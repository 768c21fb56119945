/**
 * Who is told when a document is published.
 *
 * @module
 */
import type { DocumentState } from "../../kv/model/entities/document.ts";
import type { WebhookState } from "../../kv/model/entities/webhook.ts";
import type { Deps } from "../deps/deps.ts";
import type { Visit } from "./serving/studio_env.ts";

/** The webhooks that are called: their number, and their names for users who may read them. */
export interface Audience {
  webhooks: number;
  names: string[];
}

/** The webhooks for the publication of a document, or of its translation into a language. */
export async function publishAudience(
  { content }: Pick<Deps, "content">,
  state: DocumentState,
  language: string | undefined,
  visit: Pick<Visit, "can">,
): Promise<Audience> {
  const called = (await content.webhooks?.current() ?? []).filter((one) =>
    isCalled(one, state, language)
  );
  const names = visit.can("tokens.manage") ? called.map(({ name }) => name) : [];
  return { webhooks: called.length, names };
}

/** Whether a webhook listens; its filter is asked when the document is public. */
function isCalled(
  { enabled, events, collectionIds, languages }: WebhookState,
  { status, collectionId, translations }: DocumentState,
  language: string | undefined,
): boolean {
  const present = language === undefined ? status : translations?.[language]?.status;
  const event = present === "published" ? "document.updated" : "document.published";
  return enabled && events.includes(event) &&
    (collectionIds === null || collectionIds.includes(collectionId)) &&
    (language === undefined || !languages || languages.includes(language));
}
