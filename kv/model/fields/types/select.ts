/**
 * One of a list of texts.
 *
 * @module
 */
import { z } from "zod";
import { choiceList } from "../../values/choices.ts";
import { choiceLabels } from "../../languages/labels.ts";
import { type FieldType, report } from "../field_type.ts";
import { EQUALITY_OPERATORS } from "../filter_operator.ts";
import { noText, SCALAR, textIndex } from "../../values/scalar_index.ts";

/** Select. */
export const select: FieldType = {
  name: "select",
  kind: "string",
  holds: null,
  richText: false,
  referenceTo: null,
  roles: ["facts", "tags", "hidden"],
  options: z.strictObject({
    choices: choiceList,
    choiceLabels: choiceLabels.exactOptional(),
    default: z.string().exactOptional(),
  }),
  can: SCALAR,
  check(value, field, scope) {
    if (typeof value !== "string") return report(scope, "INVALID_TYPE", "Must be text");
    if (field.options.choices?.includes(value)) return value;
    return report(scope, "INVALID_CHOICE", "Not one of the choices");
  },
  wire: (field) => ({ type: "string", enum: [...field.options.choices ?? []] }),
  operators: EQUALITY_OPERATORS,
  facet: "values",
  indexValues: textIndex,
  parseFilter: (text, field) => field.options.choices?.includes(text) ? text : undefined,
  searchText: noText,
};
