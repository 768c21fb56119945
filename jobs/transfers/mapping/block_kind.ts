/**
 * The kinds of blocks of a source, by the key that names them.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";

/** Keys that name the kind of a block in the systems that have blocks. */
const KIND_KEYS = ["blockType", "__component", "_block"] as const;
/** Keys of a block that are not its content. */
const FRAMING = new Set<string>([...KIND_KEYS, "id", "blockName", "_key"]);

/** The kind of a block; null if a value is none. */
export function blockKind(value: Json): string | null {
  if (!isJsonObject(value)) return null;
  for (const key of KIND_KEYS) {
    const kind = value[key];
    if (typeof kind === "string" && kind !== "") return kind;
  }
  return null;
}

/** The content of a block. */
export function blockContent(block: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(block).filter(([name]) => !FRAMING.has(name)));
}
