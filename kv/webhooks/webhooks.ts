/**
 * Webhooks: creating, changing and removing them, and selecting those that receive an event. They change with
 * the schema's version key, so that every write knows them without a read of its own.
 *
 * @module
 */
import { type Context, openSecret, sealSecret } from "../context.ts";
import type { Content } from "../documents/content.ts";
import { schemaOf } from "../documents/write.ts";
import { schemaKey } from "../keys.ts";
import { WEBHOOKS_MAX } from "../limits/packages.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { Actor } from "../model/entities/entity.ts";
import { sameJson } from "../model/values/same_json.ts";
import { newSigningSecret, OLD_SECRET_SECONDS } from "../model/values/signing_secret.ts";
import type { WebhookFilter, WebhookInput, WebhookState } from "../model/entities/webhook.ts";
import { type Detail, Refusal } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** A webhook as the admin sees it. */
export interface WebhookView {
  id: string;
  name: string;
  url: string;
  events: string[];
  /** Slugs; null for all. */
  collections: string[] | null;
  /** The filter that documents must meet; null for any document. */
  filter: WebhookFilter | null;
  /** The languages whose changes it receives; absent for all. */
  languages?: string[];
  enabled: boolean;
  disabledReason: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Makes a webhook; its secret is answered this once. */
export async function createWebhook(
  content: Content,
  actor: Actor,
  input: WebhookInput,
): Promise<{ view: WebhookView; secret: string }> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const present = await content.schema.webhooksAt(await transaction.get(schemaKey));
    if (present.length >= WEBHOOKS_MAX) {
      throw new Refusal("CONFLICT", { about: `a site has at most ${WEBHOOKS_MAX} webhooks` });
    }
    const { name, url, events, filter, enabled, languages } = input;
    refuseUnknownLanguages(schema, languages);
    const id = transaction.newId();
    const at = transaction.at;
    const secret = newSigningSecret();
    const state: WebhookState = {
      id,
      name,
      url,
      events,
      collectionIds: collectionIdsOf(input.collections, schema),
      filter,
      ...(languages && { languages }),
      enabled,
      enabledVersion: 1,
      disabledReason: null,
      secret: sealSecret(content.context, secret),
      previousSecret: null,
      previousUntil: null,
      createdAt: at,
      updatedAt: at,
    };
    transaction.save("webhook", id, transaction.newHead("webhook", id), state);
    return { view: webhookView(state, schema), secret };
  });
}

/** Changes a webhook. */
export async function patchWebhook(
  content: Content,
  actor: Actor,
  id: string,
  { collections, languages, ...patch }: Partial<WebhookInput>,
): Promise<WebhookView> {
  const { state, schema } = await changeWebhook(content, actor, id, (state, { schema, n }) => ({
    ...state,
    ...patch,
    ...(languages !== undefined && { languages: knownLanguages(schema, languages) }),
    ...(collections !== undefined && { collectionIds: collectionIdsOf(collections, schema) }),
    ...(patch.enabled === true && !state.enabled && { enabledVersion: n, disabledReason: null }),
  }));
  return webhookView(state, schema);
}

/** The languages of an input; refuses those that the site does not have. */
function knownLanguages(schema: Schema, languages: string[] | null): string[] | null {
  refuseUnknownLanguages(schema, languages);
  return languages;
}

function refuseUnknownLanguages(
  { languages: site }: Schema,
  languages: string[] | null | undefined,
): void {
  if (site === undefined && languages !== undefined) {
    const detail = { field: "languages", code: "UNKNOWN_KEY", message: "Unknown key" } as const;
    throw new Refusal("VALIDATION_FAILED", { details: [detail] });
  }
  const details = (languages ?? []).flatMap((code, index): Detail[] =>
    site?.byCode.has(code) ? [] : [{
      field: `languages.${index}`,
      code: "INVALID_LANGUAGE",
      message: "Is not one of the site's languages",
    }]
  );
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}

/** Gives a webhook a new secret; the old one signs too for a day. */
export async function rotateWebhookSecret(
  content: Content,
  actor: Actor,
  id: string,
): Promise<{ view: WebhookView; secret: string }> {
  const secret = newSigningSecret();
  const { state, schema } = await changeWebhook(content, actor, id, (state, { at }) => ({
    ...state,
    secret: sealSecret(content.context, secret),
    previousSecret: state.secret,
    previousUntil: at + OLD_SECRET_SECONDS,
  }));
  return { view: webhookView(state, schema), secret };
}

/** Disables a webhook whose address does not take its messages. */
export async function disableWebhook(
  content: Content,
  actor: Actor,
  id: string,
  reason: string,
): Promise<void> {
  await changeWebhook(
    content,
    actor,
    id,
    (state) => state.enabled ? { ...state, enabled: false, disabledReason: reason } : state,
  );
}

/** Removes a webhook; its history stays. */
export async function removeWebhook(content: Content, actor: Actor, id: string): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    await schemaOf(transaction, content);
    const head = await transaction.living("webhook", id);
    transaction.save("webhook", id, head, null);
  });
}

/** The schema, the time, and the number of the version that a change creates. */
interface ChangeContext {
  schema: Schema;
  at: number;
  n: number;
}

async function changeWebhook(
  content: Content,
  actor: Actor,
  id: string,
  change: (state: WebhookState, current: ChangeContext) => WebhookState,
): Promise<{ state: WebhookState; schema: Schema }> {
  return await versionedWrite(content.context, actor, async (transaction: Transaction) => {
    const schema = await schemaOf(transaction, content);
    const head = await transaction.living("webhook", id);
    const at = Math.max(transaction.at, head.row.at);
    const next = change(head.state, { schema, at, n: head.row.n + 1 });
    if (sameJson(next, head.state)) return { state: head.state, schema };
    const state = { ...next, updatedAt: at };
    transaction.save("webhook", id, head, state);
    return { state, schema };
  });
}

/** A webhook without its secrets. */
export function webhookView(state: WebhookState, schema: Schema): WebhookView {
  const { id, name, url, events, collectionIds, filter = null, enabled } = state;
  const { disabledReason, createdAt, updatedAt, languages } = state;
  const collections = collectionIds === null
    ? null
    : collectionIds.map((one) => schema.byId.get(one)?.slug).filter((slug) => slug !== undefined);
  return {
    id,
    name,
    url,
    events,
    collections,
    filter,
    ...(languages && { languages }),
    enabled,
    disabledReason,
    createdAt,
    updatedAt,
  };
}

/** The secrets that sign a message now, newest first. Throws if none can be read: no message goes out unsigned. */
export function webhookSecrets(
  context: Context,
  { id, secret, previousSecret, previousUntil }: WebhookState,
  at: number,
): string[] {
  const isKnown = previousSecret !== null && (previousUntil ?? 0) > at;
  const secrets = (isKnown ? [secret, previousSecret] : [secret])
    .flatMap((stored) => openSecret(context, stored, { webhook: id }) ?? []);
  if (secrets.length === 0) throw new Error("The secret of the webhook cannot be read");
  return secrets;
}

function collectionIdsOf(slugs: string[] | null, { bySlug }: Schema): string[] | null {
  if (slugs === null) return null;
  const details: Detail[] = [];
  const found: Collection[] = [];
  for (const [index, slug] of slugs.entries()) {
    const collection = bySlug.get(slug);
    if (collection !== undefined) found.push(collection);
    else {
      const field = `collections.${index}`;
      details.push({ field, code: "INVALID_CHOICE", message: "Unknown collection" });
    }
  }
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return found.map(({ id }) => id);
}
