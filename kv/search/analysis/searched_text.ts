/**
 * The texts by which search finds a document: its title, and every text in its fields, however deep it is
 * nested. Each text has a path in the definitions, so that a posting says which of its texts belong
 * to definitions that are gone.
 *
 * @module
 */
import type { BlockDefinition, Collection, Schema } from "../../model/entities/collection.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import type { Json } from "../../model/entities/entity.ts";
import type { NestedField } from "../../model/fields/field_definition.ts";
import { FIELD_TYPES } from "../../model/fields/types/registry.ts";
import { blockPath } from "../../model/values/nested_values.ts";
import { asidesText, headingsOf } from "../../model/values/portable_text.ts";

/** The texts of a document that search indexes. */
export interface Searchable {
  title: string;
  /** One text per value. */
  texts: string[];
  /** The text of all rich texts: {@linkcode prose}, and behind it {@linkcode asides}. */
  rich: string;
  prose: string;
  /** The text of code, tables and callouts. */
  asides: string;
  /** The headings in them, which are indexed a second time: a word in a heading weighs two. */
  headings: string[];
  /** Of which definitions the texts are, each once. */
  paths: string[];
}

type Blocks = ReadonlyMap<string, BlockDefinition>;

const NO_BLOCKS: Blocks = new Map();
/** A field that represents the block tree of a document. */
const BLOCK_TREE: NestedField = {
  name: "blocks",
  label: "",
  type: "block",
  required: false,
  help: "",
  options: {},
};

/** Title and texts of a document; of blocks without a definition nothing is known. */
export function searchable(
  collection: Collection,
  state: DocumentState,
  blocks: Blocks = NO_BLOCKS,
): Searchable {
  const texts: string[] = [];
  const prose: string[] = [];
  const asides: string[] = [];
  const headings: string[] = [];
  const paths = new Set<string>();
  const visit = (path: string, field: NestedField, value: Json | undefined) => {
    if (value === undefined || value === null) return;
    const type = FIELD_TYPES[field.type];
    const text = type.searchText(value);
    const aside = type.richText ? asidesText(value, (name) => blocks.has(name)) : "";
    if (text !== "") (type.richText ? prose : texts).push(text);
    if (aside !== "") asides.push(aside);
    if (type.richText) headings.push(...headingsOf(value));
    if (text !== "" || aside !== "") paths.add(leafPath(path, field));
    for (const inner of type.nested?.(value, field, { path, blocks }) ?? []) {
      visit(inner.path, inner.field, inner.value);
    }
  };
  for (const field of collection.fields) visit(field.key, field, state.data[field.key]);
  if (state.blocks.length > 0) visit(BLOCK_TREE.name, BLOCK_TREE, state.blocks);
  return {
    title: state.title,
    texts,
    rich: [...prose, ...asides].join("\n"),
    prose: prose.join("\n"),
    asides: asides.join("\n"),
    headings,
    paths: [...paths],
  };
}

/** The paths that texts of a collection's documents can have. */
function searchedPaths(collection: Collection, blocks: Blocks): ReadonlySet<string> {
  const paths = new Set<string>();
  const add = (path: string, field: NestedField) => {
    paths.add(leafPath(path, field));
    for (const one of field.options.fields ?? []) add(`${path}.${one.name}`, one);
  };
  for (const field of collection.fields) add(field.key, field);
  for (const { name, fields } of blocks.values()) {
    for (const field of fields) add(blockPath(name, field.name), field);
  }
  return paths;
}

const known = new WeakMap<Schema, Map<string, ReadonlySet<string>>>();

/** The same for a collection of a schema, made once; null when there is no such collection. */
export function visiblePaths(schema: Schema, collectionId: string): ReadonlySet<string> | null {
  let byId = known.get(schema);
  if (byId === undefined) known.set(schema, byId = new Map());
  let paths = byId.get(collectionId);
  if (paths === undefined) {
    const collection = schema.byId.get(collectionId);
    if (collection === undefined) return null;
    byId.set(collectionId, paths = searchedPaths(collection, schema.blocks));
  }
  return paths;
}

/** A field that becomes another type does not keep its path. */
function leafPath(path: string, { type }: NestedField): string {
  return `${path}:${type}`;
}
