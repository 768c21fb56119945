/**
 * Portable Text. The shape of text blocks is checked; blocks of other types and unknown members are kept
 * as they are. Parts without a `_key`, or with one that a sibling has, get a key made from what they are
 * and where they stand.
 *
 * @module
 */
import { z } from "zod";
import {
  RICH_TEXT_DEPTH_MAX,
  RICH_TEXT_NAME_CHARS_MAX,
  RICH_TEXT_NODES_MAX,
} from "../../../limits/content.ts";
import { contentKey } from "../../values/content_key.ts";
import type { Json } from "../../entities/entity.ts";
import { ownValue } from "../../primitives/own_value.ts";
import { type CheckScope, type FieldType, report, reportInside, within } from "../field_type.ts";
import { jsonFault } from "../../values/json_check.ts";
import { blockValues } from "../../values/nested_values.ts";
import { isJsonObject, type JsonObject } from "../../values/json_object.ts";
import { isSafeHref, plainText } from "../../values/portable_text.ts";
import { noFilter, noIndex, OPAQUE } from "../../values/scalar_index.ts";
import { isText } from "../../values/text_check.ts";

/** Rich text. */
export const richText: FieldType = {
  name: "rich_text",
  kind: "array",
  holds: null,
  richText: true,
  referenceTo: null,
  roles: ["body", "hidden"],
  options: z.strictObject({}),
  can: OPAQUE,
  check,
  wire: () => ({ type: "array", items: { $ref: "#/components/schemas/PortableTextBlock" } }),
  operators: [],
  facet: null,
  indexValues: noIndex,
  parseFilter: noFilter,
  searchText: plainText,
  nested: (value, _field, { blocks }) =>
    !Array.isArray(value) ? [] : value.filter(isJsonObject).flatMap((part) => {
      const definition = blocks.get(String(part._type));
      return definition === undefined ? [] : blockValues(definition, part);
    }),
};

function check(value: Json, _field: unknown, scope: CheckScope): Json {
  if (!Array.isArray(value)) {
    return report(scope, "INVALID_TYPE", "Must be an array of Portable Text blocks");
  }
  if (nodeCount(value) > RICH_TEXT_NODES_MAX) {
    return report(scope, "TOO_LONG", `At most ${RICH_TEXT_NODES_MAX} blocks and spans`);
  }
  return checkParts(value, scope, "", (block, inner, key) => {
    const fault = jsonFault(block, RICH_TEXT_DEPTH_MAX);
    if (fault === "deep") return report(inner, "TOO_LARGE", "Nested too deeply");
    if (fault === "number") {
      return report(inner, "INVALID_TYPE", "Contains a number that is not finite");
    }
    return block._type === "block" ? checkTextBlock(block, inner, key) : block;
  });
}

function nodeCount(blocks: Json[]): number {
  let count = blocks.length;
  for (const block of blocks) {
    if (!isJsonObject(block)) continue;
    if (Array.isArray(block.children)) count += block.children.length;
    if (Array.isArray(block.markDefs)) count += block.markDefs.length;
  }
  return count;
}

/** Checks `_type` and `_key` of each part and hands it to `checkPart`; `seed` tells equal parts apart. */
function checkParts(
  parts: Json[],
  scope: CheckScope,
  seed: string,
  checkPart: (part: JsonObject, scope: CheckScope, key: string) => Json,
): Json[] {
  const taken = new Set<string>();
  const seen = new Set<string>();
  for (const part of parts) if (isJsonObject(part) && hasKey(part)) taken.add(part._key);
  return parts.map((part, position) => {
    const inner = within(scope, position);
    if (!isJsonObject(part)) return report(inner, "INVALID_TYPE", "Must be an object");
    checkName(part, "_type", true, inner);
    checkName(part, "_key", false, inner);
    const isKept = hasKey(part) && !seen.has(part._key);
    const key = isKept
      ? part._key as string
      : contentKey(taken, `${seed}/${position}/${JSON.stringify(part)}`);
    seen.add(key);
    const checked = checkPart(part, inner, key);
    return isKept || !isJsonObject(checked) ? checked : { ...checked, _key: key };
  });
}

function hasKey(part: JsonObject): part is JsonObject & { _key: string } {
  return typeof part._key === "string" && part._key !== "";
}

function checkName(part: JsonObject, name: string, isRequired: boolean, scope: CheckScope): void {
  const value = ownValue(part, name) ?? null;
  const inner = within(scope, name);
  if (value === null || value === "") {
    if (isRequired) report(inner, "REQUIRED", "Required");
  } else if (typeof value !== "string" || !isText(value)) {
    report(inner, "INVALID_TYPE", "Must be text");
  } else if (value.length > RICH_TEXT_NAME_CHARS_MAX) {
    report(inner, "TOO_LONG", `At most ${RICH_TEXT_NAME_CHARS_MAX} characters`);
  }
}

function checkTextBlock(block: JsonObject, scope: CheckScope, key: string): JsonObject {
  for (const name of ["style", "listItem"]) checkOptionalText(block, name, scope);
  const { level = null, children = null, markDefs = null } = block;
  if (level !== null && !(Number.isSafeInteger(level) && (level as number) >= 1)) {
    reportInside(scope, "level", "INVALID_TYPE", "Must be a whole number of 1 or more");
  }
  const checked: JsonObject = { ...block };
  const inner = within(scope, "children");
  if (children === null) report(inner, "REQUIRED", "Required");
  else if (!Array.isArray(children)) report(inner, "INVALID_TYPE", "Must be an array of spans");
  else checked.children = checkParts(children, inner, key, checkChild);
  if (markDefs !== null) checked.markDefs = checkMarkDefs(markDefs, within(scope, "markDefs"), key);
  return checked;
}

function checkChild(child: JsonObject, scope: CheckScope): Json {
  if (child._type !== "span") return child;
  const { text = null, marks = null } = child;
  if (text === null) reportInside(scope, "text", "REQUIRED", "Required");
  else if (typeof text !== "string" || !isText(text)) {
    reportInside(scope, "text", "INVALID_TYPE", "Must be text");
  }
  const isList = Array.isArray(marks) && marks.every((mark) => typeof mark === "string");
  if (marks !== null && !isList) {
    reportInside(scope, "marks", "INVALID_TYPE", "Must be an array of text");
  }
  return child;
}

function checkMarkDefs(markDefs: Json, scope: CheckScope, key: string): Json {
  if (!Array.isArray(markDefs)) return report(scope, "INVALID_TYPE", "Must be an array");
  return checkParts(markDefs, scope, `${key}/mark`, (markDef, inner) => {
    const { href = null } = markDef;
    if (href === null) return markDef;
    if (typeof href !== "string") reportInside(inner, "href", "INVALID_TYPE", "Must be text");
    else if (!isText(href) || !isSafeHref(href)) {
      reportInside(inner, "href", "PATTERN_MISMATCH", "The scheme of the address is not allowed");
    }
    return markDef;
  });
}

function checkOptionalText(part: JsonObject, name: string, scope: CheckScope): void {
  const value = ownValue(part, name) ?? null;
  if (value === null || typeof value === "string") return;
  reportInside(scope, name, "INVALID_TYPE", "Must be text");
}
