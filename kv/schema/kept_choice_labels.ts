/**
 * The labels of choices while the site has no languages: forms do not show them then, and definitions that are saved
 * keep those that they have.
 *
 * @module
 */
import type { FieldOptions, NestedField } from "../model/fields/field_definition.ts";
import { ownValue } from "../model/primitives/own_value.ts";

/** Options with the labels that they had, of the choices that are left; options that say some stay as they are. */
export function withChoiceLabels(options: FieldOptions, before: FieldOptions): FieldOptions {
  const { choices, fields, choiceLabels } = options;
  const kept = { ...options };
  if (choices !== undefined && choiceLabels === undefined) {
    const entries = Object.entries(before.choiceLabels ?? {})
      .filter(([choice]) => choices.includes(choice));
    if (entries.length > 0) kept.choiceLabels = Object.fromEntries(entries);
  }
  if (fields !== undefined) kept.fields = withChoiceLabelsOf(fields, before.fields ?? []);
  return kept;
}

/** Fields with the labels that fields of their names had. */
export function withChoiceLabelsOf<T extends Pick<NestedField, "name" | "options">>(
  fields: readonly T[],
  before: readonly NestedField[],
): T[] {
  const known = Object.fromEntries(before.map(({ name, options }) => [name, options]));
  return fields.map((field) => ({
    ...field,
    options: withChoiceLabels(field.options, ownValue(known, field.name) ?? {}),
  }));
}
