/**
 * The shape of rows: which fields they have, and what their values look like, collected over all rows.
 *
 * @module
 */
import {
  TRANSFER_CHOICES_MAX,
  TRANSFER_COMPARED_MAX,
  TRANSFER_FIELDS_MAX,
} from "../../../kv/limits/transfers.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { parseJson } from "../reading/json_text.ts";
import { blockKind } from "./block_kind.ts";

/** Levels of objects whose fields are told apart. */
const LEVELS = 4;
/** Fields that can identify rows, the first choice first. */
const ID_NAMES = ["id", "_id", "key", "slug"] as const;
/** Different values that are counted: some more than choices may have. */
const COUNTED = TRANSFER_CHOICES_MAX * 10;

const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const EMAIL = /^[^\s@<>()",;:]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
/** What readers call a file of the archive. */
const ARCHIVED = /^archive:.+\.[a-z0-9]+$/i;
const HTML =
  /<(?:p|br|div|h[1-6]|ul|ol|li|a|strong|em|b|i|img|figure|table|blockquote|pre)\b[^>]*>/i;

/** How often values of a field look like something. */
export interface FieldStats {
  /** Rows that have a value. */
  values: number;
  strings: number;
  booleans: number;
  integers: number;
  numbers: number;
  dates: number;
  urls: number;
  emails: number;
  html: number;
  /** Texts that name files of the archive. */
  files: number;
  lines: number;
  longest: number;
  /** Numbers that are JSON numbers. */
  typed: number;
  objects: number;
  arrays: number;
  /** The most frequent values; null once there are too many. */
  counts: Map<string, number> | null;
  /** What cells of tables that are lists and objects in JSON hold. */
  parsed: FieldStats | null;
  /** The fields of objects. */
  inner: Shape | null;
  /** The elements of arrays. */
  items: FieldStats | null;
  /** Objects with a `_type`, as Portable Text has them. */
  typedObjects: number;
  /** Objects that are blocks. */
  kinds: number;
}

/** The shape of rows or objects. */
export interface Shape {
  rows: number;
  fields: Map<string, FieldStats>;
  /** Fields that have identified every row so far, with the digests of their values. */
  ids: Map<string, Set<string>>;
}

/** A shape without rows. */
export function emptyShape(): Shape {
  return { rows: 0, fields: new Map(), ids: new Map() };
}

/** Adds a row to a shape. `nulls` are texts that stand for no value. */
export function addToShape(
  shape: Shape,
  data: JsonObject,
  nulls: ReadonlySet<string>,
  level = 0,
): void {
  shape.rows += 1;
  for (const [name, value] of Object.entries(data)) {
    let stats = shape.fields.get(name);
    if (stats === undefined) {
      if (shape.fields.size >= TRANSFER_FIELDS_MAX) continue;
      stats = newStats();
      shape.fields.set(name, stats);
    }
    addValue(stats, value, nulls, level);
  }
  if (level === 0) noteIds(shape, data);
}

function noteIds(shape: Shape, data: JsonObject): void {
  for (const name of ID_NAMES) {
    const value = data[name];
    if (shape.rows === 1) shape.ids.set(name, new Set());
    const seen = shape.ids.get(name);
    if (seen === undefined) continue;
    const isId = (typeof value === "string" && value !== "") || typeof value === "number";
    if (!isId || seen.has(String(value))) shape.ids.delete(name);
    else if (seen.size < TRANSFER_COMPARED_MAX) seen.add(String(value));
  }
}

/** The field that identifies rows; null if none does. */
export function idField({ ids }: Shape): string | null {
  return ID_NAMES.find((name) => ids.has(name)) ?? null;
}

function newStats(): FieldStats {
  return {
    values: 0,
    strings: 0,
    booleans: 0,
    integers: 0,
    numbers: 0,
    dates: 0,
    urls: 0,
    emails: 0,
    html: 0,
    files: 0,
    lines: 0,
    longest: 0,
    typed: 0,
    objects: 0,
    arrays: 0,
    counts: new Map(),
    parsed: null,
    inner: null,
    items: null,
    typedObjects: 0,
    kinds: 0,
  };
}

function addValue(
  stats: FieldStats,
  value: Json,
  nulls: ReadonlySet<string>,
  level: number,
): void {
  if (value === null || (typeof value === "string" && nulls.has(value))) return;
  stats.values += 1;
  if (Array.isArray(value)) return addArray(stats, value, nulls, level);
  if (isJsonObject(value)) {
    stats.objects += 1;
    if (typeof value._type === "string") stats.typedObjects += 1;
    if (blockKind(value) !== null) stats.kinds += 1;
    stats.inner ??= emptyShape();
    if (level < LEVELS) addToShape(stats.inner, value, nulls, level + 1);
    return;
  }
  if (typeof value === "boolean") {
    stats.booleans += 1;
    stats.typed += 1;
    return;
  }
  if (typeof value === "number") {
    stats.typed += 1;
    stats.numbers += 1;
    if (Number.isInteger(value)) stats.integers += 1;
    return;
  }
  addText(stats, value);
  // Only the cells of tables, where texts can mean no value, have nothing else for lists and objects.
  if (nulls.size === 0 || !/^[[{]/.test(value)) return;
  const parsed = parseJson(value);
  if (typeof parsed !== "object" || parsed === null) return;
  addValue(stats.parsed ??= newStats(), parsed, nulls, level);
}

function addArray(
  stats: FieldStats,
  value: Json[],
  nulls: ReadonlySet<string>,
  level: number,
): void {
  stats.arrays += 1;
  stats.items ??= newStats();
  for (const one of value) addValue(stats.items, one, nulls, level + 1);
}

function addText(stats: FieldStats, text: string): void {
  stats.strings += 1;
  stats.longest = Math.max(stats.longest, text.length);
  if (/^(?:true|false|yes|no)$/i.test(text)) stats.booleans += 1;
  if (NUMBER.test(text)) {
    stats.numbers += 1;
    if (!text.includes(".")) stats.integers += 1;
  }
  if (DATE.test(text) && !Number.isNaN(Date.parse(text.replace(" ", "T")))) stats.dates += 1;
  if (/^https?:\/\/[^\s<>"]+$/i.test(text) && URL.canParse(text)) stats.urls += 1;
  if (EMAIL.test(text)) stats.emails += 1;
  if (ARCHIVED.test(text)) stats.files += 1;
  if (text.includes("\n")) stats.lines += 1;
  if (text.includes("<") && HTML.test(text)) stats.html += 1;
  if (stats.counts === null) return;
  stats.counts.set(text, (stats.counts.get(text) ?? 0) + 1);
  if (stats.counts.size > COUNTED || text.length > 200) stats.counts = null;
}
