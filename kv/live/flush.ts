/**
 * The flush: pending edits become one version of the document. The commit checks and sets the head of the log,
 * so that only one of several processes does it. A value that cannot be stored (a slug that is taken, a
 * definition that has changed) is held for the editors, never dropped.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { schemaOf, stageDocument } from "../documents/write.ts";
import { LIVE_SUMMARY } from "../versioning/edit_sessions.ts";
import type { Head } from "../versioning/entities.ts";
import { sameJson } from "../model/values/same_json.ts";
import { freeTranslationSlug } from "../documents/derived_slug.ts";
import { freeSlug } from "../documents/free_slug.ts";
import { jobRequestKey } from "../jobs/job_keys.ts";
import { slugKey } from "../keys.ts";
import { HELD_BYTES_MAX } from "../tuning.ts";
import { editHeadKey } from "./live_keys.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { type Detail, Refusal, type RefusalCode } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import {
  type EditHead,
  type EditOperation,
  flushName,
  type HeldValue,
  NO_EDITS,
  pendingOf,
  readEditHead,
  readEdits,
  readHeld,
  stageHeld,
  stageTrim,
} from "./edit_log.ts";
import { laidOverInAll, withEdits } from "./edited_document.ts";
import { hasLanguage, hasLanguageOf, partsOfRoot, rootValue, withRoot } from "./edited_root.ts";
import { validateChange } from "./validate_change.ts";
import { applyEdit, applyHeld, stillHeld, type Working, workingOn } from "./working_state.ts";

/** The result of a flush. */
export interface FlushResult {
  /** The last edit that is in the document. */
  seq: number;
  versionNumber: number;
}

/** The scope of one commit of a flush. */
interface Portion {
  /** The most edits. */
  most: number;
  /** Whether the result is set aside as a version instead of changing the document. */
  setAside: boolean;
}

const ALL: Portion = { most: Infinity, setAside: false };

/**
 * Puts all pending edits into the document; null if there were none. A flush always ends: edits that are too
 * large for one commit are flushed in portions, and a single edit that is too large is set aside as a version,
 * which can be viewed and restored.
 */
export async function flushEdits(
  content: Content,
  documentId: string,
): Promise<FlushResult | null> {
  const { store } = content.context;
  const { value: head } = await readEditHead(store, documentId);
  if (head === null || pendingOf(head) === 0) return null;
  const [last] = await readEdits(store, documentId, head.seq, head.seq);
  const actor = { userId: last?.by ?? null };
  let flushed: FlushResult = { seq: head.flushed, versionNumber: head.n };
  let portion = ALL;
  while (flushed.seq < head.seq) {
    const { most, setAside } = portion;
    try {
      const next = await versionedWrite(
        content.context,
        actor,
        (transaction) => flush(content, transaction, documentId, portion),
      );
      // Another process has been faster.
      if (next === null) break;
      flushed = next;
      portion = ALL;
    } catch (error) {
      if (!isRefusedForGood(error) || setAside) throw error;
      const half = Math.floor(Math.min(most, head.seq - flushed.seq) / 2);
      portion = half === 0 ? { most: 1, setAside: true } : { most: half, setAside: false };
    }
  }
  return flushed;
}

/** Whether a retry is useless: after any refusal except contention and a running import. */
function isRefusedForGood(error: unknown): boolean {
  return error instanceof Refusal &&
    (error.facts.details !== undefined ||
      ["PAYLOAD_TOO_LARGE", "SLUG_CONFLICT"].includes(error.code));
}

