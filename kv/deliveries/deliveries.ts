/**
 * Messages to webhooks and to plugins' hooks: what is to be sent, in the order of the commits that it
 * tells of, and what came of it.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import type { DeliveryQueue } from "../jobs/payloads.ts";
import { DELIVERIES_KEPT_MS, DELIVERIES_LISTED_MAX } from "../limits/packages.ts";
import { AUDIT_EVENT } from "../model/entities/webhook.ts";
import { sha256 } from "../model/values/sha256.ts";
import { Refusal } from "../refusals.ts";
import { type Entry, Operation, type StoredEntry } from "../store/operation.ts";
import {
  deliveryKey,
  deliveryPrefix,
  pendingDeliveryKey,
  pendingDeliveryPrefix,
} from "./delivery_keys.ts";

/** One attempt. */
export interface DeliveryAttempt {
  /** Epoch seconds. */
  at: number;
  /** The status of the answer; null when there was none, and for a plugin's code. */
  status: number | null;
  ms: number;
  /** Null when the message was taken. */
  error: string | null;
  /** The log lines of a plugin's code. */
  log?: string[];
  /** Which calls of the host a plugin's code made, and how often. */
  calls?: Record<string, number>;
}

/** A message; a resent one keeps its id. */
export interface Delivery {
  id: string;
  event: string;
  state: "pending" | "delivered" | "failed";
  /** The newest ones. */
  attempts: DeliveryAttempt[];
  /** As it is sent each time. */
  body: string;
  /** The beginning of the last answer. */
  response: string | null;
  createdAt: number;
  /** When a pending message is tried again after a failure, epoch seconds; absent otherwise. */
  nextAttemptAt?: number;
  /** The address of a plugin's hook; absent where it is the webhook's own, or the plugin's code. */
  url?: string;
}

/** Whom a message is for: a webhook, or a hook of a plugin with its address, or without one for its code. */
export interface Recipient {
  kind: DeliveryQueue["kind"];
  receiverId: string;
  url?: string;
}

/** A queued message. Messages about one subject are sent one after the other. */
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
  /** The id of the document, medium or collection that the message is about. */
  subject: string;
  body: string;
}

/** A position in the queue: the commit of the event, and the entity and version it is about. */
export type DeliveryOrder = readonly [stamp: string, id: string, n: number];

/** The queue of a recipient: each address has its own, so that none waits for another. */
export function queueOf({ kind, receiverId, url }: Recipient): DeliveryQueue {
  return { kind, receiverId, hook: url === undefined ? "" : sha256(url).slice(0, 16) };
}

/**
 * Adds a message to a commit, behind all that were queued before it; `order` follows the commits. It is
 * sent once {@linkcode requestDelivery} has asked for it.
 */
export function stageMessage(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  recipient: Recipient,
  order: DeliveryOrder,
  { event, subject, body }: NewMessage,
): Delivery {
  const now = context.now();
  const { receiverId, url } = recipient;
  const delivery: Delivery = {
    id: context.newId(now),
    event,
    state: "pending",
    attempts: [],
    body,
    response: null,
    createdAt: Math.floor(now / 1000),
    ...(url !== undefined && { url }),
  };
  keepDelivery(operation, receiverId, delivery);
  const message = { deliveryId: delivery.id, subject, tries: 0, dueAt: now };
  queueMessage(operation, queueOf(recipient), order, message);
  return delivery;
}

/** Writes what is known of a message, for as long as such things are kept. */
export function keepDelivery(operation: Operation, receiverId: string, delivery: Delivery): void {
  const expireIn = DELIVERIES_KEPT_MS;
  operation.set(deliveryKey(receiverId, delivery.id), delivery, { expireIn });
}

/** Adds a message to what waits; its order names it. */
function queueMessage(
  operation: Operation,
  { receiverId, hook }: DeliveryQueue,
  order: DeliveryOrder,
  message: PendingMessage,
): void {
  operation.set(pendingDeliveryKey(receiverId, hook, order, message.deliveryId), message);
}

/** Asks for the job that sends what waits, at once or at `dueAt` (milliseconds); asking often does it once. */
export function requestDelivery(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  queue: DeliveryQueue,
  dueAt?: number,
): void {
  const { receiverId, hook } = queue;
  const name = hook === "" ? `deliver-${receiverId}` : `deliver-${receiverId}-${hook}`;
  const time = dueAt === undefined ? {} : { dueAt };
  addJob(operation, context, { type: "DELIVER", name, payload: queue, ...time });
}

