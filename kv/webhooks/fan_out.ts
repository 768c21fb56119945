/**
 * From the change log to the queues of webhooks: each change is looked at once, in commit order, and the
 * messages that it makes are queued in the commit that moves the cursor on.
 *
 * @module
 */
import {
  afterStamp,
  type Change,
  type ChangedLanguages,
  type ChangePosition,
  FIRST_STAMP,
  readChanges,
} from "../changes/change_log.ts";
import type { Context } from "../context.ts";
import type { CurrentRow, VersionRow } from "../versioning/entities.ts";
import { stateBeforeTombstone } from "../history/restore/lost_states.ts";
import { currentKey, versionKey } from "../keys.ts";
import { changeStampKey } from "../changes/change_keys.ts";
import { webhookCursorKey } from "./webhook_keys.ts";
import { publicCodes } from "../model/languages/language.ts";
import type { Schema } from "../model/entities/collection.ts";
import type { Status } from "../model/entities/document.ts";
import type { WebhookEvent, WebhookState } from "../model/entities/webhook.ts";
import { Operation } from "../store/operation.ts";
import { type FilterContext, meetsFilter } from "./webhook_filter.ts";
import {
  queueOf,
  type Recipient,
  requestDelivery,
  stageMessage,
} from "../deliveries/deliveries.ts";

/** Changes that one commit looks at. */
const CHANGES_PER_COMMIT = 50;
/** Messages that one commit queues; each takes two of its mutations. */
const MESSAGES_PER_COMMIT = 150;

/** The webhook event of a change; null if webhooks ignore the change. */
function eventOf({ before, after, event, languages }: Change): WebhookEvent | null {
  if (event !== undefined) return event;
  if (after === "trashed" && before !== "trashed") return "document.trashed";
  const steps = languages === undefined
    ? [[before, after]]
    : changedSteps(languages, before, after);
  const isStep = (was: boolean, is: boolean) =>
    steps.some(([from, to]) => (from === "published") === was && (to === "published") === is);
  if (isStep(false, true)) return "document.published";
  if (isStep(true, true)) return "document.updated";
  return isStep(true, false) ? "document.unpublished" : null;
}

/** The statuses before and after of each language that a change is about. */
function changedSteps(
  { changed, statuses }: ChangedLanguages,
  before: Status | null,
  after: Status | null,
): (readonly [Status | null, Status | null])[] {
  const translations = changed.flatMap((code) => {
    const step = statuses[code];
    return step === undefined ? [] : [step];
  });
  return changed.includes("") ? [[before, after], ...translations] : translations;
}

/** The codes of the languages that a change is about; undefined where the site has one. */
function languagesOfEvent(
  { languages }: Pick<Change, "languages">,
  { languages: site }: Pick<Schema, "languages">,
): string[] | undefined {
  if (site === undefined) return undefined;
  const { original = site.original, changed = [""] } = languages ?? {};
  if (changed.includes("*")) return publicCodes(site);
  return changed.map((code) => code === "" ? original : code);
}

/**
 * Looks at the next changes and commits what they make; answers whether there are more. Of two runs at
 * once one commits.
 */
export async function fanOut(
  filterContext: FilterContext,
  webhooks: readonly WebhookState[],
): Promise<boolean> {
  const { context, schema } = filterContext;
  const { store } = context;
  const [cursor, stamp] = await store.getMany([webhookCursorKey, changeStampKey]);
  const upTo = stamp.versionstamp ?? FIRST_STAMP;
  const after = cursor.value as ChangePosition | null ?? afterStamp(FIRST_STAMP);
  const enabled = webhooks.filter((webhook) => webhook.enabled);
  const operation = new Operation().check(cursor);
  if (enabled.length === 0) {
    await store.commit(operation.set(webhookCursorKey, afterStamp(upTo)));
    return false;
  }
  const read = await readChanges(store, { after, upTo, limit: CHANGES_PER_COMMIT });
  const receivers = await Promise.all(enabled.map(async (webhook) => ({
    webhook,
    from: await enabledFrom(context, webhook),
  })));
  const asked = new Set<string>();
  let messages = 0;
  let examined = 0;
  for (const change of read.changes) {
    const interested: typeof receivers = [];
    for (const receiver of receivers) {
      if (change.stamp <= receiver.from) continue;
      if (await concerns(filterContext, receiver.webhook, change)) interested.push(receiver);
    }
    if (messages > 0 && messages + interested.length > MESSAGES_PER_COMMIT) break;
    for (const { webhook } of interested) {
      await stageChangeMessage(operation, context, webhook.id, change, schema);
      asked.add(webhook.id);
    }
    messages += interested.length;
    examined += 1;
  }
  for (const id of asked) requestDelivery(operation, context, queueOf(recipientOf(id)));
  const last = read.changes[examined - 1];
  const isWhole = examined === read.changes.length && examined < CHANGES_PER_COMMIT;
  operation.set(
    webhookCursorKey,
    last === undefined || isWhole ? afterStamp(upTo) : positionAt(last),
  );
  await store.commit(operation);
  return !isWhole;
}

