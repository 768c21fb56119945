/**
 * The last states of removed entities, with those removed along with them: a collection with its fields, a
 * user with their roles.
 *
 * @module
 */
import { decodeTime } from "@std/ulid";
import type { Context } from "../../context.ts";
import { type CurrentRow, type VersionRow, versionState } from "../../versioning/entities.ts";
import { currentKey, currentPrefix, versionKey } from "../../keys.ts";
import type { Collection } from "../../model/entities/collection.ts";
import type { EntityType, StateOf } from "../../model/entities/entity_kinds.ts";
import type { FieldDefinition } from "../../model/fields/field_definition.ts";

/** The last state of a removed entity, and its tombstone. */
interface LostState<T extends EntityType> {
  state: StateOf<T>;
  tombstone: VersionRow;
}

/** Looks behind the tombstones of an entity; null when it is there, never was, or was pruned. */
async function findLost<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: CurrentRow | null,
): Promise<LostState<T> | null> {
  if (!row?.gone) return null;
  // A restored tombstone is another one on top: the entity went by the lowest of them.
  let tombstone: VersionRow | null = null;
  for (let n = row.n; n > 0; n--) {
    const { value } = await context.store.get<VersionRow>(versionKey(type, id, n));
    if (value === null) return null;
    if (value.gone) tombstone = value;
    else {
      const state = await versionState(context, type, id, value);
      return state === null || tombstone === null ? null : { state, tombstone };
    }
  }
  return null;
}

/** The last state of a removed entity; null if it exists, never existed, or was pruned. */
export async function stateBeforeTombstone<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: CurrentRow | null,
): Promise<StateOf<T> | null> {
  return (await findLost(context, type, id, row))?.state ?? null;
}

/** The last states of the entities of a type that went in the commit in which another one went, in no order. */
export async function statesLostWith<T extends EntityType>(
  context: Context,
  type: T,
  other: { type: EntityType; id: string; row: CurrentRow },
): Promise<StateOf<T>[]> {
  const lost = await findLost(context, other.type, other.id, other.row);
  if (lost === null) return [];
  const states: StateOf<T>[] = [];
  for await (
    const { key, value } of context.store.list<CurrentRow>({ prefix: currentPrefix(type) })
  ) {
    if (!value?.gone) continue;
    const found = await findLost(context, type, key.at(-1) as string, value);
    if (found !== null && wentTogether(found, lost)) states.push(found.state);
  }
  return states;
}

/**
 * All versions of a commit have ids of the same millisecond; an import keeps ids, no versionstamps. Their
 * times may differ: none is before the version that it follows, whatever the clock says.
 */
function wentTogether(one: LostState<EntityType>, other: LostState<EntityType>): boolean {
  return decodeTime(one.tombstone.vid) === decodeTime(other.tombstone.vid);
}

/** The fields that were removed together with a collection, in no order. */
export async function fieldsLostWith(
  context: Context,
  collectionId: string,
  row: CurrentRow,
): Promise<FieldDefinition[]> {
  const collection = { type: "collection", id: collectionId, row } as const;
  const fields = await statesLostWith(context, "field_definition", collection);
  return fields.filter((field) => field.collectionId === collectionId);
}

/** A removed collection as it last was; an empty one when its history was pruned. */
export async function lostCollection(context: Context, id: string): Promise<Collection> {
  const { value: row } = await context.store.get<CurrentRow>(currentKey("collection", id));
  const state = await stateBeforeTombstone(context, "collection", id, row);
  const times = { createdAt: 0, updatedAt: 0 };
  const framing = { slug: "", name: "", description: "", exposed: false, ...times, ...state };
  const fields = row?.gone ? await fieldsLostWith(context, id, row) : [];
  return { ...framing, id, fields };
}
