/**
 * Schemas of sites to describe: from none to 200 collections, every field type, odd names.
 *
 * @module
 */
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import {
  FIELD_TYPE_NAMES,
  type FieldDefinition,
  type FieldOptions,
  type FieldTypeName,
  type NestedField,
} from "../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";

/** What a test says of a field. */
export type FieldSketch = Partial<Omit<FieldDefinition, "name" | "type">> & {
  name: string;
  type: FieldTypeName;
};

/** What a test says of a collection. */
export type CollectionSketch = Partial<Omit<Collection, "slug" | "fields">> & {
  slug: string;
  fields?: FieldSketch[];
};

/** A schema of these collections, created in the order given. */
export function site(sketches: CollectionSketch[], stamp = "00000000000000010000"): Schema {
  const collections = sketches.map(collectionOf).sort((a, b) => a.slug < b.slug ? -1 : 1);
  return {
    stamp,
    collections,
    bySlug: new Map(collections.map((collection) => [collection.slug, collection])),
    byId: new Map(collections.map((collection) => [collection.id, collection])),
    blocks: new Map(),
  };
}

function collectionOf(sketch: CollectionSketch, index: number): Collection {
  const id = `01JZ0000000000000000${String(index).padStart(6, "0")}`;
  const fields = (sketch.fields ?? []).map((field, position) => fieldOf(field, id, position));
  return {
    id,
    name: sketch.slug,
    description: "",
    exposed: true,
    createdAt: 1,
    updatedAt: 1,
    ...sketch,
    fields,
  };
}

function fieldOf(sketch: FieldSketch, collectionId: string, position: number): FieldDefinition {
  return {
    id: `01JZ1111111111111111${String(position).padStart(6, "0")}`,
    collectionId,
    key: sketch.name,
    label: sketch.name,
    required: false,
    unique: false,
    indexed: false,
    sortable: false,
    help: "",
    options: {},
    position,
    createdAt: 1,
    updatedAt: 1,
    ...sketch,
  };
}

/** A nested field. */
export function nested(name: string, type: FieldTypeName, options: FieldOptions = {}): NestedField {
  return { name, label: name, type, required: false, help: "", options };
}

const CAPTIONED: FieldOptions = {
  fields: [
    nested("caption", "text", { maxLength: 80 }),
    nested("image", "media"),
    nested("inner", "group", { fields: [nested("deep", "number", { min: 1, max: 3 })] }),
  ],
};

const OPTIONS: Partial<Record<FieldTypeName, FieldOptions>> = {
  text: { minLength: 3, maxLength: 60, default: "Hello" },
  number: { min: -2.5, max: 5 },
  datetime: { min: 0 },
  select: { choices: ["news", "it's", 'quo"te', "日本"] },
  multi_select: { choices: ["red", "green", "blue"], maxItems: 2 },
  repeater: { ...CAPTIONED, minItems: 1, maxItems: 4 },
  group: CAPTIONED,
  block: { allowed: ["quote"] },
};

/** One field of each type, with whatever flags its type may carry. */
export function everyField(): FieldSketch[] {
  return FIELD_TYPE_NAMES.map((type) => {
    const { index, sort } = fieldType(type).can;
    const name = `${type.replace("_", "")}Field`;
    return { name, type, indexed: index, sortable: sort, options: OPTIONS[type] ?? {} };
  });
}

/** A site with every field type. */
export function everyTypeSite(): Schema {
  return site([
    { slug: "posts", name: "Posts", description: "What we write.", fields: everyField() },
    {
      slug: "strict-things",
      fields: [
        { name: "code", type: "text", required: true, options: { pattern: "^[A-Z]{3}-\\d+$" } },
        {
          name: "rating",
          type: "number",
          required: true,
          options: { min: 1, max: 5, integer: true },
        },
        { name: "level", type: "number", required: true, options: { default: 3 } },
        { name: "odd", type: "number", options: { min: 1.2, max: 1.8, integer: true } },
        { name: "many", type: "repeater", options: { minItems: 50, fields: [] } },
      ],
    },
    { slug: "empty" },
    { slug: "hidden", exposed: false, fields: [{ name: "secret", type: "text" }] },
  ]);
}

/** Names that collide with one another, with generated names, and with what languages reserve. */
export function oddSite(): Schema {
  const hostile = `</script><img src=x onerror=alert(1)> */ \`\${x}\` "'\u2028\\`;
  return site([
    { slug: "posts", name: hostile, description: hostile },
    { slug: "post" },
    { slug: "post-by-slug" },
    { slug: "post-creates" },
    { slug: "a-1" },
    { slug: "a1" },
    { slug: "2024" },
    { slug: "news" },
    { slug: "categories" },
    { slug: "promises" },
    { slug: "errors" },
    { slug: "problems" },
    { slug: "constructor" },
    { slug: "to-string" },
    { slug: "pages" },
    { slug: "x".repeat(128) },
    {
      slug: "odd-fields",
      fields: [
        { name: "length", type: "text", label: hostile, help: hostile, indexed: true },
        { name: "then", type: "boolean", sortable: true, indexed: true },
        { name: "class", type: "select", options: { choices: [hostile, ""] }, indexed: true },
        { name: "default", type: "number" },
        { name: "page", type: "number", indexed: true, sortable: true },
        { name: "a_b__c", type: "json" },
        { name: "z".repeat(64), type: "url", indexed: true },
      ],
    },
  ]);
}

/** Many collections of many fields. */
export function largeSite(collections: number, fields: number): Schema {
  const types = FIELD_TYPE_NAMES.filter((type) => fieldType(type).can.index);
  return site(Array.from({ length: collections }, (_, index) => ({
    slug: `collection-${index}`,
    fields: Array.from({ length: fields }, (_, position): FieldSketch => {
      const type = types[position % types.length]!;
      const { sort } = fieldType(type).can;
      return {
        name: `field${position}`,
        type,
        indexed: position % 3 === 0,
        sortable: sort && position % 5 === 0,
        help: "Some help for editors.",
        options: OPTIONS[type] ?? {},
      };
    }),
  })));
}
