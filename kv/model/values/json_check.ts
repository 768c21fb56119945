/**
 * Bounds of free JSON.
 *
 * @module
 */
import type { Json } from "../entities/entity.ts";

/**
 * The reason why a value cannot be stored and read back unchanged: `deep` if it has more than `levels` levels
 * of objects and arrays, `number` if it contains a number that JSON cannot represent; otherwise null.
 */
export function jsonFault(value: Json, levels: number): "deep" | "number" | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : "number";
  if (typeof value !== "object" || value === null) return null;
  if (levels === 0) return "deep";
  if (Array.isArray(value)) return firstFault(value, levels - 1);
  // Values of an object with thousands of keys take three times as long.
  for (const name of Object.keys(value)) {
    const fault = jsonFault(value[name]!, levels - 1);
    if (fault !== null) return fault;
  }
  return null;
}

function firstFault(values: readonly Json[], levels: number): "deep" | "number" | null {
  for (const value of values) {
    const fault = jsonFault(value, levels);
    if (fault !== null) return fault;
  }
  return null;
}

/** Whether a value counts as not given: `required` wants more than empty text or an empty array. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === "string") return value.trim() === "";
  return Array.isArray(value) && value.length === 0;
}
