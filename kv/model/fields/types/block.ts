/**
 * A list of block instances `{type, id, data}`, each with the fields of its block definition. An
 * instance without an id gets one that is made from what it holds and where it stands.
 *
 * @module
 */
import { z } from "zod";
import { BLOCK_KINDS_MAX, ROWS_MAX } from "../../../limits/content.ts";
import { BODY_DEPTH_MAX } from "../../../limits/requests.ts";
import { checkCount } from "../../input/bounds.ts";
import { distinct } from "../../values/choices.ts";
import { contentId } from "../../values/content_key.ts";
import type { Json } from "../../entities/entity.ts";
import {
  type CheckScope,
  type FieldType,
  type JsonSchema,
  report,
  reportInside,
  within,
} from "../field_type.ts";
import { jsonFault } from "../../values/json_check.ts";
import { blockValues, checkObject, type TypeOf } from "../../values/nested_values.ts";
import { isJsonObject, type JsonObject } from "../../values/json_object.ts";
import { noFilter, noIndex, noText, OPAQUE } from "../../values/scalar_index.ts";
import { shownKey } from "../../values/text_check.ts";

/** How block definitions are named. */
export const BLOCK_NAME = /^[a-z][a-zA-Z0-9_-]{0,63}$/;
/** The pattern of the IDs of instances; the service creates ULIDs. */
export const BLOCK_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Block. */
export function blockType(typeOf: TypeOf): FieldType {
  return {
    name: "block",
    kind: "array",
    holds: "blocks",
    richText: false,
    referenceTo: null,
    roles: ["body", "hidden"],
    options: z.strictObject({
      allowed: distinct(z.array(z.string().regex(BLOCK_NAME)).max(BLOCK_KINDS_MAX)).exactOptional(),
    }),
    can: OPAQUE,
    check: (value, field, scope) => checkBlocks(value, field.options.allowed, scope, typeOf),
    wire,
    operators: [],
    facet: null,
    indexValues: noIndex,
    parseFilter: noFilter,
    searchText: noText,
    nested: (value, _field, { blocks }) =>
      !Array.isArray(value) ? [] : value.filter(isJsonObject).flatMap(({ type, data }) => {
        const definition = typeof type === "string" ? blocks.get(type) : undefined;
        return definition === undefined ? [] : blockValues(definition, data);
      }),
  };
}

/** Checks a list of instances; `allowed` undefined means any block definition. */
export function checkBlocks(
  value: Json,
  allowed: readonly string[] | undefined,
  scope: CheckScope,
  typeOf: TypeOf,
): Json {
  if (!Array.isArray(value)) return report(scope, "INVALID_TYPE", "Must be an array of blocks");
  if (!checkCount(value.length, {}, ROWS_MAX, scope)) return null;
  // Blocks may hold block fields, so only the value itself bounds how deep they nest.
  if (jsonFault(value, BODY_DEPTH_MAX) === "deep") {
    return report(scope, "TOO_LARGE", "Nested too deeply");
  }
  const taken = new Set<string>();
  const repeated = repeatedIds(value, taken);
  return value.map((block, position) => {
    const inner = within(scope, position);
    if (!isJsonObject(block)) return report(inner, "INVALID_TYPE", "Must be a block");
    return checkBlock(block, allowed, inner, typeOf, (given) => {
      const isFresh = given === undefined || repeated.has(position);
      return isFresh ? contentId(taken, `${position}\n${JSON.stringify(block)}`) : given;
    });
  });
}

function checkBlock(
  block: JsonObject,
  allowed: readonly string[] | undefined,
  scope: CheckScope,
  typeOf: TypeOf,
  idFor: (given: string | undefined) => string,
): Json {
  for (const key of Object.keys(block)) {
    if (["type", "id", "data"].includes(key)) continue;
    reportInside(scope, shownKey(key), "UNKNOWN_KEY", "Unknown key");
  }
  const { id = null, type = null, data: values = null } = block;
  if (id !== null && (typeof id !== "string" || !BLOCK_ID.test(id))) {
    const code = typeof id === "string" ? "PATTERN_MISMATCH" : "INVALID_TYPE";
    reportInside(scope, "id", code, "Must be 1 to 64 letters, digits, - and _");
  }
  const inner = within(scope, "type");
  if (type === null) return report(inner, "REQUIRED", "Required");
  if (typeof type !== "string") return report(inner, "INVALID_TYPE", "Must be text");
  const definition = allowed?.includes(type) === false ? undefined : scope.blocks.get(type);
  if (definition === undefined) {
    if (scope.kept?.has(block)) return block;
    return report(inner, "INVALID_CHOICE", "This block is not allowed here");
  }
  const own: CheckScope = { ...within(scope, "data"), details: [] };
  const checked = checkObject(values ?? {}, definition.fields, own, typeOf);
  const isInvalidByNewDefinition = own.details.some(({ code }) => code !== "REQUIRED");
  const isKept = isInvalidByNewDefinition && scope.kept?.has(block) === true;
  scope.details.push(...own.details.filter(({ code }) => !isKept || code === "REQUIRED"));
  if (isKept) return block;
  return { type, id: idFor(typeof id === "string" ? id : undefined), data: checked };
}

/** Positions whose id an earlier instance has; all given ids are added to `taken`. */
function repeatedIds(blocks: Json[], taken: Set<string>): Set<number> {
  const repeated = new Set<number>();
  for (const [position, block] of blocks.entries()) {
    if (!isJsonObject(block) || typeof block.id !== "string") continue;
    if (taken.has(block.id)) repeated.add(position);
    taken.add(block.id);
  }
  return repeated;
}

function wire(): JsonSchema {
  return {
    type: "array",
    items: {
      type: "object",
      required: ["type"],
      properties: {
        type: { type: "string" },
        id: { type: "string" },
        data: { type: "object", additionalProperties: true },
      },
    },
  };
}
