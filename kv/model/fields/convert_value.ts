/**
 * Values of one field type as values of another. Each target type names candidates, the best first; the
 * first that the target's own check accepts is the answer. What fits nowhere has a reason.
 *
 * @module
 */
import type { BlockDefinition } from "../entities/collection.ts";
import type { Json } from "../entities/entity.ts";
import type { FieldTypeName, NestedField } from "./field_definition.ts";
import type { CheckScope, Reference } from "./field_type.ts";
import { fieldType } from "./types/registry.ts";
import { isEmpty } from "../values/json_check.ts";
import { isJsonObject } from "../values/json_object.ts";
import { plainText } from "../values/portable_text.ts";

/** The result of a conversion. */
export type ConversionResult = { value: Json } | { fault: string };

/** Block definitions by name. */
type Blocks = ReadonlyMap<string, BlockDefinition>;

interface Source {
  value: Json;
  type: FieldTypeName;
  from: Conversion;
  to: NestedField;
  blocks: Blocks;
}

/** How values of a type are read as something else, and made of something else. */
interface Conversion {
  /** A value as a reader would say it. */
  toPlainText: (value: Json) => string;
  /** The single values of a list of them; those of other values are parts of what they say. */
  parts?: (value: Json[]) => string[];
  /** The kinds of entities that values refer to, or could refer to. */
  mayReference: readonly Reference["kind"][];
  /** Whether a value may be of any shape, so that a list of them may be what the target stores. */
  isAny?: true;
  /** The rows that a value is as it stands; undefined when it is single values. */
  rows?: (value: Json) => Json[] | undefined;
  /** For types of lists: how each single value is read. */
  partType?: FieldTypeName;
  /** Values to try, the best first. */
  candidates: (source: Source) => Json[];
}

/** Converts a stored value of a field into one that its changed definition accepts. */
export function convertValue(
  value: Json,
  from: Pick<NestedField, "type">,
  to: NestedField,
  blocks: Blocks,
): ConversionResult {
  if (isEmpty(value)) return { value: null };
  const source = { value, type: from.type, from: CONVERSIONS[from.type], to, blocks };
  const candidates = CONVERSIONS[to.type].candidates(source);
  let fault = `A ${from.type} value cannot become ${to.type}`;
  for (const [index, candidate] of candidates.entries()) {
    const scope: CheckScope = { path: "", complete: false, blocks, details: [], references: [] };
    const checked = fieldType(to.type).check(candidate, to, scope);
    const [detail] = scope.details;
    if (detail === undefined) return { value: checked };
    const { field, message } = detail;
    if (index === 0) fault = field === "" ? message : `${field}: ${message}`;
  }
  return { fault };
}

const ANYWHERE = ["media", "document"] as const;

/** Values that are texts, or are said as their parts are. */
const PLAIN = { toPlainText: plainTextOf, mayReference: [] } as const;
const TEXTUAL = { toPlainText: plainTextOf, mayReference: ANYWHERE } as const;

const CONVERSIONS: Readonly<Record<FieldTypeName, Conversion>> = {
  text: { ...TEXTUAL, candidates: (source) => [textOf(source)] },
  rich_text: {
    toPlainText: plainText,
    mayReference: [],
    candidates: (source) => [...listIn(source), paragraphs(textOf(source))],
  },
  number: { ...PLAIN, candidates: numbers },
  boolean: { ...PLAIN, candidates: booleans },
  datetime: {
    toPlainText: (value) =>
      typeof value === "number"
        ? new Date(value * 1000).toISOString().replace(".000Z", "Z")
        : plainTextOf(value),
    mayReference: [],
    candidates: instants,
  },
  select: {
    ...TEXTUAL,
    candidates: (source) => {
      const [only, other] = choices(source);
      return only === undefined || other !== undefined ? [] : only;
    },
  },
  multi_select: {
    toPlainText: (value) => Array.isArray(value) ? value.join(", ") : plainTextOf(value),
    parts: (value) => value.flatMap(leaves),
    mayReference: [],
    partType: "text",
    candidates: (source) => [[...new Set(choices(source).flatMap(([first]) => first ?? []))]],
  },
  url: { ...TEXTUAL, candidates: (source) => [textOf(source).trim()] },
  email: { ...TEXTUAL, candidates: (source) => [textOf(source).trim()] },
  json: {
    toPlainText: (value) => typeof value === "object" ? JSON.stringify(value) : plainTextOf(value),
    parts: (value) => value.flatMap(leaves),
    mayReference: ANYWHERE,
    isAny: true,
    partType: "json",
    candidates: ({ value }) => [value],
  },
  media: { ...PLAIN, mayReference: ["media"], candidates: (source) => ids(source, "media") },
  reference: {
    ...PLAIN,
    mayReference: ["document"],
    candidates: (source) => {
      const [only, ...others] = Array.isArray(source.value) ? source.value : [source.value];
      return only === undefined || others.length > 0
        ? []
        : ids({ ...source, value: only }, "document");
    },
  },
  references: {
    ...PLAIN,
    parts: (value) => value.flatMap(leaves),
    mayReference: ["document"],
    partType: "reference",
    candidates: (source) => {
      const list = source.from.isAny || source.from.partType !== undefined ? source.value : null;
      if (Array.isArray(list)) return [[...new Set(list)]];
      return ids(source, "document").map((id) => [id]);
    },
  },
  repeater: {
    ...PLAIN,
    parts: (value) => value.map((row) => leaves(row).join(" ")),
    rows: (value) => Array.isArray(value) ? value : undefined,
    candidates: rows,
  },
  group: {
    ...PLAIN,
    rows: (value) => isJsonObject(value) ? [value] : undefined,
    candidates: (source) => {
      const [row, ...more] = rows(source)[0] as Json[] ?? [];
      return row === undefined || more.length > 0 ? [] : [row];
    },
  },
  block: { ...PLAIN, candidates: blockLists },
};

