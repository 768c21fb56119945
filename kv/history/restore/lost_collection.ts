/**
 * What was removed, as it last was, with what went with it: a collection with its fields, a user with
 * his roles.
 *
 * @module
 */
import { decodeTime } from "@std/ulid";
import type { Context } from "../../context.ts";
import { type LiveRow, type VersionRow, versionState } from "../../entities.ts";
import { liveKey, livePrefix, versionKey } from "../../keys.ts";
import type { Collection } from "../../model/collection.ts";
import type { EntityType, StateOf } from "../../model/entity_kinds.ts";
import type { FieldDefinition } from "../../model/field_definition.ts";

/** What an entity was before its tombstone; null when it is there, never was, or was pruned. */
export async function stateBeforeTombstone<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: LiveRow | null,
): Promise<StateOf<T> | null> {
  for (let n = (row?.n ?? 0) - 1; row?.gone && n > 0; n--) {
    const { value } = await context.store.get<VersionRow>(versionKey(type, id, n));
    if (value === null) return null;
    if (!value.gone) return await versionState(context, type, id, value);
  }
  return null;
}

/** The last states of the entities of a type that went in the commit that left a tombstone, in no order. */
export async function statesLostWith<T extends EntityType>(
  context: Context,
  type: T,
  tombstone: LiveRow,
): Promise<StateOf<T>[]> {
  const states: StateOf<T>[] = [];
  for await (const { key, value } of context.store.list<LiveRow>({ prefix: livePrefix(type) })) {
    if (!value?.gone || !wentTogether(value, tombstone)) continue;
    const state = await stateBeforeTombstone(context, type, key.at(-1) as string, value);
    if (state !== null) states.push(state);
  }
  return states;
}

/** All versions of a commit have ids of the same millisecond; an import keeps ids, no versionstamps. */
function wentTogether(one: LiveRow, other: LiveRow): boolean {
  return one.at === other.at && decodeTime(one.vid) === decodeTime(other.vid);
}

/** The fields that were removed together with a collection, in no order. */
export async function fieldsLostWith(
  context: Context,
  collectionId: string,
  tombstone: LiveRow,
): Promise<FieldDefinition[]> {
  const fields = await statesLostWith(context, "field_definition", tombstone);
  return fields.filter((field) => field.collectionId === collectionId);
}

/** A removed collection as it last was; an empty one when its history was pruned. */
export async function lostCollection(context: Context, id: string): Promise<Collection> {
  const { value: row } = await context.store.get<LiveRow>(liveKey("collection", id));
  const state = await stateBeforeTombstone(context, "collection", id, row);
  const times = { createdAt: 0, updatedAt: 0 };
  const framing = { slug: "", name: "", description: "", exposed: false, ...times, ...state };
  const fields = row?.gone ? await fieldsLostWith(context, id, row) : [];
  return { ...framing, id, fields };
}
