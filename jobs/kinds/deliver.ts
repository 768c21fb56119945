/**
 * DELIVER: sends what waits for one webhook, or for one hook of a plugin. Messages about one document go
 * one after the other, others side by side; each queue has a job of its own, so a slow receiver delays
 * no other receiver. What is refused is sent again for a day; a receiver that accepts no attempt is disabled.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import {
  type Delivery,
  type DeliveryAttempt,
  findDelivery,
  keepDelivery,
  type PendingMessage,
  pendingMessages,
  requestDelivery,
} from "../../kv/deliveries/deliveries.ts";
import type { DeliveryQueue } from "../../kv/jobs/payloads.ts";
import { type Entry, Operation, type StoredEntry } from "../../kv/store/operation.ts";
import { type Answer, isReceiver, type Receiver } from "../deliveries/receiver.ts";
import { pluginReceiver, type PluginReceiverDeps } from "../deliveries/plugin_receiver.ts";
import { type WebhookDeps, webhookReceiver } from "../deliveries/webhook_receiver.ts";
import { again, finish, type JobKind, jobKind } from "../runner/job_kind.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Delays between the attempts: the first at most five seconds with its jitter and the second to which
 * times of named jobs are rounded, eleven over a day.
 */
export const DELIVERY_DELAYS_MS: readonly number[] = [3_300, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS]
  .concat([30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 8 * HOUR_MS]);
/** Messages looked at with one reading. */
const MESSAGES_PER_READ = 200;
/** Messages of one round: they are sent at the same time. */
const BATCH_SIZE = 8;
/** Characters of an answer that are kept. */
const ANSWER_CHARS_KEPT = 4_000;
/** Attempts kept of one message. */
const ATTEMPTS_KEPT = 20;

/** The dependencies of sending. */
export interface DeliverDeps {
  webhooks: WebhookDeps;
  plugins: PluginReceiverDeps;
}

/** The kind of job that sends messages. */
export function deliverKind({ webhooks, plugins }: DeliverDeps): JobKind<"DELIVER"> {
  const { context } = plugins;
  return jobKind("DELIVER", {
    send: async ({ payload: queue, operation, signal }) => {
      const found = queue.kind === "webhook"
        ? await webhookReceiver(webhooks, queue.receiverId)
        : await pluginReceiver(plugins, queue.receiverId);
      if (!isReceiver(found)) {
        const waiting = await pendingMessages(context, queue, MESSAGES_PER_READ);
        for (const entry of waiting) await drop(context, queue, entry, found.reason);
        return waiting.length === MESSAGES_PER_READ ? again(null) : finish();
      }
      const { ready, nextAt } = await findReady(context, queue);
      await Promise.all(ready.map((entry) => deliver(context, queue, found, entry, signal)));
      if (ready.length > 0) return again(null);
      // A waiting job would delay later messages: another one is requested.
      if (nextAt !== null) requestDelivery(operation, context, queue, nextAt);
      return finish();
    },
  });
}

/**
 * The messages that may go now: of each subject the first, unless it waits for its next attempt. The whole
 * queue is looked through where it must be: one subject may hold back any number of messages.
 */
async function findReady(
  context: Context,
  queue: DeliveryQueue,
): Promise<{ ready: StoredEntry<PendingMessage>[]; nextAt: number | null }> {
  const subjects = new Set<string>();
  const ready: StoredEntry<PendingMessage>[] = [];
  let nextAt: number | null = null;
  let last: Entry | undefined;
  for (;;) {
    const waiting = await pendingMessages(context, queue, MESSAGES_PER_READ, last);
    for (const entry of waiting) {
      const { subject, dueAt } = entry.value;
      if (subjects.has(subject)) continue;
      subjects.add(subject);
      if (dueAt > context.now()) nextAt = Math.min(nextAt ?? dueAt, dueAt);
      else if (ready.push(entry) === BATCH_SIZE) return { ready, nextAt };
    }
    if (waiting.length < MESSAGES_PER_READ) return { ready, nextAt };
    last = waiting.at(-1);
  }
}

async function deliver(
  context: Context,
  { receiverId }: DeliveryQueue,
  receiver: Receiver,
  entry: StoredEntry<PendingMessage>,
  signal: AbortSignal,
): Promise<void> {
  const { deliveryId, tries } = entry.value;
  const delivery = await findDelivery(context, receiverId, deliveryId);
  const operation = new Operation().check(entry);
  if (delivery === null) {
    await context.store.commit(operation.delete(entry.key));
    return;
  }
  const { attempt, response, isFinal = false, follow } = await tryOnce(
    context,
    receiver,
    delivery,
    signal,
  );
  const { error } = attempt;
  const delay = error === null || isFinal ? undefined : DELIVERY_DELAYS_MS[tries];
  const state = error === null ? "delivered" : delay === undefined ? "failed" : "pending";
  const dueAt = delay && context.now() + Math.round(delay * (1 + 0.2 * context.store.random()));
  keepDelivery(operation, receiverId, withAttempt(delivery, { state, attempt, response, dueAt }));
  if (dueAt === undefined) operation.delete(entry.key);
  else operation.set(entry.key, { ...entry.value, tries: tries + 1, dueAt });
  follow?.(operation);
  await context.store.commit(operation);
  if (error === null) await receiver.taken?.(delivery);
  else await receiver.failed(delivery, { reason: error, isGivenUp: state === "failed" });
}

async function tryOnce(
  context: Context,
  receiver: Receiver,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Omit<Answer, keyof DeliveryAttempt> & { attempt: DeliveryAttempt }> {
  const startedAt = context.now();
  const at = Math.floor(startedAt / 1000);
  try {
    const answer = await receiver.send(delivery, at, signal);
    const { response, isFinal, follow, ...facts } = answer;
    const attempt = { at, ms: context.now() - startedAt, ...facts };
    return { attempt, response, ...(isFinal && { isFinal }), ...(follow && { follow }) };
  } catch (error) {
    // What is cut off at shutdown was no attempt.
    if (signal.aborted) throw error;
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    const ms = context.now() - startedAt;
    const attempt = { at, status: null, ms, error: message || "The call failed" };
    return { attempt, response: null };
  }
}

function withAttempt(
  { nextAttemptAt: _past, ...delivery }: Delivery,
  { state, attempt, response, dueAt }: Pick<Delivery, "state" | "response"> & {
    attempt: DeliveryAttempt;
    /** When it is tried again, epoch milliseconds. */
    dueAt?: number | undefined;
  },
): Delivery {
  const attempts = [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT);
  const shown = response?.slice(0, ANSWER_CHARS_KEPT) ?? null;
  const next = dueAt === undefined ? {} : { nextAttemptAt: Math.ceil(dueAt / 1000) };
  return { ...delivery, state, attempts, response: shown, ...next };
}

/** A message without a receiver. */
async function drop(
  context: Context,
  { receiverId }: DeliveryQueue,
  entry: StoredEntry<PendingMessage>,
  reason: string,
): Promise<void> {
  const operation = new Operation().check(entry).delete(entry.key);
  const delivery = await findDelivery(context, receiverId, entry.value.deliveryId);
  if (delivery !== null) {
    const at = Math.floor(context.now() / 1000);
    const attempt = { at, status: null, ms: 0, error: reason };
    const { response } = delivery;
    keepDelivery(
      operation,
      receiverId,
      withAttempt(delivery, { state: "failed", attempt, response }),
    );
  }
  await context.store.commit(operation);
}
