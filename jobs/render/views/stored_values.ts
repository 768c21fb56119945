/**
 * Reading stored values for views, whatever they have become.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";

/** The value under a key; null if there is none. */
export function storedValue(values: Record<string, Json>, key: string): Json {
  return ownValue(values, key) ?? null;
}

/** The blocks of a block tree or a block field, without malformed ones. */
export function typedBlocks(value: unknown): { type: string; data: JsonObject }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((block) =>
    isJsonObject(block) && typeof block.type === "string" && isJsonObject(block.data)
      ? [{ type: block.type, data: block.data }]
      : []
  );
}
