/**
 * Whether what a document points to is there: media, and documents of the right collection.
 *
 * @module
 */
import { type LiveRow, readHead } from "../entities.ts";
import { liveKey } from "../keys.ts";
import type { Schema } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import type { State } from "../model/entity.ts";
import type { Pointer } from "../model/field_type.ts";
import type { Detail } from "../refusals.ts";
import type { Transaction } from "../versioned_write.ts";

/** An INVALID_REFERENCE detail for each pointer that leads nowhere. */
export async function readPointers(
  transaction: Transaction,
  schema: Schema,
  pointers: Pointer[],
): Promise<Detail[]> {
  const keys = pointers.map(targetKey);
  const entries = await transaction.peek<LiveRow>(...keys);
  const details: Detail[] = [];
  for (const [position, pointer] of pointers.entries()) {
    const { context } = transaction;
    const type = pointer.kind === "media" ? "media_metadata" : "document";
    const entry = entries[position]!;
    const { state } = await readHead(context, type, pointer.id, entry.key, entry);
    if (leadsTo(pointer, state, schema)) continue;
    const message = `No such ${pointer.kind === "media" ? "medium" : "document"}`;
    details.push({ field: pointer.path, code: "INVALID_REFERENCE", message });
  }
  return details;
}

function targetKey(pointer: Pointer) {
  return liveKey(pointer.kind === "media" ? "media_metadata" : "document", pointer.id);
}

function leadsTo(pointer: Pointer, state: State | null, schema: Schema): boolean {
  if (state === null) return false;
  if (pointer.kind === "media") {
    const mime = state.mime as string;
    return (state.deletedAt ?? null) === null && (pointer.mimes?.includes(mime) ?? true);
  }
  const target = state as unknown as DocumentState;
  if (target.status === "trashed") return false;
  if (pointer.collection === undefined) return true;
  return schema.byId.get(target.collectionId)?.slug === pointer.collection;
}
