/**
 * Locations of versions by version id. A row maps the id to the entity, except for the first version of a new
 * document: its id is the next ULID after the document's, so its location is derived. A site has about as many
 * of these as documents, and each saved row saves the database a tenth of a write.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import type { VersionRow } from "./entities.ts";
import { versionIdKey, versionKey } from "../keys.ts";
import { ENTITY_TYPES, type EntityType, kindOf } from "../model/entities/entity_kinds.ts";
import { isUlid, predecessor } from "../model/values/ulid.ts";
import type { Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** The entity of a version, and its number. */
export type VersionLocation = [type: EntityType, id: string, n: number];

/** A located version, with its entry if that was read on the way. */
export interface LocatedVersion {
  location: VersionLocation;
  entry?: Entry<VersionRow>;
}

const DERIVED_TYPES = ENTITY_TYPES.filter((type) => kindOf(type).firstVersionFollows);

/** Adds the location of a version to the commit that adds the version, unless it can be derived. */
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

/** Finds a version by one batch of reads; null if none has this id. */
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
  const found = zip(derived, firsts).find(([, { value }]) => value?.vid === versionId);
  return found === undefined ? null : { location: found[0], entry: found[1] };
}

/** The possible locations of a version whose id was created together with an entity's. */
function derivedLocations(versionId: string): VersionLocation[] {
  if (!isUlid(versionId)) return [];
  const id = predecessor(versionId);
  return DERIVED_TYPES.map((type) => [type, id, 1]);
}
