/**
 * Messages to webhooks: what is to be sent, in the order of the commits that it tells of, and what came
 * of it.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import {
  webhookDeliveryKey,
  webhookDeliveryPrefix,
  webhookPendingKey,
  webhookPendingPrefix,
} from "./webhook_keys.ts";
import { WEBHOOK_DELIVERIES_KEPT_MS } from "../limits.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";

/** One attempt. */
export interface WebhookAttempt {
  /** Epoch seconds. */
  at: number;
  /** The status of the answer; null when there was none. */
  status: number | null;
  ms: number;
  error: string | null;
}

/** A message; a resent one keeps its id. */
export interface WebhookDelivery {
  id: string;
  event: string;
  state: "pending" | "delivered" | "failed";
  attempts: WebhookAttempt[];
  /** As it is sent each time. */
  body: string;
  /** The beginning of the last answer. */
  response: string | null;
  createdAt: number;
}

/** What waits to be sent. Messages about one subject are sent one after the other. */
export interface PendingMessage {
  deliveryId: string;
  subject: string;
  /** Attempts since it was queued. */
  tries: number;
  /** Epoch milliseconds. */
  dueAt: number;
}

/** A message that is to be. */
export interface NewMessage {
  event: string;
  /** What it tells of: a document's, medium's or collection's id. */
  subject: string;
  body: string;
}

/** Adds a message to a commit, behind all that were queued before it; `order` follows the commits. */
export function stageMessage(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  webhookId: string,
  order: readonly [stamp: string, id: string, n: number],
  { event, subject, body }: NewMessage,
): WebhookDelivery {
  const now = context.now();
  const delivery: WebhookDelivery = {
    id: context.newId(now),
    event,
    state: "pending",
    attempts: [],
    body,
    response: null,
    createdAt: Math.floor(now / 1000),
  };
  keepDelivery(operation, webhookId, delivery);
  queueMessage(operation, webhookId, order, {
    deliveryId: delivery.id,
    subject,
    tries: 0,
    dueAt: now,
  });
  return delivery;
}

/** Writes what is known of a message, for as long as such things are kept. */
export function keepDelivery(
  operation: Operation,
  webhookId: string,
  delivery: WebhookDelivery,
): void {
  const expireIn = WEBHOOK_DELIVERIES_KEPT_MS;
  operation.set(webhookDeliveryKey(webhookId, delivery.id), delivery, { expireIn });
}

/** Adds a message to what waits; its order names it. */
export function queueMessage(
  operation: Operation,
  webhookId: string,
  order: readonly [stamp: string, id: string, n: number],
  message: PendingMessage,
): void {
  operation.set(webhookPendingKey(webhookId, order, message.deliveryId), message);
}

/** Asks for the job that sends what waits, at once or at `dueAt` (milliseconds); asking often does it once. */
export function requestSending(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  webhookId: string,
  dueAt?: number,
): void {
  const name = `webhook-${webhookId}`;
  const time = dueAt === undefined ? {} : { dueAt };
  addJob(operation, context, { type: "CALL_WEBHOOK", name, payload: { webhookId }, ...time });
}

/** What waits, in order, behind an entry: up to `limit` messages. */
export async function pendingMessages(
  { store }: Context,
  webhookId: string,
  limit: number,
  after?: Entry,
): Promise<Entry<PendingMessage>[]> {
  const start = after && [...after.key.slice(0, -1), `${after.key.at(-1)}\0`];
  const range = { prefix: webhookPendingPrefix(webhookId), ...(start && { start }) };
  return await store.listAll<PendingMessage>(range, { limit });
}

/** A message; null when there is none (any more). */
export async function findWebhookDelivery(
  { store, now }: Context,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery | null> {
  const { value } = await store.get<WebhookDelivery>(webhookDeliveryKey(webhookId, id));
  return value !== null && isKept(value, now()) ? value : null;
}

/** The newest messages of a webhook, newest first. */
export async function listWebhookDeliveries(
  { store, now }: Context,
  webhookId: string,
  limit: number,
): Promise<WebhookDelivery[]> {
  const prefix = webhookDeliveryPrefix(webhookId);
  const rows = await store.listAll<WebhookDelivery>({ prefix }, { reverse: true, limit });
  return rows.map(({ value }) => value!).filter((delivery) => isKept(delivery, now()));
}

/** The store removes what has expired only after a while. */
function isKept({ createdAt }: WebhookDelivery, now: number): boolean {
  return createdAt * 1000 + WEBHOOK_DELIVERIES_KEPT_MS > now;
}

/** Sends a message again, under its id. */
export async function resendWebhookDelivery(
  context: Context,
  webhookId: string,
  id: string,
): Promise<WebhookDelivery> {
  const { store } = context;
  const entry = await store.get<WebhookDelivery>(webhookDeliveryKey(webhookId, id));
  if (entry.value === null || !isKept(entry.value, context.now())) throw new Refusal("NOT_FOUND");
  if (entry.value.state === "pending") {
    throw new Refusal("CONFLICT", { about: "the message is still on its way" });
  }
  const operation = new Operation().check(entry);
  const again: WebhookDelivery = { ...entry.value, state: "pending" };
  keepDelivery(operation, webhookId, again);
  const message = { deliveryId: id, subject: id, tries: 0, dueAt: context.now() };
  // Asked for by a person: before everything that waits.
  queueMessage(operation, webhookId, ["", id, 0], message);
  requestSending(operation, context, webhookId);
  if (!(await store.commit(operation)).ok) throw new Refusal("CONFLICT");
  return again;
}
