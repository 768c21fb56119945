/**
 * What keeps the documents of a release from going out, or from being put back: asked before anything is
 * changed, for all of them together.
 *
 * @module
 */
import { danglingReferences } from "../documents/dangling_references.ts";
import { isSlugTaken, newReservations, takenUniqueValues } from "../documents/reservations.ts";
import { published } from "../documents/status.ts";
import { type LiveRow, readHead } from "../entities.ts";
import { liveKey } from "../keys.ts";
import { DETAILS_MAX, RELEASE_REASON_CHARS_MAX } from "../limits.ts";
import { FAULTS_NAMED_MAX } from "../tuning.ts";
import type { Collection, Schema } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import { checkComplete } from "../model/document_check.ts";
import type { ReleaseAction, ReleaseDocument } from "../model/release.ts";
import { laidOver } from "../model/working_copy.ts";
import { type Detail, type DetailCode, Refusal } from "../refusals.ts";
import type { Entry } from "../store/operation.ts";
import type { Transaction } from "../versioned_write.ts";

/** What keeps a document back. */
export interface ReleaseError {
  field: string;
  code: DetailCode | "SLUG_CONFLICT" | "CONFLICT" | "NOT_FOUND";
  message: string;
}

/** A document as the check has seen it. */
export interface CheckedDocument {
  id: string;
  action: ReleaseAction;
  /** Its title, as it goes out; empty where there is none. */
  title: string;
  /** Its version number; 0 where there is none. */
  n: number;
  /** Whether it needs a slug or unique value that it does not have yet. */
  isRenamed: boolean;
  errors: ReleaseError[];
}

/** Decides what a document is to become, or what keeps it back. */
export type Decide = (
  found: { state: DocumentState; n: number },
  document: ReleaseDocument,
) => Promise<DocumentState | ReleaseError | null> | DocumentState | ReleaseError | null;

/** Checks the publication of documents, in their order. */
export async function checkPublication(
  transaction: Transaction,
  schema: Schema,
  documents: readonly ReleaseDocument[],
): Promise<CheckedDocument[]> {
  return await checkDocuments(transaction, schema, documents, ({ state }, { action }) => {
    if (action === "unpublish") return null;
    if (state.status === "trashed") {
      return { field: "status", code: "CONFLICT", message: "The document is trashed" };
    }
    return published(laidOver(state), transaction.at);
  });
}

/** Checks what documents are to become. Two of them that want the same slug or value cannot both have it. */
export async function checkDocuments(
  transaction: Transaction,
  schema: Schema,
  documents: readonly ReleaseDocument[],
  decide: Decide,
): Promise<CheckedDocument[]> {
  const keys = documents.map(({ documentId }) => liveKey("document", documentId));
  const entries = await transaction.peek<LiveRow>(...keys);
  const names = new Map<string, string>();
  const found: { checked: CheckedDocument; reservations: ReservedName[] }[] = await Promise.all(
    documents.map((document, index) =>
      checkDocument(transaction, schema, document, entries[index]!, decide)
    ),
  );
  for (const { checked, reservations } of found) {
    checked.isRenamed = reservations.length > 0;
    for (const { field, name } of reservations) {
      const other = names.get(name) ?? checked.id;
      names.set(name, other);
      if (other === checked.id || checked.errors.some((error) => error.field === field)) continue;
      const message = `Document ${other} of this release wants the same`;
      const code = field === "slug" ? "SLUG_CONFLICT" : "NOT_UNIQUE";
      checked.errors.push({ field, code, message });
    }
  }
  return found.map(({ checked }) => checked);
}

type ReservedName = ReturnType<typeof newReservations>[number];

async function checkDocument(
  transaction: Transaction,
  schema: Schema,
  document: ReleaseDocument,
  entry: Entry<LiveRow>,
  decide: Decide,
): Promise<{ checked: CheckedDocument; reservations: ReservedName[] }> {
  const { documentId: id, action } = document;
  const { state, row } = await readHead(transaction.context, "document", id, entry.key, entry);
  const collection = schema.byId.get(state?.collectionId ?? "");
  const checked = { id, action, title: "", n: row?.n ?? 0, isRenamed: false };
  if (state === null || collection === undefined) {
    const message = "The document is not there any more";
    const errors: ReleaseError[] = [{ field: "id", code: "NOT_FOUND", message }];
    return { checked: { ...checked, errors }, reservations: [] };
  }
  const next = await decide({ state, n: row!.n }, document);
  const title = laidOver(state).title;
  if (next === null) return { checked: { ...checked, title, errors: [] }, reservations: [] };
  if ("code" in next) return { checked: { ...checked, title, errors: [next] }, reservations: [] };
  const change = { before: state, after: next };
  return {
    checked: { ...checked, title, errors: await errorsOf(transaction, schema, collection, change) },
    reservations: newReservations(collection, change),
  };
}

async function errorsOf(
  transaction: Transaction,
  schema: Schema,
  collection: Collection,
  { before, after }: { before: DocumentState; after: DocumentState },
): Promise<ReleaseError[]> {
  const errors: ReleaseError[] = [];
  if (after.status === "published") {
    const { details, references } = checkComplete(after, collection, schema);
    errors.push(...details, ...await danglingReferences(transaction, schema, references));
  }
  errors.push(...await takenUniqueValues(transaction, collection, { before, after }));
  if (await isSlugTaken(transaction, { before, after })) {
    const message = "The slug is already used in this collection";
    errors.push({ field: "slug", code: "SLUG_CONFLICT", message });
  }
  return errors;
}

/** Refuses when anything keeps one of the documents back: it keeps all of them. */
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

/** What keeps documents back, in words; null when nothing does. */
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
