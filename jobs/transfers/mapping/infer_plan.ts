/**
 * A plan made from the shapes of rows: a collection for each kind of rows, and a field with a fitting type for each
 * column.
 *
 * @module
 */
import anyAscii from "any-ascii";
import { TRANSFER_CHOICE_ROWS_MIN, TRANSFER_CHOICES_MAX } from "../../../kv/limits/transfers.ts";
import { CHOICE_CHARS_MAX, NESTED_FIELDS_MAX, REFERENCES_MAX } from "../../../kv/limits/content.ts";
import { RESERVED_FIELD_NAMES } from "../../../kv/model/entities/document.ts";
import { UNSAFE_NAMES } from "../../../kv/model/fields/field_shape.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { RESERVED_SLUGS } from "../../../kv/model/input/collection_input.ts";
import { labelOf } from "../../../kv/model/transfers/plan_check.ts";
import type { Plan, PlanCollection, PlanField } from "../../../kv/model/transfers/plan.ts";
import { slugify } from "../../../kv/model/values/slug.ts";
import { type LanguageColumns, languageColumns, NO_COLUMNS } from "./language_columns.ts";
import { type FieldStats, idField, type Shape } from "./shape.ts";

/** Choices of a field with several values that are not many. */
const TAGS = 100;

const TITLES = [
  "title",
  "name",
  "headline",
  "label",
  "subject",
  "displayName",
  "question",
  "email",
];
const SLUGS = ["slug", "handle", "permalink", "url_key"];
const PUBLISHED = ["publishedAt", "published_at", "date", "pubDate", "publishDate", "published"];
const CREATED = ["createdAt", "created_at", "created", "date_created", "createdOn"];

/** A plan for the given rows; `original` is the language of the site's originals, if it has several. */
export function inferPlan(
  sourceKey: string,
  shapes: ReadonlyMap<string, Shape>,
  names: Readonly<Record<string, string>>,
  original?: string,
): Plan {
  const taken = new Set<string>();
  return {
    sourceKey,
    collections: [...shapes].map(([source, shape]) => {
      const columns = languageColumns(shape, original);
      return inferCollection(source, names[source] ?? source, shape, { taken, columns });
    }),
    authors: { collection: null, mapping: {} },
    media: { from: ["archive", "addresses"], hosts: [], skipMissing: true, folder: "" },
    languages: {},
    redirects: true,
    blocks: [],
    settings: [],
  };
}

/** The slug of a collection, each once. */
export function collectionSlug(name: string, taken: Set<string>): string {
  const wanted = slugify(name).slice(0, 80).replace(/-$/, "");
  const free = (slug: string) => !taken.has(slug) && !RESERVED_SLUGS.has(slug);
  let slug = [wanted, `${wanted}s`].find(free) ?? `${wanted}-items`;
  for (let n = 2; !free(slug); n++) slug = `${wanted}-${n}`;
  taken.add(slug);
  return slug;
}

function inferCollection(
  source: string,
  name: string,
  given: Shape,
  { taken, columns }: { taken: Set<string>; columns: LanguageColumns },
): PlanCollection {
  const { shape, columnOf } = inOriginals(given, columns);
  const sourceId = idField(shape);
  const title = firstOf(shape, TITLES, isWordy) ?? firstText(shape);
  const slug = firstOf(shape, SLUGS, ({ strings, values }) => strings === values);
  const publishedAt = firstOf(shape, PUBLISHED, isDate);
  const createdAt = firstOf(shape, CREATED, isDate);
  const framing = new Set([
    title,
    slug,
    createdAt,
    sourceId,
    "status",
    "updatedAt",
    "updated_at",
    "_translations",
    "_draft",
  ]);
  if (publishedAt !== "date") framing.add(publishedAt);
  // The blocks of a document of this service; most have none.
  const blocks = shape.fields.get("blocks");
  if (blocks !== undefined && isAlwaysEmpty(blocks)) framing.add("blocks");
  const names = new Set<string>();
  const isUnused = (key: string, { values }: FieldStats) =>
    values === 0 && RESERVED_FIELD_NAMES.has(key);
  const fields = [...shape.fields]
    .filter(([key, stats]) => !framing.has(key) && !isUnused(key, stats))
    .map(([key, stats]): PlanField => ({
      ...inferField(key, stats, shape.rows, names),
      from: columnOf(key),
      ...(columns.bases.has(key) && { localized: true }),
    }));
  const pathOf = (name: string | null) => name === null ? null : columnOf(name);
  return {
    source,
    target: { slug: collectionSlug(name, taken), name: labelOf(name) },
    mode: "upsert",
    match: "source",
    status: "keep",
    fields,
    title: pathOf(title),
    slug: pathOf(slug),
    publishedAt: pathOf(publishedAt),
    createdAt: pathOf(createdAt),
    sourceId,
  };
}

