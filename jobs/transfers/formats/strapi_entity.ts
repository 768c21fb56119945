/**
 * An entity of Strapi with the targets of its links, those of its components included, and its rich texts as editor
 * states.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { MARKDOWN_KEY } from "../mapping/converters.ts";
import { lexicalOf } from "./strapi_blocks.ts";
import type { Schemas } from "./strapi_types.ts";

/** Levels of components inside one another. */
const LEVELS = 8;

/** What entities and components refer to, by their types and ids, then by attribute. */
export type Links = Map<string, Map<string, Json[]>>;

/** What an entity is read with. */
export interface EntityScope {
  schemas: Schemas;
  links: Links;
}

/** The values of an entity. */
export function entityData(
  row: JsonObject,
  uid: string,
  ref: string,
  scope: EntityScope,
  level = 0,
): JsonObject {
  const { schemas, links } = scope;
  const { attributes } = schemas[uid] ?? {};
  const values = Object.entries(row).map(([name, value]): [string, Json] => {
    const attribute = isJsonObject(attributes) ? attributes[name] : undefined;
    if (!isJsonObject(attribute) || value === null) return [name, value];
    return [name, valueOf(value, attribute, scope, level)];
  });
  return { ...Object.fromEntries(values), ...Object.fromEntries(links.get(`${uid} ${ref}`) ?? []) };
}

function valueOf(value: Json, attribute: JsonObject, scope: EntityScope, level: number): Json {
  switch (attribute.type) {
    case "blocks":
      return lexicalOf(value);
    case "richtext":
      // A field of a component has no conversion in the plan.
      return level === 0 || typeof value !== "string" ? value : { [MARKDOWN_KEY]: value };
    case "component":
      return Array.isArray(value)
        ? value.map((one) => componentData(one, String(attribute.component), scope, level))
        : componentData(value, String(attribute.component), scope, level);
    case "dynamiczone":
      return Array.isArray(value)
        ? value.map((one) =>
          isJsonObject(one) ? componentData(one, String(one.__component), scope, level) : one
        )
        : value;
    default:
      return value;
  }
}

function componentData(value: Json, uid: string, scope: EntityScope, level: number): Json {
  if (!isJsonObject(value) || level >= LEVELS) return value;
  const { id, ...data } = entityData(value, uid, String(value.id ?? ""), scope, level + 1);
  // Blocks keep their id; other components have no use for theirs.
  return typeof value.__component === "string" && id !== undefined ? { id, ...data } : data;
}
