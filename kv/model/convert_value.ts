/**
 * Values of one field type as values of another. Each target type names candidates, the best first; the
 * first that the target's own check accepts is the answer. What fits nowhere has a reason.
 *
 * @module
 */
import type { BlockDefinition } from "./collection.ts";
import type { Json } from "./entity.ts";
import type { FieldTypeName, NestedField } from "./field_definition.ts";
import type { CheckScope } from "./field_type.ts";
import { fieldType } from "./field_types/registry.ts";
import { isEmpty } from "./json_check.ts";
import { isJsonObject, plainText } from "./portable_text.ts";

/** What came of a conversion. */
export type Converted = { value: Json } | { fault: string };

/** Block definitions by name. */
type Blocks = ReadonlyMap<string, BlockDefinition>;

interface Source {
  value: Json;
  type: FieldTypeName;
  to: NestedField;
  blocks: Blocks;
}

/** Converts a stored value of a field into one that its changed definition accepts. */
export function convertValue(
  value: Json,
  from: Pick<NestedField, "type">,
  to: NestedField,
  blocks: Blocks,
): Converted {
  if (isEmpty(value)) return { value: null };
  const candidates = CANDIDATES[to.type]({ value, type: from.type, to, blocks });
  let fault = `A ${from.type} value cannot become ${to.type}`;
  for (const [index, candidate] of candidates.entries()) {
    const scope: CheckScope = { path: "", complete: false, blocks, details: [], references: [] };
    const checked = fieldType(to.type).check(candidate, to, scope);
    if (scope.details.length === 0) return { value: checked };
    const { field, message } = scope.details[0]!;
    if (index === 0) fault = field === "" ? message : `${field}: ${message}`;
  }
  return { fault };
}

const CANDIDATES: Readonly<Record<FieldTypeName, (source: Source) => Json[]>> = {
  text: ({ value, type }) => [textOf(value, type)],
  rich_text: ({ value, type }) => [...arrayIn(value, type), paragraphs(textOf(value, type))],
  number: ({ value, type }) => numbers(value, type),
  boolean: ({ value, type }) => booleans(value, type),
  datetime: ({ value, type }) => instants(value, type),
  select: ({ value, type, to }) => {
    const found = choices(value, type, to);
    return found.length === 1 ? found[0]! : [];
  },
  multi_select: ({ value, type, to }) => {
    const found = choices(value, type, to).map(([first]) => first!);
    return [[...new Set(found)]];
  },
  url: ({ value, type }) => [textOf(value, type).trim()],
  email: ({ value, type }) => [textOf(value, type).trim()],
  json: ({ value }) => [value],
  media: (source) => references(source, "reference"),
  reference: (source) => references(source, "media"),
  repeater: rows,
  group: (source) => {
    const [row, ...more] = rows(source)[0] as Json[] ?? [];
    return row === undefined || more.length > 0 ? [] : [row];
  },
  block: blockLists,
};

/** Types whose values are texts. */
const TEXTUAL: ReadonlySet<FieldTypeName> = new Set([
  "text",
  "select",
  "url",
  "email",
  "media",
  "reference",
]);

/** A value as a reader would say it. */
function textOf(value: Json, type: FieldTypeName): string {
  if (type === "rich_text") return plainText(value);
  if (type === "datetime" && typeof value === "number") {
    return new Date(value * 1000).toISOString().replace(".000Z", "Z");
  }
  if (type === "multi_select" && Array.isArray(value)) return value.join(", ");
  if (type === "json" && typeof value === "object") return JSON.stringify(value);
  return leaves(value).join("\n");
}

/** The texts and numbers inside of a value, in order. */
function leaves(value: Json): string[] {
  if (value === null) return [];
  if (Array.isArray(value)) {
    const text = plainText(value);
    return text === "" ? value.flatMap(leaves) : [text];
  }
  if (isJsonObject(value)) {
    // Of a block its fields, not its framing.
    const inner = typeof value.type === "string" && isJsonObject(value.data) ? value.data : value;
    return Object.values(inner).flatMap(leaves);
  }
  return [String(value)];
}

/** The single values of a value that holds several. */
function texts(value: Json, type: FieldTypeName): string[] {
  if (Array.isArray(value)) {
    if (type === "multi_select" || type === "json") return value.flatMap(leaves);
    if (type === "repeater") return value.map((row) => leaves(row).join(" "));
  }
  const text = textOf(value, type);
  return text.split(/[,;\n]/).map((part) => part.trim()).filter((part) => part !== "");
}

