/**
 * JSON objects.
 *
 * @module
 */
import type { Json } from "../entities/entity.ts";

/** A JSON value with named members. */
export type JsonObject = { [key: string]: Json };

/** Whether a value that came as JSON is an object, and neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
