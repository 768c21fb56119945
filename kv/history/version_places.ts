/**
 * Where the version with an id is: a row by the id, or for a document's first version most often none: its id is the
 * next ULID after the document's, minted together with it, and so tells where it is. A site has about as many
 * of these as documents, and a row less is a tenth less to write for each.
 *
 * @module
 */
import type { VersionRow } from "../entities.ts";
import { versionIdKey, versionKey } from "../keys.ts";
import type { EntityType } from "../model/entity_kinds.ts";
import { isUlid, predecessor } from "../model/ulid.ts";
import type { Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** Whose version it is, and its number. */
export type VersionPlace = [type: EntityType, id: string, n: number];

/** A version as it is found by its id: its place, and its entry where that was read on the way. */
export interface PlacedVersion {
  place: VersionPlace;
  entry?: Entry<VersionRow>;
}

/** Adds the row of a version's place to the commit that adds the version, unless its id tells the place. */
export function stageVersionPlace(
  operation: Operation,
  versionId: string,
  [type, id, n]: VersionPlace,
): void {
  if (type === "document" && n === 1 && documentOfFirst(versionId) === id) return;
  operation.set(versionIdKey(versionId), [type, id, n]);
}

/** Finds where a version is, by one batch of reads; null when there is none with this id. */
export async function findVersionPlace(
  { store }: { store: Store },
  versionId: string,
): Promise<PlacedVersion | null> {
  const documentId = documentOfFirst(versionId);
  const keys = [versionIdKey(versionId)];
  if (documentId !== null) keys.push(versionKey("document", documentId, 1));
  const [row, first] = await store.getMany(keys) as [Entry<VersionPlace>, Entry<VersionRow>?];
  if (row.value !== null) return { place: row.value };
  if (first?.value?.vid !== versionId) return null;
  return { place: ["document", documentId!, 1], entry: first };
}

/** The document whose first version has this id, if it was minted with the document's. */
function documentOfFirst(versionId: string): string | null {
  return isUlid(versionId) ? predecessor(versionId) : null;
}
