/**
 * Reference fields name their target by its slug: what becomes of a definition when a collection gets
 * another one.
 *
 * @module
 */
import type { FieldDefinition, NestedField } from "./field_definition.ts";

/** The field with references to `to` instead of `from`, at any depth; itself when it has none. */
function retargeted<T extends NestedField>(field: T, from: string, to: string): T {
  const { collection, fields } = field.options;
  const nested = fields && retargetedAll(fields, from, to);
  if (collection !== from && nested === fields) return field;
  const options = { ...field.options };
  if (collection === from) options.collection = to;
  if (nested !== undefined) options.fields = nested;
  return { ...field, options };
}

/** The same for a field of a collection, which may be becoming another. */
export function retargetedField(
  field: FieldDefinition,
  from: string,
  to: string,
): FieldDefinition {
  const next = retargeted(field, from, to);
  if (field.migrating === undefined) return next;
  const becoming = retargeted(field.migrating.to, from, to);
  if (becoming === field.migrating.to) return next;
  return { ...next, migrating: { ...field.migrating, to: becoming } };
}

/** The same for a list of fields. */
export function retargetedAll<T extends NestedField>(fields: T[], from: string, to: string): T[] {
  const next = fields.map((field) => retargeted(field, from, to));
  return next.some((field, position) => field !== fields[position]) ? next : fields;
}
