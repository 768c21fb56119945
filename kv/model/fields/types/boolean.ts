/**
 * True or false.
 *
 * @module
 */
import { z } from "zod";
import { type FieldType, report } from "../field_type.ts";
import { EQUALITY_OPERATORS } from "../filter_operator.ts";
import { noText, SCALAR } from "../../values/scalar_index.ts";

/** Boolean. */
export const boolean: FieldType = {
  name: "boolean",
  kind: "boolean",
  holds: null,
  richText: false,
  referenceTo: null,
  roles: ["facts", "hidden", "noindex"],
  options: z.strictObject({ default: z.boolean().exactOptional() }),
  can: SCALAR,
  check: (value, _field, scope) =>
    typeof value === "boolean" ? value : report(scope, "INVALID_TYPE", "Must be true or false"),
  wire: () => ({ type: "boolean" }),
  operators: EQUALITY_OPERATORS,
  facet: "values",
  indexValues: (value) => typeof value === "boolean" ? [value] : [],
  parseFilter: (text) => text === "true" ? true : text === "false" ? false : undefined,
  searchText: noText,
};