/** The columns of the original language alone, by the names that they have without it. */
function inOriginals(
  { fields, ...shape }: Shape,
  { others, originals }: LanguageColumns = NO_COLUMNS,
): { shape: Shape; columnOf: (name: string) => string } {
  const baseOf = new Map([...originals].map(([base, column]) => [column, base]));
  const own = [...fields].filter(([key]) => !others.has(key))
    .map(([key, stats]): [string, FieldStats] => [baseOf.get(key) ?? key, stats]);
  return {
    shape: { ...shape, fields: new Map(own) },
    columnOf: (name) => originals.get(name) ?? name,
  };
}

function isAlwaysEmpty({ values, arrays, items, parsed }: FieldStats): boolean {
  if (parsed !== null && parsed.values === values) return isAlwaysEmpty(parsed);
  return arrays === values && (items === null || items.values === 0);
}

function firstOf(
  { fields }: Shape,
  names: readonly string[],
  fits: (stats: FieldStats) => boolean,
): string | null {
  return names.find((name) => {
    const stats = fields.get(name);
    return stats !== undefined && stats.values > 0 && fits(stats);
  }) ?? null;
}

function isWordy({ strings, values, numbers }: FieldStats): boolean {
  return strings + numbers >= values && strings > 0;
}

function isDate({ dates, integers, values }: FieldStats): boolean {
  return values > 0 && (dates === values || integers === values);
}

function firstText({ fields }: Shape): string | null {
  for (const [name, stats] of fields) {
    if (name.startsWith("_") || /^(?:id|slug|status)$/i.test(name)) continue;
    const isText = stats.strings === stats.values && stats.values > 0 && stats.longest <= 200;
    if (isText && stats.numbers < stats.values && stats.dates < stats.values) return name;
  }
  return null;
}

/** The field that a column becomes; `names` are taken. */
export function inferField(
  from: string,
  stats: FieldStats,
  rows: number,
  names: Set<string>,
  nested = false,
): PlanField {
  const { type, options = {}, convert } = inferType(stats, rows);
  return {
    from,
    to: fieldName(from, names, nested),
    type,
    options,
    ...(convert !== undefined && { convert }),
  };
}

/** A name that a field can have, each once. */
export function fieldName(from: string, taken: Set<string>, nested = false): string {
  const words = anyAscii(from).replace(/[^a-zA-Z0-9_]+/g, "_").replace(/^[_0-9]+|_+$/g, "");
  const plain = (words.charAt(0).toLowerCase() + words.slice(1)).slice(0, 60) || "field";
  const isTaken = UNSAFE_NAMES.has(plain) || (!nested && RESERVED_FIELD_NAMES.has(plain));
  const wanted = isTaken ? `${plain}_` : plain;
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
  taken.add(name);
  return name;
}

/** The type of a field. */
export type FieldType = Pick<PlanField, "type"> & Partial<Pick<PlanField, "options" | "convert">>;

