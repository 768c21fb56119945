/**
 * Checks all documents of a release together before anything is changed.
 *
 * @module
 */
import { danglingReferences } from "../documents/dangling_references.ts";
import {
  type DocumentChange,
  reservationMoves,
  takenReservations,
} from "../documents/reservations.ts";
import { incompleteTranslation } from "../documents/translations/translation_status.ts";
import { zip } from "../model/primitives/zip.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";
import { currentKey } from "../keys.ts";
import { RELEASE_REASON_CHARS_MAX } from "../limits/content.ts";
import { DETAILS_MAX } from "../limits/requests.ts";
import { FAULTS_NAMED_MAX } from "../tuning.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { checkComplete } from "../model/input/document_check.ts";
import type { ReleaseAction, ReleaseDocument } from "../model/entities/release.ts";
import { laidOver } from "../model/entities/working_copy.ts";
import { isOff, translationOf } from "../model/languages/translation.ts";
import { type Detail, type DetailCode, Refusal } from "../refusals.ts";
import { type Entry, keyText } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { type CommitOrder, commitOrders } from "./commit_order.ts";
import { languagesOfPlan, namedInPlan, withPublished } from "./release_languages.ts";

/** An error of a document. */
export interface ReleaseError {
  field: string;
  code: DetailCode | "SLUG_CONFLICT" | "CONFLICT" | "NOT_FOUND";
  message: string;
}

/** A document as checked. */
export interface CheckedDocument extends CommitOrder {
  id: string;
  /** Empty if it no longer exists. */
  collectionId: string;
  action: ReleaseAction;
  /** The languages that it is about; absent for its original. */
  languages?: readonly string[];
  /** Its title in the release; empty without one. */
  title: string;
  /** Its version number; 0 without one. */
  n: number;
  errors: ReleaseError[];
}

/** Decides on a document's next state, or returns an error. */
export type Decide = (
  found: { state: DocumentState; n: number; collection: Collection },
  document: ReleaseDocument,
) => Promise<DocumentState | ReleaseError | null> | DocumentState | ReleaseError | null;

/** Checks the publication of documents, in order. */
export async function checkPublication(
  transaction: Transaction,
  schema: Schema,
  documents: readonly ReleaseDocument[],
): Promise<CheckedDocument[]> {
  return await checkDocuments(transaction, schema, documents, ({ state, collection }, plan) => {
    if (plan.action === "unpublish") return null;
    const languages = languagesOfPlan(state, collection, plan);
    // Publishing the original of an archived document brings it back, its translations as drafts.
    if (state.status === "trashed" || (isOff(state) && !languages.includes(""))) {
      const message = `The document is ${state.status}`;
      return { field: "status", code: "CONFLICT", message };
    }
    const absent = languages.find((code) => code !== "" && !translationOf(state, code));
    if (absent !== undefined) {
      const message = `The document has no translation in ${absent}`;
      return { field: "languages", code: "INVALID_LANGUAGE", message };
    }
    return withPublished(state, languages, transaction.at);
  });
}

/**
 * Checks the next states of documents. One may take a slug or value that another gives up; two that want the
 * same conflict.
 */
export async function checkDocuments(
  transaction: Transaction,
  schema: Schema,
  documents: readonly ReleaseDocument[],
  decide: Decide,
): Promise<CheckedDocument[]> {
  const keys = documents.map(({ documentId }) => currentKey("document", documentId));
  const entries = await transaction.peek<CurrentRow>(...keys);
  const found = await Promise.all(
    zip(documents, entries).map(([document, entry]) =>
      decideDocument(transaction, schema, document, entry, decide)
    ),
  );
  const wants = await checkReservations(transaction, found);
  const waits = new Map(wants.map(({ id, waitsFor }) => [id, waitsFor]));
  const orders = commitOrders(waits);
  return found.map(({ checked }) => ({
    ...checked,
    // Documents that move no slug or value go last: then little has to be undone if one is taken after all.
    ...(orders.get(checked.id) ?? { turn: documents.length, ring: [] }),
  }));
}

/** A document with its errors so far, and its next state, if any. */
interface DocumentDecision {
  checked: Omit<CheckedDocument, keyof CommitOrder>;
  change: (DocumentChange & { before: DocumentState; after: DocumentState }) | null;
}

