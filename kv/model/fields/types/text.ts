/**
 * Plain text. Lone surrogates and NUL are no text (INVALID_TYPE): nothing could store, compare and show
 * them alike everywhere.
 *
 * @module
 */
import { z } from "zod";
import { PATTERN_CHARS_MAX, PATTERN_TEXT_CHARS_MAX } from "../../../limits/content.ts";
import { BODY_BYTES_MAX } from "../../../limits/requests.ts";
import { checkRange } from "../../input/bounds.ts";
import type { Json } from "../../entities/entity.ts";
import type { NestedField } from "../field_definition.ts";
import { type CheckScope, type FieldType, type JsonSchema, report } from "../field_type.ts";
import { TEXT_OPERATORS } from "../filter_operator.ts";
import { ecmaPattern, matchesPattern, patternFault } from "../../values/pattern.ts";
import { SCALAR, textFilter, textIndex } from "../../values/scalar_index.ts";
import { boundedText, codePoints, isText, longerThan } from "../../values/text_check.ts";
import { customIssue } from "../../input/zod_details.ts";

const length = z.int().min(0).max(BODY_BYTES_MAX);

const options = z.strictObject({
  minLength: length.exactOptional(),
  maxLength: length.exactOptional(),
  pattern: boundedText(1, PATTERN_CHARS_MAX).exactOptional(),
  multiline: z.boolean().exactOptional(),
  default: z.string().exactOptional(),
}).superRefine(checkRange("minLength", "maxLength")).superRefine(({ pattern }, context) => {
  const fault = pattern === undefined ? null : patternFault(pattern);
  if (fault !== null) context.addIssue(customIssue("PATTERN_MISMATCH", fault, ["pattern"]));
});

/** Text. */
export const text: FieldType = {
  name: "text",
  kind: "string",
  holds: null,
  richText: false,
  referenceTo: null,
  roles: ["body", "facts", "standfirst", "hidden", "searchTitle", "searchDescription", "canonical"],
  options,
  can: SCALAR,
  check,
  wire,
  operators: TEXT_OPERATORS,
  facet: "values",
  indexValues: textIndex,
  parseFilter: textFilter,
  searchText: (value) => typeof value === "string" ? value : "",
};

function check(value: Json, field: NestedField, scope: CheckScope): Json {
  if (typeof value !== "string") return report(scope, "INVALID_TYPE", "Must be text");
  if (!isText(value)) {
    return report(scope, "INVALID_TYPE", "Must be text without NUL and lone surrogates");
  }
  const { minLength = 0, maxLength = Infinity, pattern } = field.options;
  if (longerThan(value, maxLength)) {
    return report(scope, "TOO_LONG", `At most ${maxLength} characters`);
  }
  if (value.length < minLength * 2 && codePoints(value) < minLength) {
    report(scope, "TOO_SHORT", `At least ${minLength} characters`);
  }
  if (pattern === undefined) return value;
  if (longerThan(value, PATTERN_TEXT_CHARS_MAX)) {
    const message = `At most ${PATTERN_TEXT_CHARS_MAX} characters where there is a pattern`;
    return report(scope, "TOO_LONG", message);
  }
  if (!matchesPattern(field.options, pattern, value)) {
    report(scope, "PATTERN_MISMATCH", "Does not match the pattern");
  }
  return value;
}

function wire(field: NestedField): JsonSchema {
  const { minLength, maxLength, pattern } = field.options;
  const schema: JsonSchema = { type: "string" };
  if (minLength !== undefined) schema.minLength = minLength;
  if (maxLength !== undefined) schema.maxLength = maxLength;
  const ecma = pattern === undefined ? undefined : ecmaPattern(pattern);
  if (ecma !== undefined) schema.pattern = ecma;
  return schema;
}
