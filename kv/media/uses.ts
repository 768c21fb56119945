/**
 * The uses of a medium: the documents that reference it, whatever their status, and in which fields.
 *
 * @module
 */
import { referrersOf } from "../documents/reference_rows.ts";
import type { Content } from "../documents/content.ts";
import type { DocumentReader } from "../documents/reader.ts";
import { MEDIA_USES_MAX } from "../limits/media.ts";
import type { Collection } from "../model/entities/collection.ts";
import type { DocumentState, Status } from "../model/entities/document.ts";
import { referencedIds } from "../model/fields/referenced_ids.ts";
import { ownValue } from "../model/primitives/own_value.ts";

/** A document that uses a medium. */
export interface MediaUse {
  id: string;
  title: string;
  collection: string;
  status: Status;
  /** Names of the fields that reference it; none when only a removed field does. */
  fields: string[];
}

/** How many documents use a medium, at most {@linkcode MEDIA_USES_MAX}, and some of them. */
export async function findUses(
  { content, reader }: { content: Content; reader: DocumentReader },
  id: string,
  page: { offset: number; limit: number },
): Promise<{ total: number; uses: MediaUse[] }> {
  const ids = await referrersOf(content.context, id, MEDIA_USES_MAX);
  const schema = await content.schema.current();
  const shown = ids.slice(page.offset, page.offset + page.limit);
  const found = await Promise.all(shown.map((documentId) => reader.find(documentId)));
  const uses = found.flatMap((stored) => {
    const collection = stored && schema.byId.get(stored.state.collectionId);
    if (!stored || !collection) return [];
    const { id: documentId, title, status } = stored.state;
    const fields = fieldsWith(id, stored.state, collection);
    return [{ id: documentId, title, collection: collection.slug, status, fields }];
  });
  return { total: ids.length, uses };
}

function fieldsWith(id: string, state: DocumentState, collection: Collection): string[] {
  const names = collection.fields.filter(({ key }) => {
    const value = ownValue(state.data, key) ?? null;
    return referencedIds({ data: { value }, blocks: [] }).has(id);
  }).map(({ name }) => name);
  if (referencedIds({ data: {}, blocks: state.blocks }).has(id)) names.push("blocks");
  return names;
}
