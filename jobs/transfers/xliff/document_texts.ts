/**
 * The texts of a document that translators work on, each with a path: `title`, `summary`, `body.{key of the block}`,
 * `faq.{key or position of the row}.question`. Whole values are walked, so that one walk finds texts and replaces them.
 *
 * @module
 */
import type { BlockDefinition, Collection } from "../../../kv/model/entities/collection.ts";
import { keyOf } from "../../../kv/model/entities/document_path.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { FieldTypeName, NestedField } from "../../../kv/model/fields/field_definition.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { type Inline, inlineOf, isTextBlock, plainText, withInline } from "./inline_text.ts";

/** Values by the names of localized fields, `title` and `blocks`. */
export type OwnValues = Readonly<Record<string, Json>>;

/** Texts by their paths. */
export type Texts = ReadonlyMap<string, readonly Inline[]>;

/** Decides on a text at a path: what replaces it, or null to leave it. */
type Change = (path: string, text: readonly Inline[]) => readonly Inline[] | null;

type Blocks = ReadonlyMap<string, BlockDefinition>;

/** The texts of values, without empty ones. */
export function textsOf(values: OwnValues, collection: Collection, blocks: Blocks): Texts {
  const texts = new Map<string, readonly Inline[]>();
  for (const name of Object.keys(values)) {
    withTexts(name, values[name] ?? null, collection, blocks, (path, text) => {
      if (plainText(text).trim() !== "") texts.set(path, text);
      return null;
    });
  }
  return texts;
}

/** The value of a field, `title` or `blocks` with other texts. */
export function withTexts(
  name: string,
  value: Json,
  { fields }: Collection,
  blocks: Blocks,
  change: Change,
): Json {
  if (name === "title") return withText(value, name, change);
  if (name === "blocks") return withBlocks(value, name, blocks, change);
  const field = fields.find((one) => one.name === name && one.localized);
  return field === undefined ? value : withField(value, field, name, blocks, change);
}

/** Walks a value of a field with nested definitions, whose blocks are of known types. */
type Walk = (
  value: Json,
  fields: readonly NestedField[],
  path: string,
  blocks: Blocks,
  change: Change,
) => Json;

/** Where values have texts, by the type of their field; null for types without. */
const WALKS: Readonly<Record<FieldTypeName, Walk | null>> = {
  text: (value, _fields, path, _blocks, change) => withText(value, path, change),
  rich_text: (value, _fields, path, _blocks, change) => withRichText(value, path, change),
  group: withRow,
  repeater: (value, fields, path, blocks, change) =>
    Array.isArray(value)
      ? value.map((row, at) => withRow(row, fields, partPath(path, row, at), blocks, change))
      : value,
  block: (value, _fields, path, blocks, change) => withBlocks(value, path, blocks, change),
  number: null,
  boolean: null,
  datetime: null,
  select: null,
  multi_select: null,
  media: null,
  reference: null,
  references: null,
  json: null,
  url: null,
  email: null,
};

function withField(
  value: Json,
  { type, options: { fields = [] } }: NestedField,
  path: string,
  blocks: Blocks,
  change: Change,
): Json {
  return WALKS[type]?.(value, fields, path, blocks, change) ?? value;
}

function withRichText(value: Json, path: string, change: Change): Json {
  if (!Array.isArray(value)) return value;
  return value.map((block, at) => {
    const text = isTextBlock(block) ? change(partPath(path, block, at), inlineOf(block)) : null;
    return isTextBlock(block) && text !== null ? withInline(block, text) : block;
  });
}

function withText(value: Json, path: string, change: Change): Json {
  const text = typeof value === "string" ? change(path, [value]) : null;
  return text === null ? value : plainText(text);
}

/** An object of nested fields. */
function withRow(
  value: Json,
  fields: readonly NestedField[],
  path: string,
  blocks: Blocks,
  change: Change,
): Json {
  if (!isJsonObject(value)) return value;
  const next = { ...value };
  for (const field of fields) {
    const own = value[field.name];
    if (own === undefined) continue;
    next[field.name] = withField(own, field, `${path}.${field.name}`, blocks, change);
  }
  return next;
}

function withBlocks(value: Json, path: string, blocks: Blocks, change: Change): Json {
  if (!Array.isArray(value)) return value;
  return value.map((block, at) => {
    const { type, data = null } = isJsonObject(block) ? block : {};
    const definition = typeof type === "string" ? blocks.get(type) : undefined;
    if (!isJsonObject(block) || definition === undefined) return block;
    const place = partPath(path, block, at);
    return { ...block, data: withRow(data, definition.fields, place, blocks, change) };
  });
}

function partPath(path: string, part: Json, position: number): string {
  return `${path}.${keyOf(part) ?? position}`;
}
