/**
 * The audit log: who signed in, who could not, and who did what a stolen session must not be enough for. Rows
 * beside, without versions, which the store forgets after {@linkcode AUDIT_KEPT_MS}.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { auditKey, untoldAuditKey, untoldAuditPrefix } from "../keys.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** How long an event is kept: 400 days. */
const AUDIT_KEPT_MS = 400 * 86_400_000;
/** How long an event waits for webhooks to be told of it: a day, for a site without any forgets it. */
const AUDIT_UNTOLD_MS = 86_400_000;

/** An event as it is kept and shown. */
export interface AuditEvent {
  /** Epoch seconds. */
  at: number;
  /** What happened: `sign_in`, `sign_in_failed`, or the name of an act. */
  event: string;
  /** Who did it, or tried to; null when no such user exists. */
  userId: string | null;
  /** The token that it is about. */
  tokenId: string | null;
  /** The client's address. */
  address: string;
  details: { method?: string; path?: string };
}

/** Adds an event to the log. */
export async function recordAudit(
  { store, now, newId, onEvent }: Context,
  event: Omit<AuditEvent, "at">,
): Promise<void> {
  const ms = now();
  const row: AuditEvent = { at: Math.floor(ms / 1000), ...event };
  const id = newId(ms);
  const operation = new Operation()
    .set(auditKey(ms, id), row, { expireIn: AUDIT_KEPT_MS })
    .set(untoldAuditKey(id), row, { expireIn: AUDIT_UNTOLD_MS });
  await store.commit(operation);
  onEvent?.();
}

/** Events that webhooks have not been told of yet, each at a key that ends with its id. */
export async function untoldAudit(store: Store, limit: number): Promise<Entry<AuditEvent>[]> {
  return await store.listAll<AuditEvent>({ prefix: untoldAuditPrefix }, { limit });
}

/** Which events are asked for. */
export interface AuditFilter {
  event?: string;
  userId?: string;
  tokenId?: string;
  /** Epoch seconds; both ends count. */
  from?: number;
  to?: number;
}

/** The events that fit, newest first. */
export async function* auditEvents(
  store: Store,
  { event, userId, tokenId, from = 0, to }: AuditFilter,
): AsyncGenerator<AuditEvent> {
  const last = to === undefined ? Number.MAX_SAFE_INTEGER : (to + 1) * 1000;
  const range = { start: auditKey(from * 1000, ""), end: auditKey(last, "") };
  for await (const { value } of store.list<AuditEvent>(range, { reverse: true, batchSize: 500 })) {
    const fits = (event === undefined || value!.event === event) &&
      (userId === undefined || value!.userId === userId) &&
      (tokenId === undefined || value!.tokenId === tokenId);
    if (fits) yield value!;
  }
}
