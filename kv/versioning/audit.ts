/**
 * The audit log: sign-ins, failed sign-ins, and actions that need a proof of identity. Its rows have no
 * versions and expire after {@linkcode AUDIT_KEPT_MS}. The row of an action is written in the action's commit,
 * so that neither exists without the other.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { auditKey, undeliveredAuditKey, undeliveredAuditPrefix } from "../keys.ts";
import { KV_CHECKS_MAX } from "../limits/store.ts";
import type { AuditEvent, AuditNote } from "../model/audit_note.ts";
import { stampCounted } from "../store/counted_rows.ts";
import type { CommitResult } from "../store/driver.ts";
import { isSameKey, Operation, type StoredEntry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** How long an event is kept: 400 days. */
export const AUDIT_KEPT_MS = 400 * 86_400_000;
/** How long an event waits until its webhook messages are queued: a day. */
const AUDIT_UNDELIVERED_MS = 86_400_000;

/** Notes an event. */
export function noteAudit(
  { now, newId, onEvent, unheardAuditAt }: Pick<
    Context,
    "now" | "newId" | "onEvent" | "unheardAuditAt"
  >,
  event: Omit<AuditEvent, "at">,
): AuditNote {
  const ms = now();
  const at = Math.floor(ms / 1000);
  return {
    ms,
    id: newId(ms),
    event: { at, ...event },
    unheardAt: unheardAuditAt,
    isRecorded: false,
    onRecorded: onEvent,
  };
}

/** Marks a note whose row has been committed. */
export function markRecorded(note: AuditNote | undefined): void {
  if (note === undefined || note.isRecorded) return;
  note.isRecorded = true;
  note.onRecorded?.();
}

/**
 * Adds the rows of a note to a commit, unless another commit has recorded it: the log's, and the webhooks' queue's.
 * Returns whether the commit assumes that no webhook receives the event.
 */
export function stageAudit(
  operation: Operation,
  note: AuditNote | undefined,
  tokenId: string | null = null,
): boolean {
  if (note === undefined || note.isRecorded) return false;
  const row: AuditEvent = { ...note.event, tokenId: note.event.tokenId ?? tokenId };
  operation.set(auditKey(note.ms, note.id), row, { expireIn: AUDIT_KEPT_MS });
  stampCounted(operation, "audit", note.id);
  if (assumeUnheard(operation, note)) return true;
  operation.set(undeliveredAuditKey(note.id), row, { expireIn: AUDIT_UNDELIVERED_MS });
  return false;
}

/** Adds the check that no webhook receives the event, once: if the commit fails, the next one queues the event. */
function assumeUnheard(operation: Operation, note: AuditNote): boolean {
  const unheard = note.unheardAt?.() ?? null;
  note.unheardAt = undefined;
  if (unheard === null || operation.checks.length >= KV_CHECKS_MAX) return false;
  const present = operation.checks.find(({ key }) => isSameKey(key, unheard.key));
  if (present !== undefined && present.versionstamp !== unheard.versionstamp) return false;
  operation.check(unheard);
  return true;
}

/** Commits an action that is not a versioned write together with the row of its note. */
export async function commitAudited(
  store: Store,
  operation: Operation,
  note: AuditNote | undefined,
): Promise<CommitResult> {
  const first = operation.copy();
  const assumes = stageAudit(first, note);
  let result = await store.commit(first);
  if (!result.ok && assumes) {
    stageAudit(operation, note);
    result = await store.commit(operation);
  }
  if (result.ok) markRecorded(note);
  return result;
}

/** Records the event of a note, unless a commit already has. */
export async function recordNote(store: Store, note: AuditNote): Promise<void> {
  if (!note.isRecorded) await commitAudited(store, new Operation(), note);
}

/** Adds an event that belongs to no commit to the log. */
export async function recordAudit(
  context: Context,
  event: Omit<AuditEvent, "at">,
): Promise<void> {
  await recordNote(context.store, noteAudit(context, event));
}

/** Events whose webhook messages are not queued yet, each under a key that ends with its id. */
export async function undeliveredAudit(
  store: Store,
  limit: number,
): Promise<StoredEntry<AuditEvent>[]> {
  return await store.listAll<AuditEvent>({ prefix: undeliveredAuditPrefix }, { limit });
}

/** Selects events. */
export interface AuditFilter {
  event?: string;
  userId?: string;
  tokenId?: string;
  /** Epoch seconds; both ends count. */
  from?: number;
  to?: number;
}

/** The selected events, newest first. */
export async function* auditEvents(
  store: Store,
  { event, userId, tokenId, from = 0, to }: AuditFilter,
): AsyncGenerator<AuditEvent> {
  const last = to === undefined ? Number.MAX_SAFE_INTEGER : (to + 1) * 1000;
  const range = { start: auditKey(from * 1000, ""), end: auditKey(last, "") };
  for await (const { value } of store.list<AuditEvent>(range, { reverse: true, batchSize: 500 })) {
    const fits = (event === undefined || value.event === event) &&
      (userId === undefined || value.userId === userId) &&
      (tokenId === undefined || value.tokenId === tokenId);
    if (fits) yield value;
  }
}
