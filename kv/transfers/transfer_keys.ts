/**
 * The keys of transfers: the rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";
import { sha256 } from "../model/values/sha256.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";

/** Characters of a part that is spelled out; longer ones are named by their digest. */
const PART_CHARS = 200;

/** A transfer. */
export const transferKey = (id: string): Key => ["transfer", id];
/** All transfers, oldest first. */
export const transferPrefix: Key = ["transfer"];
/** How far the present run of a transfer has come; written by its job alone. */
export const transferProgressKey = (id: string): Key => ["transfer_progress", id];
/** The entity that a row of a source has become. */
export const transferredKey = (
  sourceKey: string,
  kind: string,
  sourceId: string,
): Key => ["transferred", part(sourceKey), part(kind), part(sourceId)];
/** Those of the rows of a kind. */
export const transferredKindPrefix = (
  sourceKey: string,
  kind: string,
): Key => ["transferred", part(sourceKey), part(kind)];
/** All of them. */
export const transferredPrefix: Key = ["transferred"];
/** Everything that transfers have done. */
export const transferChangesPrefix: Key = ["transfer_change"];
/** What a transfer has done to an entity. */
export const transferChangeKey = (
  transferId: string,
  type: EntityType,
  id: string,
): Key => ["transfer_change", transferId, type, id];
/** Everything that a transfer has done to entities of a type. */
export const transferChangePrefix = (
  transferId: string,
  type: EntityType,
): Key => ["transfer_change", transferId, type];

function part(text: string): string {
  return text.length > PART_CHARS ? `sha256:${sha256(text)}` : text;
}
