/**
 * The flush: what editors have typed becomes one version of the document. The commit checks and sets the
 * head of the operations, so of several processes that try only one does it. What cannot be stored as it
 * was typed (a value that was taken meanwhile, a definition that has changed) is held back for the
 * editors, never dropped.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { schemaOf, stageDocument } from "../documents/write.ts";
import { sameJson } from "../model/same_json.ts";
import { freeSlug } from "../documents/free_slug.ts";
import { editHeadKey, jobRequestKey, slugKey } from "../keys.ts";
import type { Collection, Schema } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import type { Detail, RefusalCode } from "../refusals.ts";
import { type Transaction, versionedWrite } from "../versioned_write.ts";
import {
  type EditHead,
  type EditOperation,
  flushName,
  type HeldValue,
  NO_EDITS,
  pendingOf,
  readEditHead,
  readHeld,
  readOperations,
  stageHeld,
  stageTrim,
} from "./edit_log.ts";
import { validateChange } from "./validate_change.ts";
import {
  applyHeld,
  applyOperation,
  rootValue,
  stillHeld,
  withRoot,
  type Working,
  workingOn,
} from "./working_state.ts";

/** What a flush came to. */
export interface Flushed {
  /** The last operation that is in the document. */
  seq: number;
  versionNumber: number;
}

/** Puts every pending operation into the document; null when there was none. */
export async function flushEdits(content: Content, documentId: string): Promise<Flushed | null> {
  const { context } = content;
  const { value: head } = await readEditHead(context.store, documentId);
  if (head === null || pendingOf(head) === 0) return null;
  const [last] = await readOperations(context.store, documentId, head.seq, head.seq);
  const actor = { userId: last?.by ?? null };
  return await versionedWrite(
    context,
    actor,
    (transaction) => flush(content, transaction, documentId),
  );
}

async function flush(
  content: Content,
  transaction: Transaction,
  documentId: string,
): Promise<Flushed | null> {
  const { store, log } = content.context;
  const entry = await transaction.get<EditHead>(editHeadKey(documentId));
  const head = entry.value ?? NO_EDITS;
  if (pendingOf(head) === 0) return null;
  const schema = await schemaOf(transaction, content);
  const stored = await transaction.head("document", documentId);
  const state = stored.state as DocumentState | null;
  const collection = state === null ? undefined : schema.byId.get(state.collectionId);
  const operations = await readOperations(store, documentId, head.flushed + 1, head.seq);
  let n = stored.row?.n ?? 0;
  let next: EditHead = { ...head, flushed: head.seq };
  if (state === null || collection === undefined) {
    log.warn("edits of a document that is gone", { documentId, edits: operations.length });
  } else {
    const held = stillHeld(await readHeld(store, documentId, head), operations);
    const placed = applyAll(state, held, operations);
    const fit = await settle(transaction, schema, collection, state, placed);
    if (!sameJson(fit.state, state)) {
      fit.state.updatedAt = Math.max(transaction.at, stored.row!.at);
      const options = { summary: summaryOf(operations) };
      n = (await stageDocument(transaction, content, collection, stored, fit.state, options))!.n;
    }
    next = stageHeld(transaction.operation, documentId, next, fit.held);
  }
  next = await stageTrim(transaction.operation, store, documentId, { ...next, n });
  transaction.operation.set(editHeadKey(documentId), next)
    .delete(jobRequestKey(flushName(documentId)));
  return { seq: next.seq, versionNumber: n };
}

/** The state with what was held back, and all operations upon it. */
export function applyAll(
  state: DocumentState,
  held: readonly HeldValue[],
  operations: readonly EditOperation[],
): Working {
  return operations.reduce(
    (sum, one) => applyOperation(sum, one, "rebase"),
    applyHeld(workingOn(state), held),
  );
}

/** What of the changes can be stored; the rest is held back. */
async function settle(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  before: DocumentState,
  placed: Working,
): Promise<{ state: DocumentState; held: HeldValue[] }> {
  const roots = new Map(placed.roots);
  const held = [...placed.unplaced];
  let after = placed.state;
  // Each round takes at least one root away.
  for (;;) {
    const verdict = await validateChange(transaction, schema, collection, {
      before,
      after,
      roots: roots.keys(),
    });
    if (verdict.faults.size === 0) return { state: { ...verdict.state }, held };
    for (const [root, details] of verdict.faults) {
      const { by } = roots.get(root)!;
      if (root === "slug" && details.every(({ code }) => code === "NOT_UNIQUE")) {
        after = { ...after, slug: await slugNear(transaction, after) };
        continue;
      }
      const value = rootValue(after, root) ?? null;
      held.push({ steps: [root], value, by, code: codeOf(details), details });
      after = withRoot(after, root, rootValue(before, root) ?? null);
      roots.delete(root);
    }
  }
}

function codeOf(details: readonly Detail[]): RefusalCode {
  return details.every(({ code }) => code === "NOT_UNIQUE") ? "CONFLICT" : "VALIDATION_FAILED";
}

async function slugNear(
  { context }: Transaction,
  { collectionId, slug }: DocumentState,
): Promise<string> {
  return await freeSlug(slug, async (slugs) => {
    const reserved = await context.store.getMany(slugs.map((one) => slugKey(collectionId, one)));
    return reserved.map(({ value }) => value !== null);
  });
}

function summaryOf(operations: readonly EditOperation[]): string {
  const people = new Set(operations.map(({ by }) => by)).size;
  return people > 1 ? `Edited live by ${people} people` : "Edited live";
}
