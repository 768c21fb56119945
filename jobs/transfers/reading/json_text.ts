/**
 * JSON in texts of a source.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