async function flush(
  content: Content,
  transaction: Transaction,
  documentId: string,
  { most, setAside }: Portion,
): Promise<FlushResult | null> {
  const { store, log } = content.context;
  const { operation } = transaction;
  const entry = await transaction.get<EditHead>(editHeadKey(documentId));
  const head = entry.value ?? NO_EDITS;
  if (pendingOf(head) === 0) return null;
  const schema = await schemaOf(transaction, content);
  const stored = await transaction.head("document", documentId);
  const found = stored.state;
  // Edits of what is published go to its working copy.
  const state = found === null ? null : laidOverInAll(found);
  const collection = state === null ? undefined : schema.byId.get(state.collectionId);
  const to = Math.min(head.seq, head.flushed + most);
  const operations = await readEdits(store, documentId, head.flushed + 1, to);
  let n = stored.row?.n ?? 0;
  let next: EditHead = { ...head, flushed: to };
  if (found === null || state === null || collection === undefined) {
    log.warn("edits of a document that is gone", { documentId, edits: operations.length });
  } else {
    const edits = operations.filter(({ language }) => hasLanguage(state, language));
    if (edits.length < operations.length) {
      const count = operations.length - edits.length;
      log.warn("edits of a translation that is gone", { documentId, edits: count });
    }
    const held = stillHeld(await readHeld(store, documentId, head), operations);
    const placed = applyAll(
      state,
      held.filter(({ steps: [root = ""] }) => hasLanguageOf(state, root)),
      edits,
    );
    const fit = setAside
      ? { state, held: [] }
      : await settle(transaction, schema, collection, state, placed);
    if (JSON.stringify(fit.held).length > HELD_BYTES_MAX) throw new Refusal("PAYLOAD_TOO_LARGE");
    const at = Math.max(transaction.at, stored.row.at);
    const before = { at, n: stored.row.n };
    if (setAside) {
      const edited = withEdits(found, placed.state, before);
      stageAside(transaction, stored, { ...placed, state: edited });
      next.aside = n + 1;
      log.warn("an edit was set aside", { documentId, versionNumber: next.aside });
    }
    if (setAside || !sameJson(fit.state, state)) {
      const after = setAside ? found : withEdits(found, fit.state, before);
      const summary = setAside ? "As before what was set aside" : summaryOf(operations);
      const options = { summary, republish: false };
      const write = { collection, head: stored, after, options };
      ({ n } = await stageDocument(transaction, content, write));
    }
    next = stageHeld(operation, documentId, next, fit.held);
  }
  next = await stageTrim(operation, store, documentId, { ...next, n });
  operation.set(editHeadKey(documentId), next);
  if (to === head.seq) operation.delete(jobRequestKey(flushName(documentId)));
  return { seq: next.flushed, versionNumber: n };
}

/** Records the result of edits as a version that is not the current one. */
function stageAside(transaction: Transaction, stored: Head, { state, unplaced }: Working): void {
  const whole = unplaced.length === 0 ? state : { ...state, unplaced };
  const summary = "Edited live, set aside: it could not be put into the document";
  transaction.record("document", state.id, stored, whole, { summary });
}

/** The state with the held values and all edits applied. */
export function applyAll(
  state: DocumentState,
  held: readonly HeldValue[],
  operations: readonly EditOperation[],
): Working {
  return operations.reduce(
    (sum, one) => applyEdit(sum, one, "rebase"),
    applyHeld(workingOn(state), held),
  );
}

/** Stores the changes that are valid; the rest is held. */
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
  // Each round removes at least one root.
  for (;;) {
    const verdict = await validateChange(transaction, schema, collection, {
      before,
      after,
      roots: roots.keys(),
    });
    if (verdict.faults.size === 0) return { state: { ...verdict.state }, held };
    for (const [root, details] of verdict.faults) {
      const { by } = roots.get(root)!;
      const isSlug = partsOfRoot(root).name === "slug";
      if (isSlug && details.every(({ code }) => code === "NOT_UNIQUE")) {
        after = withRoot(after, root, await freeSlugNear(transaction, collection, after, root));
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

async function freeSlugNear(
  transaction: Transaction,
  collection: Collection,
  state: DocumentState,
  root: string,
): Promise<string> {
  const slug = String(rootValue(state, root));
  const { language } = partsOfRoot(root);
  if (language !== undefined) {
    return await freeTranslationSlug(transaction, collection, language, slug);
  }
  const { context } = transaction;
  const { collectionId } = state;
  const areTaken = async (slugs: string[]) => {
    const reserved = await context.store.getMany(slugs.map((one) => slugKey(collectionId, one)));
    return reserved.map(({ value }) => value !== null);
  };
  return await freeSlug({ wanted: slug, areTaken });
}

function summaryOf(operations: readonly EditOperation[]): string {
  const people = new Set(operations.map(({ by }) => by)).size;
  return people > 1 ? `${LIVE_SUMMARY} by ${people} people` : LIVE_SUMMARY;
}
