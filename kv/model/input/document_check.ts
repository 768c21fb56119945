/**
 * Checks of published documents only: required values must exist, in nested fields too. Also the default
 * values of new documents.
 *
 * @module
 */
import type { Detail } from "../../refusals.ts";
import type { Collection, Schema } from "../entities/collection.ts";
import type { DocumentState } from "../entities/document.ts";
import type { Json } from "../entities/entity.ts";
import type { CheckScope, Reference } from "../fields/field_type.ts";
import { fieldType } from "../fields/types/registry.ts";
import { isEmpty } from "../values/json_check.ts";

/**
 * The REQUIRED details of a state, and everything it points to, for the caller to look up. Stored values
 * that a later definition would refuse are no hindrance: only a write of theirs is.
 */
export function checkComplete(
  state: DocumentState,
  collection: Collection,
  schema: Schema,
): { details: Detail[]; references: Reference[] } {
  const details: Detail[] = [];
  const references: Reference[] = [];
  for (const field of collection.fields) {
    const value = state.data[field.key] ?? null;
    const type = fieldType(field.type);
    if (field.required && isEmpty(value)) {
      details.push({ field: field.name, code: "REQUIRED", message: "Required" });
    }
    if (value === null || type.holds === null) continue;
    const scope: CheckScope = {
      path: field.name,
      complete: true,
      blocks: schema.blocks,
      details: [],
      references,
    };
    type.check(value, field, scope);
    details.push(...scope.details.filter((detail) => detail.code === "REQUIRED"));
  }
  return { details, references };
}

/** Gives a new document the defaults of the fields that its body does not name. */
export function fillDefaults(values: { [key: string]: Json }, collection: Collection): void {
  for (const { key, options } of collection.fields) {
    if (options.default !== undefined && !Object.hasOwn(values, key)) values[key] = options.default;
  }
}
