/**
 * Messages to plugins, and what came of each: the newest few of every plugin.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import { deliveryKey, deliveryPrefix } from "../keys.ts";
import type { Json } from "../model/entity.ts";
import { Refusal } from "../refusals.ts";
import { Operation } from "../store/operation.ts";

/** Messages kept of one plugin. */
export const DELIVERIES_KEPT = 200;
/** Attempts kept of one message. */
const ATTEMPTS_KEPT = 10;
/** Messages dropped in one commit. */
const DROPPED_AT_ONCE = 500;

/** One attempt to deliver a message. */
export type DeliveryAttempt = {
  /** Epoch seconds. */
  at: number;
  ms: number;
  ok: boolean;
  /** The status of an HTTP answer. */
  status?: number;
  error?: string;
  /** What the plugin's code answered. */
  result?: Json;
  /** What it logged. */
  log?: string[];
  /** Which calls of the host it made, and how often. */
  calls?: Record<string, number>;
};

/** A message to a plugin. */
export interface Delivery {
  id: string;
  pluginId: string;
  event: string;
  /** Where it is sent; null for the plugin's own code. */
  url: string | null;
  /** The message itself, as it is sent each time. */
  body: string;
  state: "waiting" | "delivered" | "failed";
  attempts: DeliveryAttempt[];
  attemptCount: number;
  jobId: string;
  createdAt: number;
}

/** Adds a message and the job that delivers it to a commit. */
export function stageDelivery(
  operation: Operation,
  context: Context,
  message: Pick<Delivery, "pluginId" | "event" | "url" | "body">,
): Delivery {
  const now = context.now();
  const id = context.newId(now);
  const payload = { pluginId: message.pluginId, deliveryId: id };
  const jobId = addJob(operation, context, { type: "CALL_PLUGIN", payload });
  const createdAt = Math.floor(now / 1000);
  const delivery: Delivery = {
    id,
    ...message,
    state: "waiting",
    attempts: [],
    attemptCount: 0,
    jobId,
    createdAt,
  };
  operation.set(deliveryKey(message.pluginId, id), delivery);
  return delivery;
}

/** The message after another attempt. */
export function attempted(
  delivery: Delivery,
  state: Delivery["state"],
  attempt: DeliveryAttempt,
): Delivery {
  const attempts = [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT);
  return { ...delivery, state, attempts, attemptCount: delivery.attemptCount + 1 };
}

/** A message; null when there is none (any more). */
export async function findDelivery(
  { store }: Context,
  pluginId: string,
  id: string,
): Promise<Delivery | null> {
  return (await store.get<Delivery>(deliveryKey(pluginId, id))).value;
}

/** The messages of a plugin, newest first. */
export async function listDeliveries({ store }: Context, pluginId: string): Promise<Delivery[]> {
  const rows = await store.listAll<Delivery>(
    { prefix: deliveryPrefix(pluginId) },
    { reverse: true, limit: DELIVERIES_KEPT },
  );
  return rows.map(({ value }) => value!);
}

/** Sends a message again: the same one, under the same id. */
export async function resendDelivery(
  context: Context,
  pluginId: string,
  id: string,
): Promise<Delivery> {
  const { store } = context;
  const entry = await store.get<Delivery>(deliveryKey(pluginId, id));
  if (entry.value === null) throw new Refusal("NOT_FOUND");
  if (entry.value.state === "waiting") {
    throw new Refusal("CONFLICT", { about: "the message is still on its way" });
  }
  const operation = new Operation().check(entry);
  const payload = { pluginId, deliveryId: id };
  const jobId = addJob(operation, context, { type: "CALL_PLUGIN", payload });
  const again: Delivery = { ...entry.value, state: "waiting", jobId };
  operation.set(entry.key, again);
  if (!(await store.commit(operation)).ok) throw new Refusal("CONFLICT");
  return again;
}

/** Drops what became of the oldest messages of a plugin beyond those that are kept. */
export async function pruneDeliveries({ store }: Context, pluginId: string): Promise<void> {
  const prefix = deliveryPrefix(pluginId);
  const kept = await store.listAll({ prefix }, { reverse: true, limit: DELIVERIES_KEPT });
  if (kept.length < DELIVERIES_KEPT) return;
  const range = { prefix, end: kept.at(-1)!.key };
  const old = await store.listAll<Delivery>(range, { limit: DROPPED_AT_ONCE });
  const operation = new Operation();
  for (const { key, value } of old) {
    if (value!.state !== "waiting") operation.delete(key);
  }
  if (operation.mutations > 0) await store.commit(operation);
}

/** Drops all messages of a plugin. */
export async function forgetDeliveries({ store }: Context, pluginId: string): Promise<void> {
  const prefix = deliveryPrefix(pluginId);
  for (;;) {
    const rows = await store.listAll({ prefix }, { limit: DROPPED_AT_ONCE });
    if (rows.length === 0) return;
    const operation = new Operation();
    for (const { key } of rows) operation.delete(key);
    await store.commit(operation);
  }
}
