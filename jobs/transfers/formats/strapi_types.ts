/**
 * Attributes of Strapi's schemas as fields: components become groups and repeaters, dynamic zones blocks.
 *
 * @module
 */
import { NESTED_FIELDS_MAX, REFERENCES_MAX } from "../../../kv/limits/content.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { PlanField } from "../../../kv/model/transfers/plan.ts";
import { labelOf } from "../../../kv/model/transfers/plan_check.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { fieldName, type FieldType } from "../mapping/infer_plan.ts";
import type { SourceBlock } from "../mapping/source_blocks.ts";

/** The type of uploaded files. */
export const UPLOADED_FILE = "plugin::upload.file";

/** Components inside one another. */
const NESTING = 4;

/** Schemas by their uids. */
export type Schemas = Readonly<Record<string, JsonObject>>;

/** What the types of attributes depend on. */
export interface TypeScope {
  schemas: Schemas;
  /** The collection that entities of a type become. */
  slugOf: (source: string) => string | undefined;
  /** The block that a component becomes. */
  blockOf: (component: string) => string | undefined;
}

const TYPES: Readonly<Record<string, FieldType>> = {
  string: { type: "text" },
  uid: { type: "text" },
  text: { type: "text", options: { multiline: true } },
  richtext: { type: "rich_text", convert: "markdown" },
  blocks: { type: "rich_text", convert: "lexical" },
  email: { type: "email" },
  integer: { type: "number", options: { integer: true } },
  biginteger: { type: "text" },
  decimal: { type: "number" },
  float: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "datetime" },
  datetime: { type: "datetime" },
  time: { type: "text" },
};

/** Attributes that Strapi itself keeps. */
export function isInternal(name: string): boolean {
  return /^(?:id|createdAt|updatedAt|publishedAt|createdBy|updatedBy|locale|localizations|documentId)$/
    .test(name);
}

/** Whether a relation is the other side of one that another type has: the service finds those that refer to a document. */
export function isInverse(attribute: Json | undefined): boolean {
  return isJsonObject(attribute) && attribute.type === "relation" &&
    typeof attribute.mappedBy === "string" && attribute.mappedBy !== "";
}

/** The type of the field that an attribute becomes. */
export function attributeType(attribute: JsonObject, scope: TypeScope, depth = 0): FieldType {
  const type = String(attribute.type);
  if (type === "enumeration" && Array.isArray(attribute.enum)) {
    return { type: "select", options: { choices: attribute.enum.map(String) } };
  }
  if (type === "media") {
    if (!attribute.multiple) return { type: "media" };
    return { type: "repeater", options: { fields: [{ name: "file", type: "media" }] } };
  }
  if (type === "relation") return relationType(attribute, scope);
  if (type === "dynamiczone") return zoneType(attribute, scope);
  if (type === "component" && depth < NESTING) {
    const fields = nestedFields(attribute.component, scope, depth + 1);
    if (fields === null) return { type: "json" };
    return {
      type: attribute.repeatable ? "repeater" : "group",
      options: { fields: fields.map(({ to, type, options }) => ({ name: to, type, options })) },
    };
  }
  return TYPES[type] ?? { type: "json" };
}

/** The fields of a component; null if it is not described. */
function nestedFields(
  component: Json | undefined,
  scope: TypeScope,
  depth: number,
): PlanField[] | null {
  const { attributes } = scope.schemas[String(component)] ?? {};
  if (!isJsonObject(attributes)) return null;
  const names = new Set<string>();
  return Object.entries(attributes).flatMap(([from, inner]): PlanField[] => {
    if (!isJsonObject(inner) || isInternal(from)) return [];
    const type = attributeType(inner, scope, depth);
    return [{ from, to: fieldName(from, names, true), options: {}, ...type }];
  }).slice(0, NESTED_FIELDS_MAX);
}

function zoneType({ components }: JsonObject, { blockOf }: TypeScope): FieldType {
  const allowed = Array.isArray(components)
    ? components.flatMap((component) => blockOf(String(component)) ?? [])
    : [];
  return { type: "block", options: allowed.length > 0 ? { allowed } : {} };
}

function relationType({ relation, target }: JsonObject, { slugOf }: TypeScope): FieldType {
  const slug = slugOf(String(target));
  if (/ToMany$/i.test(String(relation))) {
    const collections = slug === undefined ? {} : { collections: [slug] };
    return { type: "references", options: { ...collections, maxItems: REFERENCES_MAX } };
  }
  return { type: "reference", options: slug === undefined ? {} : { collection: slug } };
}

/** The components of all dynamic zones. */
export function zoneBlocks(schemas: Schemas): SourceBlock[] {
  const scope: TypeScope = { schemas, slugOf: (source) => source, blockOf: () => undefined };
  const components = new Set<string>();
  for (const { attributes } of Object.values(schemas)) {
    for (const attribute of Object.values(isJsonObject(attributes) ? attributes : {})) {
      if (!isJsonObject(attribute) || attribute.type !== "dynamiczone") continue;
      for (const one of Array.isArray(attribute.components) ? attribute.components : []) {
        components.add(String(one));
      }
    }
  }
  return [...components].map((source) => ({
    source,
    label: labelOfComponent(source, schemas[source]),
    fields: nestedFields(source, scope, 1) ?? [],
  }));
}

function labelOfComponent(source: string, schema: JsonObject | undefined): string {
  const { displayName } = isJsonObject(schema?.info) ? schema.info : {};
  return typeof displayName === "string" && displayName !== ""
    ? displayName
    : labelOf(source.split(".").at(-1) ?? source);
}
