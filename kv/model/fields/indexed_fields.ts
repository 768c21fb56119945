/**
 * The fields of a collection that lists filter or sort by: its own, and those inside groups, which are named
 * by their paths.
 *
 * @module
 */
import type { Collection } from "../entities/collection.ts";
import type { Json } from "../entities/entity.ts";
import { perObject } from "../primitives/per_object.ts";
import { ownValue } from "../primitives/own_value.ts";
import { isJsonObject } from "../values/json_object.ts";
import { INDEXED_GROUP_LEVELS_MAX } from "../../limits/content.ts";
import type { NestedField } from "./field_definition.ts";
import { fieldType } from "./types/registry.ts";

/** A field with a column in the list index. */
export interface IndexedField extends NestedField {
  /** Its name; inside of groups its path: `seo.noindex`. */
  name: string;
  /** The key of its column. */
  key: string;
  /** Under which key documents keep it, or the group that it is in. */
  rootKey: string;
  /** The names of the values on the way to it, behind the root. */
  steps: readonly string[];
  indexed: boolean;
  sortable: boolean;
}

type Fields = Pick<Collection, "fields">;

/** The fields that have a column, or could have one: those of a collection, and those inside its groups. */
export function columnFields({ fields }: Fields): readonly IndexedField[] {
  return fieldsWithColumns(fields);
}

const fieldsWithColumns = perObject((fields: Collection["fields"]): readonly IndexedField[] =>
  fields.flatMap((field): IndexedField[] => {
    const { name, key, indexed, sortable } = field;
    const own = { ...field, indexed, sortable, rootKey: key, steps: [] };
    return [own, ...inGroup(field, { name, key, rootKey: key, steps: [] })];
  })
);

/** The fields that have a column. */
export function indexedFields(collection: Fields): IndexedField[] {
  return columnFields(collection).filter(({ indexed, sortable }) => indexed || sortable);
}

/** The field of a name or path. */
export function findColumnField(collection: Fields, name: string): IndexedField | undefined {
  return columnFields(collection).find((field) => field.name === name);
}

/** The value of a field in a document's data. */
export function columnValue(
  data: { [key: string]: Json },
  { rootKey, steps }: Pick<IndexedField, "rootKey" | "steps">,
): Json {
  let value = ownValue(data, rootKey) ?? null;
  for (const step of steps) {
    value = isJsonObject(value) ? ownValue(value, step) ?? null : null;
  }
  return value;
}

/** Whether a field is an object with fields of its own. */
export function isGroup({ type }: Pick<NestedField, "type">): boolean {
  const { holds, kind } = fieldType(type);
  return holds === "rows" && kind === "object";
}

function inGroup(
  group: NestedField,
  at: Pick<IndexedField, "name" | "key" | "rootKey" | "steps">,
): IndexedField[] {
  if (!isGroup(group) || at.steps.length >= INDEXED_GROUP_LEVELS_MAX) return [];
  return (group.options.fields ?? []).flatMap((field) => {
    const inner = {
      name: `${at.name}.${field.name}`,
      key: `${at.key}.${field.name}`,
      rootKey: at.rootKey,
      steps: [...at.steps, field.name],
    };
    const { indexed = false, sortable = false } = field;
    return [{ ...field, ...inner, indexed, sortable }, ...inGroup(field, inner)];
  });
}
