/**
 * What editors have typed so far is part of what happens to a document next: a write flushes pending
 * operations before it decides, so that none of them is applied to its result.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { currentKey } from "../keys.ts";
import { editHeadKey, editHeadPrefix } from "./live_keys.ts";
import { type Entry, Operation, StaleRead } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { type EditHead, NO_EDITS, pendingOf, stageHeld } from "./edit_log.ts";
import { flushEdits } from "./flush.ts";

/**
 * Flushes a document's pending operations and has the attempt start again; to be called before the head is
 * read, with which it shares one read. Later attempts continue: what is typed after the write has started is
 * concurrent with it.
 */
export async function settleEdits(
  transaction: Transaction,
  content: Content,
  documentId: string,
): Promise<void> {
  const key = editHeadKey(documentId);
  const [, edits] = await transaction.peek(currentKey("document", documentId), key);
  const head = (edits!.value ?? NO_EDITS) as EditHead;
  if (!transaction.first || pendingOf(head) === 0) return;
  await flushEdits(content, documentId);
  throw new StaleRead(key);
}

/** Flushes the pending operations of some documents. */
export async function settleEditsOf(content: Content, documentIds: string[]): Promise<void> {
  const { store } = content.context;
  const heads = await store.getMany(documentIds.map(editHeadKey)) as Entry<EditHead>[];
  for (const [index, { value }] of heads.entries()) {
    if (pendingOf(value ?? NO_EDITS) > 0) await flushEdits(content, documentIds[index]!);
  }
}

/** Flushes the pending operations of all documents: before the site becomes another one. */
export async function settleAllEdits(content: Content): Promise<void> {
  for await (const { documentId } of openLogs(content)) await flushEdits(content, documentId);
}

/**
 * Drops what {@linkcode settleAllEdits} could not flush, because it was typed between that and the lock of
 * an import: it was typed into documents that the import replaces.
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

/** The logs with operations that wait, or values that were held back. */
async function* openLogs(
  { context: { store } }: Content,
): AsyncGenerator<{ documentId: string; entry: Entry<EditHead> }> {
  for await (const entry of store.list<EditHead>({ prefix: editHeadPrefix })) {
    if (pendingOf(entry.value!) === 0 && entry.value!.held === 0) continue;
    yield { documentId: entry.key[1] as string, entry };
  }
}