/** Whether a webhook receives a change. */
export async function concerns(
  context: FilterContext,
  webhook: WebhookState,
  change: Change,
): Promise<boolean> {
  const event = eventOf(change);
  if (event === null) return false;
  const isDocument = event.startsWith("document.");
  const codes = isDocument ? languagesOfEvent(change, context.schema) : undefined;
  const { collectionId } = change;
  if (!listensTo(webhook, { event, collectionId, codes })) return false;
  return isDocument ? await meetsFilter(context, webhook, change) : true;
}

/** What webhooks can be narrowed to, besides their filters. */
interface Announced {
  event: WebhookEvent;
  /** Empty for events of the site. */
  collectionId: string;
  /** The languages that it is about; absent if it is not about languages. */
  codes: readonly string[] | undefined;
}

/** Whether a webhook listens to an event, apart from its filter. */
export function listensTo(
  { events, collectionIds, languages }: WebhookState,
  { event, collectionId, codes }: Announced,
): boolean {
  if (!events.includes(event)) return false;
  // Events of the site, such as a changed block definition, are for every webhook.
  const isNarrowed = collectionIds !== null && collectionId !== "";
  if (isNarrowed && !collectionIds.includes(collectionId)) return false;
  return !languages || !codes || codes.some((code) => languages.includes(code));
}

/** Adds the message of a change to a commit. */
export async function stageChangeMessage(
  operation: Operation,
  context: Context,
  webhookId: string,
  change: Change,
  schema: Schema,
): Promise<void> {
  const { stamp, id, n, at, collectionId } = change;
  const type = eventOf(change);
  if (type === null) return;
  const collection = await slugOf(context, schema, collectionId);
  const isOfDocument = type.startsWith("document.");
  const languages = isOfDocument ? languagesOfEvent(change, schema) : undefined;
  const body = JSON.stringify({
    type,
    timestamp: new Date(at * 1000).toISOString(),
    data: { id, collection, version: n, changedAt: at, ...(languages && { languages }) },
  });
  const message = { event: type, subject: id, body };
  stageMessage(operation, context, recipientOf(webhookId), [stamp, id, n], message);
}

/** The slug of a collection, or its last one if it was removed; null for none. */
async function slugOf(
  context: Context,
  { byId }: Schema,
  collectionId: string,
): Promise<string | null> {
  const present = byId.get(collectionId);
  if (present !== undefined || collectionId === "") return present?.slug ?? null;
  const { value } = await context.store.get<CurrentRow>(currentKey("collection", collectionId));
  const lost = await stateBeforeTombstone(context, "collection", collectionId, value);
  return lost?.slug ?? null;
}

function recipientOf(webhookId: string): Recipient {
  return { kind: "webhook", receiverId: webhookId };
}

function positionAt({ stamp, id, n }: ChangePosition): ChangePosition {
  return { stamp, id, n };
}

/** The stamp of the commit that enabled a webhook; everything after it is its own. */
export async function enabledFrom(
  { store }: Context,
  { id, enabledVersion }: WebhookState,
): Promise<string> {
  const entry = await store.get<VersionRow>(versionKey("webhook", id, enabledVersion));
  return entry.versionstamp ?? FIRST_STAMP;
}
