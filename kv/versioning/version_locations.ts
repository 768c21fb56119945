/**
 * Where the version with an id is: a row by the id, or for the first version of a new document none: its id is the
 * next ULID after the document's, minted together with it, and so tells where it is. A site has about as many
 * of these as documents, and each row less is a tenth less for the database to write.
 *
 * @module
 */
import type { VersionRow } from "./entities.ts";
import { versionIdKey, versionKey } from "../keys.ts";
import { ENTITY_TYPES, type EntityType, kindOf } from "../model/entities/entity_kinds.ts";
import { isUlid, predecessor } from "../model/values/ulid.ts";
import type { Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** Whose version it is, and its number. */
export type VersionLocation = [type: EntityType, id: string, n: number];

/** A version as it is found by its id: its location, and its entry where that was read on the way. */
export interface LocatedVersion {
  location: VersionLocation;
  entry?: Entry<VersionRow>;
}

const DERIVED_TYPES = ENTITY_TYPES.filter((type) => kindOf(type).firstVersionFollows);

/** Adds the row of a version's location to the commit that adds the version, unless its id tells the location. */
export function stageVersionLocation(
  operation: Operation,
  versionId: string,
  location: VersionLocation,
): void {
  const [type, id, n] = location;
  const isFirst = n === 1 && kindOf(type).firstVersionFollows;
  if (isFirst && isUlid(versionId) && predecessor(versionId) === id) return;
  operation.set(versionIdKey(versionId), location);
}

/** Finds where a version is, by one batch of reads; null when there is none with this id. */
export async function findVersionLocation(
  { store }: { store: Store },
  versionId: string,
): Promise<LocatedVersion | null> {
  const derived = derivedLocations(versionId);
  const keys = [versionIdKey(versionId), ...derived.map((location) => versionKey(...location))];
  const [row, ...firsts] = await store.getMany(keys) as [
    Entry<VersionLocation>,
    ...Entry<VersionRow>[],
  ];
  if (row.value !== null) return { location: row.value };
  const at = firsts.findIndex(({ value }) => value?.vid === versionId);
  return at < 0 ? null : { location: derived[at]!, entry: firsts[at]! };
}

/** Where a version with this id may be, if it was minted together with the id of an entity. */
function derivedLocations(versionId: string): VersionLocation[] {
  if (!isUlid(versionId)) return [];
  const id = predecessor(versionId);
  return DERIVED_TYPES.map((type) => [type, id, 1]);
}
