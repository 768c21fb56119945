/**
 * The webhooks that are notified when a document is published.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import { originalOf } from "../../kv/model/languages/translation.ts";
import { listensTo } from "../../kv/webhooks/fan_out.ts";
import type { Deps } from "../deps/deps.ts";
import type { Audience } from "./checklist.ts";
import type { Visit } from "./serving/studio_env.ts";

/**
 * The webhooks for the publication of a document, or of its translation into a language. Their filters apply when
 * the document is public.
 */
export async function publishAudience(
  { content }: Pick<Deps, "content">,
  state: DocumentState,
  collection: Collection,
  language: string | undefined,
  visit: Pick<Visit, "can">,
): Promise<Audience> {
  const { collectionId, translations } = state;
  const status = language === undefined ? state.status : translations?.[language]?.status;
  const event = status === "published" ? "document.updated" : "document.published";
  const code = language ?? originalOf(state, collection);
  const announced = {
    event,
    collectionId,
    codes: code === undefined ? undefined : [code],
  } as const;
  const webhooks = await content.webhooks?.current() ?? [];
  const called = webhooks.filter((one) => one.enabled && listensTo(one, announced));
  const names = visit.can("tokens.manage") ? called.map(({ name }) => name) : [];
  return { webhooks: called.length, names };
}