/** The messages that wait behind an entry, in order: up to `limit`. */
export async function pendingMessages(
  { store }: Context,
  { receiverId, hook }: DeliveryQueue,
  limit: number,
  after?: Entry,
): Promise<StoredEntry<PendingMessage>[]> {
  const start = after && [...after.key.slice(0, -1), `${after.key.at(-1)}\0`];
  const range = { prefix: pendingDeliveryPrefix(receiverId, hook), ...(start && { start }) };
  return await store.listAll<PendingMessage>(range, { limit });
}

/** A message; null when there is none (any more). */
export async function findDelivery(
  { store, now }: Context,
  receiverId: string,
  id: string,
): Promise<Delivery | null> {
  const { value } = await store.get<Delivery>(deliveryKey(receiverId, id));
  return value !== null && isKept(value, now()) ? value : null;
}

/** Messages that a user may see: those about the audit log hold its events, which are for administrators. */
export function shownDeliveries(
  deliveries: readonly Delivery[],
  { administrator }: { administrator: boolean },
): Delivery[] {
  return deliveries.filter(({ event }) => administrator || event !== AUDIT_EVENT);
}

/** The newest messages to a webhook or plugin, newest first. */
export async function listDeliveries(
  { store, now }: Context,
  receiverId: string,
  limit = DELIVERIES_LISTED_MAX,
): Promise<Delivery[]> {
  const prefix = deliveryPrefix(receiverId);
  const rows = await store.listAll<Delivery>({ prefix }, { reverse: true, limit });
  return rows.map(({ value }) => value).filter((delivery) => isKept(delivery, now()));
}

/** The store removes what has expired only after a while. */
function isKept({ createdAt }: Delivery, now: number): boolean {
  return createdAt * 1000 + DELIVERIES_KEPT_MS > now;
}

/**
 * Makes a message that waits for its next attempt due, and with it the one that its subject waits for; null if it is
 * being sent right now.
 */
async function hastenDelivery(
  context: Context,
  queue: DeliveryQueue,
  entry: Entry<Delivery>,
): Promise<Operation | null> {
  const first = new Map<string, StoredEntry<PendingMessage>>();
  let last: Entry | undefined;
  for (;;) {
    const waiting = await pendingMessages(context, queue, DELIVERIES_LISTED_MAX, last);
    for (const one of waiting) {
      const { subject, deliveryId } = one.value;
      const head = first.get(subject) ?? one;
      first.set(subject, head);
      if (deliveryId !== entry.value?.id) continue;
      if (head.value.dueAt <= context.now()) return null;
      const due = { ...head.value, dueAt: context.now() };
      return new Operation().check(entry).check(head).set(head.key, due);
    }
    last = waiting.at(-1);
    if (waiting.length < DELIVERIES_LISTED_MAX) return null;
  }
}

/** Sends a message again, under its id; at once if it waits for its next attempt. */
export async function resendDelivery(
  context: Context,
  { kind, receiverId }: Pick<Recipient, "kind" | "receiverId">,
  id: string,
): Promise<Delivery> {
  const { store } = context;
  const entry = await store.get<Delivery>(deliveryKey(receiverId, id));
  const { value } = entry;
  if (value === null || !isKept(value, context.now())) throw new Refusal("NOT_FOUND");
  const { nextAttemptAt: _past, ...kept } = value;
  const again: Delivery = { ...kept, state: "pending" };
  const { url } = again;
  const queue = queueOf({ kind, receiverId, ...(url !== undefined && { url }) });
  const operation = value.state === "pending"
    ? await hastenDelivery(context, queue, entry)
    : new Operation().check(entry);
  if (operation === null) {
    throw new Refusal("CONFLICT", { about: "the message is still being delivered" });
  }
  keepDelivery(operation, receiverId, again);
  if (value.state !== "pending") {
    const message = { deliveryId: id, subject: id, tries: 0, dueAt: context.now() };
    // Asked for by a person: before everything that waits.
    queueMessage(operation, queue, ["", id, 0], message);
  }
  requestDelivery(operation, context, queue);
  if (!(await store.commit(operation)).ok) throw new Refusal("CONFLICT");
  return again;
}
