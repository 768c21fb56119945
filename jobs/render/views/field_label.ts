/**
 * The label of a field for readers; derived from its name if it has none.
 *
 * @module
 */
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";

/** The label of a field; `inStock` reads "In stock". */
export function fieldLabel({ name, label }: Pick<NestedField, "name" | "label">): string {
  if (label !== name) return label;
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll("_", " ").trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
