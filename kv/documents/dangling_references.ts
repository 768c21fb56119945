/**
 * Whether what a document references is there: media, and documents of the right collection.
 *
 * @module
 */
import { type LiveRow, readHead } from "../entities.ts";
import { liveKey } from "../keys.ts";
import type { Schema } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import type { State } from "../model/entity.ts";
import type { Reference } from "../model/field_type.ts";
import type { Detail } from "../refusals.ts";
import type { Transaction } from "../versioned_write.ts";

/** An INVALID_REFERENCE detail for each reference that leads nowhere. */
export async function danglingReferences(
  transaction: Transaction,
  schema: Schema,
  references: Reference[],
): Promise<Detail[]> {
  const keys = references.map(targetKey);
  const entries = await transaction.peek<LiveRow>(...keys);
  const details: Detail[] = [];
  for (const [position, reference] of references.entries()) {
    const { context } = transaction;
    const type = reference.kind === "media" ? "media_metadata" : "document";
    const entry = entries[position]!;
    const { state } = await readHead(context, type, reference.id, entry.key, entry);
    if (leadsTo(reference, state, schema)) continue;
    const message = `No such ${reference.kind === "media" ? "medium" : "document"}`;
    details.push({ field: reference.path, code: "INVALID_REFERENCE", message });
  }
  return details;
}

function targetKey(reference: Reference) {
  return liveKey(reference.kind === "media" ? "media_metadata" : "document", reference.id);
}

function leadsTo(reference: Reference, state: State | null, schema: Schema): boolean {
  if (state === null) return false;
  if (reference.kind === "media") {
    const mime = state.mime as string;
    return (state.deletedAt ?? null) === null && (reference.mimes?.includes(mime) ?? true);
  }
  const target = state as unknown as DocumentState;
  if (target.status === "trashed") return false;
  if (reference.collection === undefined) return true;
  return schema.byId.get(target.collectionId)?.slug === reference.collection;
}