/** The type of a field whose values look like this. */
function inferType(stats: FieldStats, rows: number): FieldType {
  const { values, strings, objects, arrays, parsed } = stats;
  if (values === 0) return { type: "text" };
  if (parsed !== null && parsed.values === values) {
    return { convert: "json", ...inferType(parsed, rows) };
  }
  if (arrays > 0) return arrays === values ? arrayType(stats) : { type: "json" };
  if (objects > 0) return objects === values ? objectType(stats) : { type: "json" };
  if (stats.booleans === values) return { type: "boolean" };
  if (stats.numbers === values) {
    return { type: "number", options: stats.integers === values ? { integer: true } : {} };
  }
  if (strings < values) return { type: "text" };
  if (stats.files === values) return { type: "media" };
  if (stats.dates === values) return { type: "datetime" };
  if (stats.urls === values) return { type: "url" };
  if (stats.emails === values) return { type: "email" };
  if (stats.html * 2 >= values) return { type: "rich_text", convert: "html" };
  const choices = choicesOf(stats, rows);
  if (choices !== null) return { type: "select", options: { choices } };
  return { type: "text", options: stats.lines > 0 ? { multiline: true } : {} };
}

function choicesOf({ counts, values }: FieldStats, rows: number): string[] | null {
  if (counts === null || rows < TRANSFER_CHOICE_ROWS_MIN) return null;
  const isFew = counts.size <= TRANSFER_CHOICES_MAX && counts.size * 2 <= values;
  return isFew ? [...counts.keys()].filter((text) => text.trim() !== "") : null;
}

function arrayType({ items }: FieldStats): FieldType {
  if (items === null || items.values === 0) return { type: "json" };
  if (items.kinds === items.values) return { type: "block" };
  if (items.typedObjects === items.values) return { type: "rich_text", convert: "portable" };
  if (items.objects === items.values && items.inner !== null) {
    if (items.inner.fields.has("_ref")) {
      return { type: "references", options: { maxItems: REFERENCES_MAX } };
    }
    const fields = isAsset(items.inner)
      ? [{ name: "file", type: "media", options: {} }]
      : nestedFields(items.inner);
    return fields === null ? { type: "json" } : { type: "repeater", options: { fields } };
  }
  const { strings, values, counts, files } = items;
  if (files === values) {
    return {
      type: "repeater",
      options: { fields: [{ name: "file", type: "media", options: {} }] },
    };
  }
  const isTags = strings === values && counts !== null && counts.size <= TAGS &&
    [...counts.keys()].every((text) => text.trim() !== "" && text.length <= CHOICE_CHARS_MAX);
  if (isTags) return { type: "multi_select", options: { choices: [...counts.keys()] } };
  return { type: "json" };
}

function objectType({ inner }: FieldStats): FieldType {
  if (inner !== null && isEditorState(inner)) return { type: "rich_text", convert: "lexical" };
  if (inner !== null && isAsset(inner)) return { type: "media" };
  if (inner?.fields.has("_ref")) return { type: "reference" };
  const fields = inner === null ? null : nestedFields(inner);
  return fields === null ? { type: "json" } : { type: "group", options: { fields } };
}

/** Whether objects are editor states of Lexical. */
function isEditorState({ fields }: Shape): boolean {
  const root = fields.get("root");
  return fields.size === 1 && root?.inner?.fields.has("children") === true;
}

/** Whether objects are images or files of Sanity. */
function isAsset({ fields }: Shape): boolean {
  return fields.has("_sanityAsset") || fields.get("asset")?.inner?.fields.has("_ref") === true;
}

/** The fields of a group or repeater; null where they are too many. */
function nestedFields(shape: Shape): Json[] | null {
  if (shape.fields.size === 0 || shape.fields.size > NESTED_FIELDS_MAX) return null;
  const names = new Set<string>();
  const fields: Json[] = [];
  for (const [key, stats] of shape.fields) {
    const { type, options = {} } = inferType(stats, shape.rows);
    // What an object holds has no conversion of its own.
    const isPlain = type !== "rich_text" || stats.objects > 0 || stats.items !== null;
    fields.push({
      name: fieldName(key, names, true),
      type: isPlain ? type : "text",
      options: isPlain ? options as Json : { multiline: true },
    });
  }
  return fields;
}
