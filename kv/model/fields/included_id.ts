/**
 * Replaces included documents and media by their ids when a client sends a body back.
 *
 * @module
 */
import type { Json } from "../entities/entity.ts";
import { isJsonObject } from "../values/json_object.ts";

/** The id of an included object; anything else as it is. */
export function includedId(value: Json): Json {
  return isJsonObject(value) && typeof value.id === "string" ? value.id : value;
}
