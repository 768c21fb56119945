/**
 * Collections that were removed, as they last were: with the fields that went with them.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { type LiveRow, type VersionRow, versionState } from "../../entities.ts";
import { liveKey, livePrefix, versionKey } from "../../keys.ts";
import type { Collection } from "../../model/collection.ts";
import type { EntityType, State } from "../../model/entity.ts";
import type { FieldDefinition } from "../../model/field_definition.ts";

/** What an entity was before its tombstone; null when it is there, never was, or was pruned. */
export async function stateBeforeTombstone(
  context: Context,
  type: EntityType,
  id: string,
  row: LiveRow | null,
): Promise<State | null> {
  for (let n = (row?.n ?? 0) - 1; row?.gone && n > 0; n--) {
    const { value } = await context.store.get<VersionRow>(versionKey(type, id, n));
    if (value === null) return null;
    if (!value.gone) return await versionState(context, type, id, value);
  }
  return null;
}

/** The fields that were removed together with a collection, in no order. */
export async function fieldsLostWith(
  context: Context,
  collectionId: string,
  { at }: LiveRow,
): Promise<FieldDefinition[]> {
  const fields: FieldDefinition[] = [];
  const range = { prefix: livePrefix("field_definition") };
  for await (const { key, value } of context.store.list<LiveRow>(range)) {
    if (!value?.gone || value.at !== at) continue;
    const id = key.at(-1) as string;
    const state = await stateBeforeTombstone(context, "field_definition", id, value);
    if (state?.collectionId === collectionId) fields.push(state as unknown as FieldDefinition);
  }
  return fields;
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
