/**
 * CALL_WEBHOOK: sends what waits for one webhook. Messages about one document go one after the other,
 * others side by side; each webhook has a job of its own, so a slow receiver delays nobody else.
 *
 * @module
 */
import type { Context } from "../kv/context.ts";
import type { Content } from "../kv/documents/content.ts";
import type { WebhookState } from "../kv/model/webhook.ts";
import { UNATTENDED } from "../kv/model/entity.ts";
import { type Entry, Operation } from "../kv/store/operation.ts";
import {
  findWebhookDelivery,
  keepDelivery,
  type PendingMessage,
  pendingMessages,
  requestSending,
  type WebhookAttempt,
  type WebhookDelivery,
} from "../kv/webhooks/webhook_deliveries.ts";
import type { ReadFilter } from "../kv/webhooks/webhook_filter.ts";
import { disableWebhook, webhookSecrets, type WebhookSource } from "../kv/webhooks/webhooks.ts";
import { WEBHOOK_ANSWER_MS_MAX } from "./limits.ts";
import type { GuardedRequest } from "./packages/guarded_request.ts";
import { sendWebhook } from "./plugins/webhook.ts";
import { again, finish, type JobKind, jobKind } from "./runner/job_kind.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Delays between the attempts: the first at most five seconds with its jitter and the second to which
 * times of named jobs are rounded, eleven over a day.
 */
export const WEBHOOK_DELAYS_MS: readonly number[] = [3_300, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS]
  .concat([30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 8 * HOUR_MS]);
/** Messages looked at with one reading. */
const LOOKED_AT = 200;
/** Messages of one round: they are sent at the same time. */
const SENT_TOGETHER = 8;
/** Characters of an answer that are kept. */
const ANSWER_CHARS_KEPT = 4_000;
/** Attempts kept of one message. */
const ATTEMPTS_KEPT = 20;
/** Says that the receiver wants no more messages. */
const GONE = 410;

/** What calling webhooks needs. */
export interface WebhookDeps {
  content: Content;
  webhooks: WebhookSource;
  request: GuardedRequest;
  /** Reads filters of documents. */
  readFilter: ReadFilter;
}

/** The kind of job that sends messages to webhooks. */
export function callWebhookKind(deps: WebhookDeps): JobKind<"CALL_WEBHOOK"> {
  const { context } = deps.content;
  return jobKind("CALL_WEBHOOK", {
    send: async ({ payload: { webhookId }, operation, signal }) => {
      const webhook = (await deps.webhooks.current()).find(({ id }) => id === webhookId);
      if (webhook === undefined || !webhook.enabled) {
        const waiting = await pendingMessages(context, webhookId, LOOKED_AT);
        for (const entry of waiting) await drop(deps, webhookId, entry);
        return waiting.length === LOOKED_AT ? again(null) : finish();
      }
      const { ready, nextAt } = await findReady(context, webhookId);
      await Promise.all(ready.map((entry) => deliver(deps, webhook, entry, signal)));
      if (ready.length > 0) return again(null);
      // A job that waits would keep what comes meanwhile waiting: another is asked for.
      if (nextAt !== null) requestSending(operation, context, webhookId, nextAt);
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
  webhookId: string,
): Promise<{ ready: Entry<PendingMessage>[]; nextAt: number | null }> {
  const subjects = new Set<string>();
  const ready: Entry<PendingMessage>[] = [];
  let nextAt: number | null = null;
  let last: Entry | undefined;
  for (;;) {
    const waiting = await pendingMessages(context, webhookId, LOOKED_AT, last);
    for (const entry of waiting) {
      const { subject, dueAt } = entry.value!;
      if (subjects.has(subject)) continue;
      subjects.add(subject);
      if (dueAt > context.now()) nextAt = Math.min(nextAt ?? dueAt, dueAt);
      else if (ready.push(entry) === SENT_TOGETHER) return { ready, nextAt };
    }
    if (waiting.length < LOOKED_AT) return { ready, nextAt };
    last = waiting.at(-1);
  }
}

async function deliver(
  deps: WebhookDeps,
  webhook: WebhookState,
  entry: Entry<PendingMessage>,
  signal: AbortSignal,
): Promise<void> {
  const { context } = deps.content;
  const { deliveryId, tries } = entry.value!;
  const delivery = await findWebhookDelivery(context, webhook.id, deliveryId);
  const operation = new Operation().check(entry);
  if (delivery === null) {
    await context.store.commit(operation.delete(entry.key));
    return;
  }
  const { attempt, response, isFinal } = await tryOnce(deps, webhook, delivery, signal);
  const isTaken = attempt.error === null;
  const delay = isTaken || isFinal ? undefined : WEBHOOK_DELAYS_MS[tries];
  const attempts = [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT);
  const state = isTaken ? "delivered" : delay === undefined ? "failed" : "pending";
  keepDelivery(operation, webhook.id, { ...delivery, attempts, response, state });
  if (state === "pending") {
    const dueAt = context.now() + Math.round(delay! * (1 + 0.2 * context.store.random()));
    operation.set(entry.key, { ...entry.value!, tries: tries + 1, dueAt });
  } else operation.delete(entry.key);
  await context.store.commit(operation);
  if (state === "failed") {
    context.log.warn("webhook disabled", { webhook: webhook.id, reason: attempt.error });
    await disableWebhook(deps.content, UNATTENDED, webhook.id, `Gave up: ${attempt.error}`);
  }
}

/** One attempt; it is final when no repetition mends it. */
async function tryOnce(
  { content: { context }, request }: WebhookDeps,
  webhook: WebhookState,
  { id, body }: WebhookDelivery,
  signal: AbortSignal,
): Promise<{ attempt: WebhookAttempt; response: string | null; isFinal: boolean }> {
  const startedAt = context.now();
  const at = Math.floor(startedAt / 1000);
  const secrets = webhookSecrets(webhook, at);
  try {
    const message = { id, url: webhook.url, body, secrets, at, signal };
    const { status, body: answer } = await sendWebhook(request, message, WEBHOOK_ANSWER_MS_MAX);
    const isTaken = status >= 200 && status < 300;
    const error = isTaken ? null : `The receiver answered ${status}`;
    const response = new TextDecoder().decode(answer).slice(0, ANSWER_CHARS_KEPT);
    const ms = context.now() - startedAt;
    return { attempt: { at, status, ms, error }, response, isFinal: status === GONE };
  } catch (error) {
    // What is cut off at shutdown was no attempt.
    if (signal.aborted) throw error;
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 300);
    const ms = context.now() - startedAt;
    const attempt = { at, status: null, ms, error: message || "The call failed" };
    return { attempt, response: null, isFinal: false };
  }
}

/** A message that nobody is to get any more. */
async function drop(
  { content: { context } }: WebhookDeps,
  webhookId: string,
  entry: Entry<PendingMessage>,
): Promise<void> {
  const operation = new Operation().check(entry).delete(entry.key);
  const delivery = await findWebhookDelivery(context, webhookId, entry.value!.deliveryId);
  if (delivery !== null) keepDelivery(operation, webhookId, { ...delivery, state: "failed" });
  await context.store.commit(operation);
}
