/**
 * Any of a list of texts, each once: what comes twice is kept where it came first.
 *
 * @module
 */
import { z } from "zod";
import { CHOICES_MAX } from "../../../limits/content.ts";
import { checkCount } from "../../input/bounds.ts";
import { choiceList } from "../../values/choices.ts";
import { choiceLabels } from "../../languages/labels.ts";
import type { Json } from "../../entities/entity.ts";
import type { NestedField } from "../field_definition.ts";
import {
  type CheckScope,
  type FieldType,
  type JsonSchema,
  report,
  reportInside,
} from "../field_type.ts";
import { LIST_OPERATORS } from "../filter_operator.ts";
import { noText } from "../../values/scalar_index.ts";

/** Multiple select. */
export const multiSelect: FieldType = {
  name: "multi_select",
  kind: "array",
  holds: null,
  richText: false,
  referenceTo: null,
  roles: ["tags", "facts", "hidden"],
  options: z.strictObject({
    choices: choiceList,
    choiceLabels: choiceLabels.exactOptional(),
    maxItems: z.int().min(1).max(CHOICES_MAX).exactOptional(),
  }),
  can: { index: true, sort: false, unique: false },
  check,
  wire,
  operators: LIST_OPERATORS,
  facet: "values",
  indexValues: (value) =>
    Array.isArray(value) ? value.filter((choice) => typeof choice === "string") : [],
  parseFilter: (text, field) => field.options.choices?.includes(text) ? text : undefined,
  searchText: noText,
};

function check(value: Json, field: NestedField, scope: CheckScope): Json {
  if (!Array.isArray(value)) return report(scope, "INVALID_TYPE", "Must be an array of text");
  if (!checkCount(new Set(value).size, field.options, CHOICES_MAX, scope)) return null;
  const choices = new Set<Json>(field.options.choices);
  const kept = new Set<Json>(Array.isArray(scope.stored) ? scope.stored : []);
  const chosen = new Set<Json>();
  for (const [position, choice] of value.entries()) {
    if (choices.has(choice) || kept.has(choice)) chosen.add(choice);
    else if (typeof choice === "string") {
      reportInside(scope, position, "INVALID_CHOICE", "Not one of the choices");
    } else reportInside(scope, position, "INVALID_TYPE", "Must be text");
  }
  return [...chosen];
}

function wire(field: NestedField): JsonSchema {
  const { choices = [], maxItems } = field.options;
  const schema: JsonSchema = {
    type: "array",
    items: { type: "string", enum: [...choices] },
  };
  if (maxItems !== undefined) schema.maxItems = maxItems;
  return schema;
}
