/**
 * Settling edits: a write flushes a document's pending edits before it decides, so that none of them is
 * applied to its result.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { currentKey } from "../keys.ts";
import { zip } from "../model/primitives/zip.ts";
import { editHeadKey, editHeadPrefix } from "./live_keys.ts";
import { type Entry, Operation, StaleRead } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { type EditHead, NO_EDITS, pendingOf, stageHeld } from "./edit_log.ts";
import { flushEdits } from "./flush.ts";

/**
 * Flushes a document's pending edits and has the attempt start over; call it before reading the head, with
 * which it shares one read. Later attempts continue: edits made after the write has started are concurrent
 * with it.
 */
export async function settleEdits(
  transaction: Transaction,
  content: Content,
  documentId: string,
): Promise<void> {
  const key = editHeadKey(documentId);
  const [, edits] = await transaction.peek(currentKey("document", documentId), key);
  const head = (edits.value ?? NO_EDITS) as EditHead;
  if (!transaction.first || pendingOf(head) === 0) return;
  await flushEdits(content, documentId);
  throw new StaleRead(key);
}

/** Flushes the pending edits of some documents. */
export async function settleEditsOf(content: Content, documentIds: string[]): Promise<void> {
  const { store } = content.context;
  const heads = await store.getMany(documentIds.map(editHeadKey)) as Entry<EditHead>[];
  for (const [documentId, { value }] of zip(documentIds, heads)) {
    if (pendingOf(value ?? NO_EDITS) > 0) await flushEdits(content, documentId);
  }
}

/** Flushes the pending edits of all documents, before an import replaces the site. */
export async function settleAllEdits(content: Content): Promise<void> {
  for await (const { documentId } of openLogs(content)) await flushEdits(content, documentId);
}

/**
 * Drops the edits that {@linkcode settleAllEdits} could not flush, because they arrived between it and the
 * import's lock: the import replaces their documents.
 */
export async function discardAllEdits(content: Content): Promise<void> {
  const { store, log } = content.context;
  for await (const { documentId, entry } of openLogs(content)) {
    const operation = new Operation().check(entry);
    const head = stageHeld(operation, documentId, entry.value!, []);
    operation.set(entry.key, { ...head, flushed: head.seq });
    log.info("edits of a replaced document", { documentId, edits: pendingOf(entry.value!) });
    // Only another attempt of the same import writes it under the lock.
    await store.commit(operation);
  }
}

/** Logs with pending edits or held values. */
async function* openLogs(
  { context: { store } }: Content,
): AsyncGenerator<{ documentId: string; entry: Entry<EditHead> }> {
  for await (const entry of store.list<EditHead>({ prefix: editHeadPrefix })) {
    if (pendingOf(entry.value) === 0 && entry.value.held === 0) continue;
    yield { documentId: entry.key[1] as string, entry };
  }
}