function textOf({ value, from }: Source): string {
  return from.toPlainText(value);
}

function plainTextOf(value: Json): string {
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
function texts(source: Source): string[] {
  const { value, from } = source;
  if (Array.isArray(value) && from.parts !== undefined) return from.parts(value);
  return textOf(source).split(/[,;\n]/).map((part) => part.trim()).filter((part) => part !== "");
}

/** For each single value the choices that it may mean: spelled so, or in other case. */
function choices(source: Source): string[][] {
  const known = source.to.options.choices ?? [];
  const whole = textOf(source).trim();
  const parts = known.includes(whole) ? [whole] : texts(source);
  return parts.map((part) => {
    const alike = known.find((choice) => choice.toLowerCase() === part.toLowerCase());
    return known.includes(part) || alike === undefined ? [part] : [alike];
  });
}

function listIn({ value, from }: Source): Json[] {
  return from.isAny && Array.isArray(value) ? [value] : [];
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

function numbers(source: Source): Json[] {
  const { value } = source;
  if (typeof value === "number") return [value];
  if (typeof value === "boolean") return [value ? 1 : 0];
  const text = textOf(source).trim();
  if (PLAIN_NUMBER.test(text)) return [Number(text)];
  return GROUPED_NUMBER.test(text) ? [Number(text.replaceAll(",", ""))] : [];
}

const TRUE = new Set(["true", "yes", "on", "1"]);
const FALSE = new Set(["false", "no", "off", "0"]);

function booleans(source: Source): Json[] {
  const { value } = source;
  if (typeof value === "boolean") return [value];
  const text = textOf(source).trim().toLowerCase();
  return TRUE.has(text) ? [true] : FALSE.has(text) ? [false] : [];
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Epoch seconds, or a date as ISO 8601 spells it, in UTC where it does not say. */
function instants(source: Source): Json[] {
  const { value } = source;
  if (typeof value === "number") return [value];
  if (typeof value === "boolean") return [];
  const text = textOf(source).trim();
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
function ids({ value, from }: Source, kind: Reference["kind"]): Json[] {
  return from.mayReference.includes(kind) ? [value] : [];
}

/** One row for each value inside, in the first nested field that takes it. */
function rows({ value, type, from, to, blocks }: Source): Json[] {
  const whole = from.rows?.(value);
  if (whole !== undefined) return [whole];
  const fields = to.options.fields ?? [];
  const isList = Array.isArray(value) && from.partType !== undefined;
  const made = (isList ? value : [value]).map((one): Json =>
    from.isAny && isJsonObject(one) ? one : held(one, from.partType ?? type, fields, blocks)
  );
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
function blockLists(source: Source): Json[] {
  const { value, type, to, blocks } = source;
  const lists = listIn(source);
  const allowed = to.options.allowed ?? [...blocks.keys()];
  for (const name of allowed) {
    const made = held(value, type, blocks.get(name)?.fields ?? [], blocks);
    if (made !== null) lists.push([{ type: name, data: made }]);
  }
  return lists;
}
