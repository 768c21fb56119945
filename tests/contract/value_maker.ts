/**
 * Random values that fit a JSON Schema, and values that just do not.
 *
 * @module
 */
import { SEARCH_WORDS } from "../../routes/query/search_words.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { JsonSchema } from "../../kv/model/fields/field_type.ts";
import type { Random } from "./random.ts";

/** Text that begins and ends with something to see. */
const TRIMMED = "^\\S[\\s\\S]*\\S$";

/** Nothing is known that fits. */
export const NOTHING = Symbol("nothing");

const WORDS = [
  "a",
  "Zebra",
  "été",
  "日本",
  "🦊",
  "x y",
  "' OR 1=1",
  "<b>",
  "%00",
  "\\",
  "0",
  "true",
];
const ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A random ULID. */
export function randomUlid(random: Random): string {
  return "0" + Array.from({ length: 25 }, () => random.pick([...ULID_DIGITS])).join("");
}

/** A random value that fits, or {@linkcode NOTHING}. */
export function fitting(schema: JsonSchema, random: Random): Json | typeof NOTHING {
  if (Array.isArray(schema.enum)) return random.pick(schema.enum);
  if (schema.const !== undefined) return schema.const;
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer":
    case "number":
      return fittingNumber(schema, type, random);
    case "string":
      return fittingText(schema, random);
    case "array":
      return fittingArray(schema, random);
    case "object":
      return {};
    default:
      return anyJson(random, 2);
  }
}

function fittingNumber(schema: JsonSchema, type: string, random: Random): Json | typeof NOTHING {
  const low = Number(schema.minimum ?? -1000);
  const high = Number(schema.maximum ?? Math.max(low, 0) + 1000);
  const value = random.pick([low, high, low + random.fraction() * (high - low)]);
  const whole = random.chance(0.5) ? Math.ceil(value) : Math.floor(value);
  if (type === "number") return value;
  return whole < low || whole > high ? NOTHING : whole;
}

function fittingText(schema: JsonSchema, random: Random): Json | typeof NOTHING {
  const { pattern, format } = schema;
  if (format === "uri") return `https://example.org/${random.below(1000)}`;
  if (format === "email") return `user${random.below(1000)}@example.org`;
  if (typeof pattern === "string" && pattern.includes("0-9A-HJKMNP")) return randomUlid(random);
  if (typeof pattern === "string" && pattern.startsWith("^[a-z0-9]+")) {
    return `slug-${random.below(10_000)}`;
  }
  const known = [undefined, "\\S", TRIMMED, SEARCH_WORDS.pattern];
  if (!known.includes(pattern as string | undefined)) return NOTHING;
  const shortest = Number(schema.minLength ?? 0);
  const longest = Number(schema.maxLength ?? 100);
  const wanted = random.pick([shortest, Math.min(longest, shortest + 20), longest]);
  let text = random.pick(WORDS);
  while ([...text].length < wanted) text += random.pick(WORDS);
  text = [...text].slice(0, wanted).join("");
  const fits = pattern === undefined || new RegExp(pattern as string).test(text);
  return fits ? text : "x".repeat(Math.max(1, wanted));
}

function fittingArray(schema: JsonSchema, random: Random): Json | typeof NOTHING {
  const elements = schema.items as JsonSchema | undefined;
  const least = Number(schema.minItems ?? 0);
  const most = Math.min(Number(schema.maxItems ?? 3), least + 3);
  // What references and opaque elements mean is not for a generator to know.
  if (elements === undefined || elements.type === undefined || elements.type === "object") {
    return least === 0 ? [] : NOTHING;
  }
  const values: Json[] = [];
  for (
    let tries = 0;
    tries < 10 && values.length < least + random.below(most - least + 1);
    tries++
  ) {
    const value = fitting(elements, random);
    if (value === NOTHING) break;
    if (schema.uniqueItems !== true || !values.includes(value)) values.push(value);
  }
  return values.length < least ? NOTHING : values;
}

/** A value that breaks one rule of the schema, or {@linkcode NOTHING} when it has none to break. */
export function unfitting(schema: JsonSchema, random: Random): Json | typeof NOTHING {
  const types = [schema.type ?? []].flat() as string[];
  if (types.length === 0) return NOTHING;
  const broken: Json[] = [];
  const text = types.includes("string");
  const numeric = types.includes("number") || types.includes("integer");
  if (!text) broken.push("text", "");
  if (!numeric) broken.push(7, -0.5);
  if (!types.includes("boolean")) broken.push(true);
  if (!types.includes("null")) broken.push(null);
  if (!types.includes("array")) broken.push([], [null]);
  if (!types.includes("object")) broken.push({}, { a: { b: [1] } });
  if (types.includes("integer") && !types.includes("number")) broken.push(0.5);
  if (numeric && schema.maximum !== undefined) broken.push(Number(schema.maximum) + 1);
  if (numeric && schema.minimum !== undefined) broken.push(Number(schema.minimum) - 1);
  if (text && schema.maxLength !== undefined) broken.push("x".repeat(Number(schema.maxLength) + 1));
  if (text && Number(schema.minLength ?? 0) > 0) broken.push("");
  if (text && Array.isArray(schema.enum)) broken.push("no such choice");
  if (text && schema.format !== undefined) broken.push("not that format");
  return random.pick(broken);
}

/** Any JSON at all. */
export function anyJson(random: Random, depth: number): Json {
  const kind = random.below(depth > 0 ? 8 : 6);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.below(100_000) - 50_000;
  if (kind === 3) return random.fraction() * 1e6;
  if (kind < 6) return random.pick(WORDS);
  if (kind === 6) return Array.from({ length: random.below(4) }, () => anyJson(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [random.pick(WORDS), anyJson(random, depth - 1)]),
  );
}
