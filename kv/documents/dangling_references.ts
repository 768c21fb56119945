/**
 * Whether what a document references is there: media, and documents of the right collection.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import { type CurrentRow, type Head, readHead } from "../versioning/entities.ts";
import type { Context } from "../context.ts";
import { currentKey } from "../keys.ts";
import type { Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { isPicture, type MediaState } from "../model/entities/media.ts";
import type { Entry } from "../store/operation.ts";
import type { Reference } from "../model/fields/field_type.ts";
import type { Detail } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";

/** An INVALID_REFERENCE detail for each reference that leads nowhere. */
export async function danglingReferences(
  transaction: Transaction,
  schema: Schema,
  references: Reference[],
): Promise<Detail[]> {
  const keys = references.map(targetKey);
  const entries = await transaction.peek<CurrentRow>(...keys);
  const details: Detail[] = [];
  const { context } = transaction;
  for (const [reference, entry] of zip(references, entries)) {
    const leads = reference.kind === "media"
      ? isFitting(reference, (await readTarget(context, "media_metadata", entry)).state)
      : isThere(reference, (await readTarget(context, "document", entry)).state, schema);
    if (leads) continue;
    const message = `No such ${reference.kind === "media" ? "medium" : "document"}`;
    details.push({ field: reference.path, code: "INVALID_REFERENCE", message });
  }
  return details;
}

function targetKey(reference: Reference) {
  return currentKey(reference.kind === "media" ? "media_metadata" : "document", reference.id);
}

async function readTarget<T extends EntityType>(
  context: Context,
  type: T,
  entry: Entry<CurrentRow>,
): Promise<Head<T>> {
  return await readHead(context, type, entry.key.at(-1) as string, entry.key, entry);
}

function isFitting({ mimes }: Reference, medium: MediaState | null): boolean {
  if (medium === null || medium.deletedAt !== null) return false;
  return mimes?.includes(medium.mime) ?? isPicture(medium.mime);
}

function isThere(
  { collections }: Reference,
  target: DocumentState | null,
  schema: Schema,
): boolean {
  if (target === null || target.status === "trashed") return false;
  if (collections === undefined) return true;
  const slug = schema.byId.get(target.collectionId)?.slug;
  return slug !== undefined && collections.includes(slug);
}