/** For each single value the choices that it may mean: spelled so, or in other case. */
function choices(value: Json, type: FieldTypeName, { options }: NestedField): string[][] {
  const known = options.choices ?? [];
  const whole = textOf(value, type).trim();
  const parts = known.includes(whole) ? [whole] : texts(value, type);
  return parts.map((part) => {
    const alike = known.find((choice) => choice.toLowerCase() === part.toLowerCase());
    return known.includes(part) || alike === undefined ? [part] : [alike];
  });
}

function arrayIn(value: Json, type: FieldTypeName): Json[] {
  return type === "json" && Array.isArray(value) ? [value] : [];
}

/** Text as Portable Text, a block for each line. */
function paragraphs(text: string): Json {
  return text.split("\n").filter((line) => line.trim() !== "").map((line) => ({
    _type: "block",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", text: line, marks: [] }],
  }));
}

const PLAIN_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const GROUPED_NUMBER = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

function numbers(value: Json, type: FieldTypeName): Json[] {
  if (typeof value === "number") return [value];
  if (typeof value === "boolean") return [value ? 1 : 0];
  const text = textOf(value, type).trim();
  if (PLAIN_NUMBER.test(text)) return [Number(text)];
  return GROUPED_NUMBER.test(text) ? [Number(text.replaceAll(",", ""))] : [];
}

const TRUE = new Set(["true", "yes", "on", "1"]);
const FALSE = new Set(["false", "no", "off", "0"]);

function booleans(value: Json, type: FieldTypeName): Json[] {
  if (typeof value === "boolean") return [value];
  const text = textOf(value, type).trim().toLowerCase();
  return TRUE.has(text) ? [true] : FALSE.has(text) ? [false] : [];
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Epoch seconds, or a date as ISO 8601 spells it, in UTC where it does not say. */
function instants(value: Json, type: FieldTypeName): Json[] {
  if (typeof value === "number") return [value];
  if (typeof value === "boolean") return [];
  const text = textOf(value, type).trim();
  if (/^-?\d{1,13}$/.test(text)) return [Number(text)];
  if (!DATE.test(text) || !isDay(text)) return [];
  const hasZone = !/\d[T ]\d/i.test(text) || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10));
  const ms = Date.parse(text.replace(" ", "T") + (hasZone ? "" : "Z"));
  return Number.isNaN(ms) ? [] : [Math.floor(ms / 1000)];
}

/** Whether the day that a date begins with is in its month. */
function isDay(date: string): boolean {
  const [year, month, day] = date.slice(0, 10).split("-").map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** An id stays an id, but not one of something else. */
function references({ value, type }: Source, other: FieldTypeName): Json[] {
  return type === other || !(TEXTUAL.has(type) || type === "json") ? [] : [value];
}

/** One row for each value inside, in the first nested field that takes it. */
function rows({ value, type, to, blocks }: Source): Json[] {
  const fields = to.options.fields ?? [];
  if (type === "group" && isJsonObject(value)) return [[value]];
  if (type === "repeater" && Array.isArray(value)) return [value];
  const isList = Array.isArray(value) && (type === "json" || type === "multi_select");
  const single = isList ? value : [value];
  const inner = type === "multi_select" ? "text" : type;
  const made = single.map((one): Json => {
    if (type === "json" && isJsonObject(one)) return one;
    return held(one, inner, fields, blocks);
  });
  return made.includes(null) ? [] : [made];
}

/** An object that holds a value in the first of its fields that takes it; null when none does. */
function held(
  value: Json,
  type: FieldTypeName,
  fields: readonly NestedField[],
  blocks: Blocks,
): Json {
  for (const field of fields) {
    const converted = field.type === type
      ? { value }
      : convertValue(value, { type }, field, blocks);
    if ("value" in converted && converted.value !== null) return { [field.name]: converted.value };
  }
  return null;
}

/** A list of blocks as it is, or one block that holds the value. */
function blockLists({ value, type, to, blocks }: Source): Json[] {
  const lists = arrayIn(value, type);
  const allowed = to.options.allowed ?? [...blocks.keys()];
  for (const name of allowed) {
    const made = held(value, type, blocks.get(name)?.fields ?? [], blocks);
    if (made !== null) lists.push([{ type: name, data: made }]);
  }
  return lists;
}
