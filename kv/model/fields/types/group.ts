/**
 * One object with fields of its own.
 *
 * @module
 */
import { z } from "zod";
import { nestedFields } from "../field_shape.ts";
import type { FieldType } from "../field_type.ts";
import { checkRow, type TypeOf, valuesIn } from "../../values/nested_values.ts";
import { noFilter, noIndex, noText, OPAQUE } from "../../values/scalar_index.ts";

/** Group. */
export function groupType(typeOf: TypeOf): FieldType {
  return {
    name: "group",
    kind: "object",
    holds: "rows",
    richText: false,
    referenceTo: null,
    roles: ["body", "hidden"],
    options: z.strictObject({ fields: nestedFields(typeOf).exactOptional() }),
    can: OPAQUE,
    check: (value, { options }, scope) => checkRow(value, options.fields ?? [], scope, typeOf),
    wire: () => ({ type: "object", additionalProperties: true }),
    operators: [],
    facet: null,
    indexValues: noIndex,
    parseFilter: noFilter,
    searchText: noText,
    nested: (value, { options }, { path }) =>
      valuesIn(value, options.fields ?? [], (name) => `${path}.${name}`),
  };
}