async function decideDocument(
  transaction: Transaction,
  schema: Schema,
  document: ReleaseDocument,
  entry: Entry<CurrentRow>,
  decide: Decide,
): Promise<DocumentDecision> {
  const { documentId: id, action } = document;
  const { state, row } = await readHead(transaction.context, "document", id, entry.key, entry);
  const collection = schema.byId.get(state?.collectionId ?? "");
  const checked: DocumentDecision["checked"] = {
    id,
    collectionId: "",
    action,
    title: "",
    n: row?.n ?? 0,
    errors: [],
  };
  if (state === null || collection === undefined) {
    const message = "The document is not there any more";
    checked.errors.push({ field: "id", code: "NOT_FOUND", message });
    return { checked, change: null };
  }
  checked.collectionId = collection.id;
  checked.title = laidOver(state).title;
  Object.assign(checked, namedInPlan(state, collection, document));
  const after = await decide({ state, n: row.n, collection }, document);
  if (after === null) return { checked, change: null };
  if ("code" in after) {
    checked.errors.push(after);
    return { checked, change: null };
  }
  for (const language of languagesOfPlan(state, collection, document)) {
    checked.errors.push(...await incompleteSide(transaction, schema, collection, after, language));
  }
  return { checked, change: { collection, before: state, after } };
}

/** What keeps a document from being public in a language; nothing if it is not. */
export async function incompleteSide(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  after: DocumentState,
  language: string,
): Promise<Detail[]> {
  const side = language === "" ? after : translationOf(after, language);
  if (side?.status !== "published") return [];
  if (!("collectionId" in side)) {
    return await incompleteTranslation(transaction, schema, collection, after, language, side);
  }
  const { details, references } = checkComplete(side, collection, schema);
  return [...details, ...await danglingReferences(transaction, schema, references)];
}

/** Adds errors for slugs and values that are taken; returns the documents that each one waits for. */
async function checkReservations(
  transaction: Transaction,
  found: readonly DocumentDecision[],
): Promise<{ id: string; waitsFor: string[] }[]> {
  const decided = found.flatMap(({ checked, change }) =>
    change === null ? [] : [{ checked, change, moves: reservationMoves(change) }]
  ).filter(({ moves }) => moves.length > 0);
  const givers = new Map(
    decided.flatMap(({ checked, moves }) =>
      moves.flatMap(({ held }) => held === null ? [] : [[keyText(held), checked.id] as const])
    ),
  );
  const takers = new Map<string, string>();
  return await Promise.all(decided.map(async ({ checked: { id, errors }, change, moves }) => {
    const refuse = (field: string, message: string) =>
      errors.some((error) => error.field === field) ||
      errors.push({ field, code: field === "slug" ? "SLUG_CONFLICT" : "NOT_UNIQUE", message });
    for (const { field, wanted } of moves) {
      if (wanted === null) continue;
      const taker = takers.get(keyText(wanted)) ?? id;
      takers.set(keyText(wanted), taker);
      if (taker !== id) refuse(field, `Document ${taker} of this release wants the same`);
    }
    const waitsFor: string[] = [];
    for (const { field, key, holder } of await takenReservations(transaction, change)) {
      if (givers.get(keyText(key)) === holder) waitsFor.push(holder);
      else refuse(field, TAKEN[field === "slug" ? "slug" : "value"]);
    }
    return { id, waitsFor };
  }));
}

const TAKEN = {
  slug: "The slug is already used in this collection",
  value: "Another document has this value",
} as const;

/** Refuses if any document has an error. */
export function refuseFailed(checked: readonly CheckedDocument[]): void {
  const failures = checked.flatMap(({ id, errors }) =>
    errors.map((error) => ({ id, error, field: `documents.${id}.${error.field}` }))
  );
  if (failures.length === 0) return;
  const details = failures.flatMap(({ error: { code, message }, field }): Detail[] =>
    isDetailCode(code) ? [{ field, code, message }] : []
  );
  if (details.length > 0) {
    throw new Refusal("VALIDATION_FAILED", { details: details.slice(0, DETAILS_MAX) });
  }
  const isSlug = failures.every(({ error }) => error.code === "SLUG_CONFLICT");
  const about = failures.slice(0, FAULTS_NAMED_MAX)
    .map(({ id, error }) => isSlug ? `document ${id}` : `document ${id}: ${error.message}`)
    .join("; ");
  throw new Refusal(isSlug ? "SLUG_CONFLICT" : "CONFLICT", { about });
}

/** The errors in words; null without any. */
export function reasonOf(checked: readonly CheckedDocument[]): string | null {
  const failed = checked.filter(({ errors }) => errors.length > 0);
  if (failed.length === 0) return null;
  const words = failed.map(({ title, id, errors }) => {
    const reasons = errors.map(({ field, message }) => `${field}: ${message}`);
    return `"${title || id}": ${reasons.join(", ")}`;
  });
  return words.join("; ").slice(0, RELEASE_REASON_CHARS_MAX);
}

function isDetailCode(code: ReleaseError["code"]): code is DetailCode {
  return code !== "SLUG_CONFLICT" && code !== "CONFLICT" && code !== "NOT_FOUND";
}
