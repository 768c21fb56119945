/**
 * Any JSON, kept as it is. Its size is bounded by the body's, its depth too.
 *
 * @module
 */
import { z } from "zod";
import { BODY_DEPTH_MAX } from "../../../limits/requests.ts";
import { type FieldType, report } from "../field_type.ts";
import { jsonFault } from "../../values/json_check.ts";
import { noFilter, noIndex, noText, OPAQUE } from "../../values/scalar_index.ts";

/** JSON. */
export const json: FieldType = {
  name: "json",
  kind: "any",
  holds: null,
  richText: false,
  referenceTo: null,
  roles: ["hidden"],
  options: z.strictObject({}),
  can: OPAQUE,
  check(value, _field, scope) {
    // The body is level 1, so a value as deep as a body may be still fits into one.
    const fault = jsonFault(value, BODY_DEPTH_MAX - 1);
    if (fault === null) return value;
    return report(scope, fault === "deep" ? "TOO_LARGE" : "INVALID_TYPE", jsonMessage(fault));
  },
  wire: () => ({}),
  operators: [],
  facet: null,
  indexValues: noIndex,
  parseFilter: noFilter,
  searchText: noText,
};

function jsonMessage(fault: "deep" | "number"): string {
  return fault === "deep" ? "Nested too deeply" : "Holds a number that is not finite";
}
