/**
 * The site's documents as a self-contained TypeScript module: their types, and a small client.
 *
 * @module
 */
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { columnFields } from "../../../kv/model/fields/indexed_fields.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { itemLists } from "../../query/item_filter.ts";
import { filterSchema, isDemanded, isFilterable } from "../openapi/field_schema.ts";
import { type CollectionNames, collectionNames, namesOf } from "../openapi/names.ts";
import { sortableNames } from "../openapi/parameters.ts";
import {
  facetKinds,
  filterMember,
  itemsMember,
  QUERY_TYPES,
  referenceTargets,
  reversedTargets,
} from "./types_query.ts";
import { BLOCK_TYPES } from "./types_blocks.ts";
import { DEFINITION_SOURCE } from "./types_definitions.ts";
import { languageTypes, NO_LANGUAGE_TYPES } from "./types_languages.ts";
import { PROGRAM_SOURCE } from "./types_programs.ts";
import { typeOf, union } from "./types_value.ts";
import { CLIENT_SOURCE } from "./types_client.ts";
import { INCLUDE_TYPES } from "./types_includes.ts";
import { MEDIA_CLIENT_SOURCE } from "./types_media_client.ts";
import { REQUEST_SOURCE, SHARED_TYPES } from "./types_source.ts";

/** The module's text. */
export function typesModule(schema: Schema, origin: string): string {
  const exposed = schema.collections.filter((collection) => collection.exposed);
  const names = collectionNames(exposed);
  const parts = [
    `// Documents of ${origin} and a client for them, at schema ${schema.stamp ?? "0"}.`,
    SHARED_TYPES,
    QUERY_TYPES,
    INCLUDE_TYPES,
    ...exposed.map((collection) => collectionTypes(collection, names, schema.blocks)),
    catalogue(exposed, names, schema.blocks),
    blockCatalogue(schema.blocks),
    BLOCK_TYPES,
    schema.languages ? languageTypes(schema.languages) : NO_LANGUAGE_TYPES,
    REQUEST_SOURCE,
    CLIENT_SOURCE,
    MEDIA_CLIENT_SOURCE,
    PROGRAM_SOURCE,
    DEFINITION_SOURCE,
  ];
  return parts.join("\n\n") + "\n";
}

/** The collections by slug, for the client's types. */
function catalogue(
  collections: Collection[],
  names: Map<string, CollectionNames>,
  blocks: Schema["blocks"],
): string {
  const entries = collections.map((collection) => {
    const { slug } = collection;
    const { one } = namesOf(names, slug);
    const references = referenceTargets(collection, blocks, (target) => names.has(target));
    return block(`  ${JSON.stringify(slug)}:`, [
      `    document: ${one};`,
      `    create: ${one}Create;`,
      `    patch: ${one}Patch;`,
      `    sort: ${one}SortField;`,
      `    filter: ${one}Filter;`,
      `    references: ${references};`,
      `    reversed: ${reversedTargets(collection, collections)};`,
      `    facets: ${facetKinds(collection)};`,
    ], "  ");
  });
  return block("/** The collections by slug. */\nexport interface Collections", entries);
}

/** The values of blocks by their types, as they are read and written. */
function blockCatalogue(blocks: Schema["blocks"]): string {
  const entries = (use: ValueUse) =>
    [...blocks.values()].map(({ name, fields }) =>
      `  ${JSON.stringify(name)}: ${objectOfFields(fields, use, blocks)};`
    );
  return [
    block(
      "/** The values of blocks by their types. */\nexport interface BlockValues",
      entries("read"),
    ),
    block(
      "/** The same, as they are written. */\nexport interface BlockInputs",
      entries("written"),
    ),
  ].join("\n\n");
}

function collectionTypes(
  collection: Collection,
  names: Map<string, CollectionNames>,
  blocks: Schema["blocks"],
): string {
  const { name, slug, description, fields } = collection;
  const { one } = namesOf(names, slug);
  const about = comment(description === "" ? name : `${name}: ${description}`, "");
  const read = fields.map((field) =>
    property(field, `${field.name}: ${valueType(field, "read", blocks)} | null`)
  );
  const written = (creating: boolean) =>
    fields.map((field) => {
      const note = isDemanded(field) ? " Required to publish." : "";
      const type = `${field.name}?: ${valueType(field, "written", blocks)} | null | undefined`;
      return property(field, type, creating ? note : "");
    });
  const filterOf = (target: string) =>
    names.has(target) ? `${namesOf(names, target).one}Filter` : undefined;
  const membersOf = (of: Collection) =>
    columnFields(of).filter(isFilterable).flatMap((field) =>
      filterMember(field, typeOf(filterSchema(field)), filterOf) ?? []
    );
  const filters = [
    ...membersOf(collection),
    ...itemLists(collection, blocks).map(({ name, items }) => itemsMember(name, membersOf(items))),
  ];
  return [
    block(`${about}export interface ${one} extends Framing`, read),
    block(`${about}export interface ${one}Create extends CreateFraming`, written(true)),
    block(`${about}export interface ${one}Patch extends PatchFraming`, written(false)),
    `export type ${one}SortField = ${union(sortableNames(collection))};`,
    block(
      `export interface ${one}Filter extends FramingFilter, LogicalFilter<${one}Filter>`,
      filters,
    ),
  ].join("\n\n");
}

function property(field: NestedField, text: string, note = ""): string {
  return `${comment((field.help || field.label) + note, "  ")}  ${text};`;
}

function block(head: string, lines: string[], indent = ""): string {
  return lines.length === 0 ? `${head} {}` : `${head} {\n${lines.join("\n")}\n${indent}}`;
}

/** A comment that its text cannot end. */
function comment(text: string, indent: string): string {
  const line = text.replaceAll("*/", "*\u200b/").replace(/\s+/g, " ").trim();
  return line === "" ? "" : `${indent}/** ${line} */\n`;
}

/** Whether a type is that of values that are read or written. */
type ValueUse = "read" | "written";

/** The type of a value; nested fields are spelled out where the definition knows them. */
function valueType(field: NestedField, use: ValueUse, blocks: Schema["blocks"]): string {
  const { wire, holds, richText } = fieldType(field.type);
  if (richText) return use === "read" ? "RichTextBlock[]" : "PortableTextBlock[]";
  if (holds === "blocks") return blocksType(field, use, blocks);
  const schema = wire(field);
  const { fields } = field.options;
  if (fields === undefined) return typeOf(schema);
  const object = objectOfFields(fields, use, blocks);
  return schema.type === "array" ? `(${object})[]` : object;
}

/** A list of blocks of the types that the field allows. */
function blocksType(field: NestedField, use: ValueUse, blocks: Schema["blocks"]): string {
  const allowed = [...field.options.allowed ?? blocks.keys()].filter((name) => blocks.has(name));
  if (allowed.length === 0) return "Block[]";
  return `${use === "read" ? "BlockOf" : "BlockInput"}<${union(allowed)}>[]`;
}

function objectOfFields(
  fields: readonly NestedField[],
  use: ValueUse,
  blocks: Schema["blocks"],
): string {
  const nested = fields.map((inner) =>
    `${inner.name}?: ${valueType(inner, use, blocks)} | null${
      use === "written" ? " | undefined" : ""
    }`
  );
  return nested.length === 0 ? "Record<string, Json>" : `{ ${nested.join("; ")} }`;
}
