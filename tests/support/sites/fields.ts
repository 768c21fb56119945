/**
 * Fields, collections and schemas for tests of the pure model.
 *
 * @module
 */
import type { BlockDefinition, Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type {
  FieldDefinition,
  FieldOptions,
  FieldTypeName,
  NestedField,
} from "../../../kv/model/fields/field_definition.ts";
import type { CheckScope, Reference } from "../../../kv/model/fields/field_type.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import type { Detail } from "../../../kv/refusals.ts";

/** A valid id. */
export const ID = "01JD0000000000000000000000";

/** A nested field. */
export function nested(
  name: string,
  type: FieldTypeName,
  options: FieldOptions = {},
  required = false,
): NestedField {
  return { name, label: name, type, required, help: "", options };
}

/** A field of a collection; it is stored under `k_<name>`. */
export function field(
  name: string,
  type: FieldTypeName,
  options: FieldOptions = {},
  required = false,
): FieldDefinition {
  return {
    id: ID,
    collectionId: ID,
    key: `k_${name}`,
    ...nested(name, type, options, required),
    unique: false,
    indexed: false,
    sortable: false,
    position: 0,
    createdAt: 0,
    updatedAt: 0,
  };
}

/** A field by which lists filter. */
export function indexedField(name: string, type: FieldTypeName): FieldDefinition {
  return { ...field(name, type), indexed: true };
}

/** A collection with these fields. */
export function collectionOf(...fields: FieldDefinition[]): Collection {
  return {
    id: ID,
    slug: "posts",
    name: "Posts",
    description: "",
    exposed: true,
    createdAt: 0,
    updatedAt: 0,
    fields,
  };
}

/** Block definitions by name. */
export function blocksOf(
  definitions: Record<string, NestedField[]>,
): ReadonlyMap<string, BlockDefinition> {
  return new Map(
    Object.entries(definitions).map(([name, fields]) => [
      name,
      { id: ID, name, label: name, fields, createdAt: 0, updatedAt: 0 },
    ]),
  );
}

/** A schema of one collection. */
export function schemaOf(
  collection: Collection,
  definitions: Record<string, NestedField[]> = {},
): Schema {
  return {
    stamp: null,
    collections: [collection],
    bySlug: new Map([[collection.slug, collection]]),
    byId: new Map([[collection.id, collection]]),
    blocks: blocksOf(definitions),
  };
}

/** A draft with these stored values. */
export function draft(values: Record<string, Json>): DocumentState {
  return {
    id: ID,
    collectionId: ID,
    slug: "a-post",
    title: "A post",
    status: "draft",
    createdAt: 1,
    updatedAt: 2,
    publishedAt: null,
    publishAt: null,
    data: values,
    blocks: [],
  };
}

/** What checking one value came to. */
export interface Checked {
  value: Json;
  details: Detail[];
  references: Reference[];
}

/** Checks a value under the path `f`. */
export function checkValue(
  definition: NestedField,
  value: Json,
  extra: Partial<CheckScope> = {},
): Checked {
  const scope: CheckScope = {
    path: "f",
    complete: false,
    blocks: new Map(),
    details: [],
    references: [],
    ...extra,
  };
  const checked = fieldType(definition.type).check(value, definition, scope);
  return { value: checked, details: scope.details, references: scope.references };
}

/** Failures as `path CODE`, sorted. */
export function codes(details: readonly Detail[]): string[] {
  return details.map(({ field, code }) => `${field} ${code}`).sort();
}
