/**
 * The schema as files: one for each collection and block definition, with ids, in a fixed order of keys,
 * without times.
 *
 * @module
 */
import type { BlockDefinition, Collection, Schema } from "../../model/entities/collection.ts";
import type { Json } from "../../model/entities/entity.ts";
import type { FieldDefinition } from "../../model/fields/field_definition.ts";
import type { FieldInput } from "../../model/fields/field_input.ts";
import { type BlockInput, parseBlock } from "../../model/input/block_input.ts";
import { type CollectionInput, parseCollection } from "../../model/input/collection_input.ts";
import { everyTarget } from "../../model/fields/reference_target.ts";
import { below } from "../../model/input/zod_details.ts";
import { sortedByKey } from "../../model/primitives/sorted_by_key.ts";
import { isJsonObject, type JsonObject } from "../../model/values/json_object.ts";
import { sha256 } from "../../model/values/sha256.ts";
import { isUlid } from "../../model/values/ulid.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import { markedField } from "../fields.ts";

/** Files by their paths: `collections/posts.json`. */
export type SchemaFiles = { [path: string]: Json };

const COLLECTION_FILE = /^collections\/([^/]+)\.json$/;
/** The message about a definition that files have more than once. */
const DEFINED_TWICE = "Is defined twice";
const BLOCK_FILE = /^blocks\/([^/]+)\.json$/;

/** The files of a schema. */
export function schemaFiles({ collections, blocks }: Pick<Schema, "collections" | "blocks">) {
  const files: SchemaFiles = {};
  for (const collection of collections) {
    files[`collections/${collection.slug}.json`] = collectionFile(collection);
  }
  const byName = [...blocks.values()].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const block of byName) files[`blocks/${block.name}.json`] = blockFile(block);
  return files;
}

/** The tag of a schema: equal tags, equal files. */
export function schemaTag(schema: Pick<Schema, "collections" | "blocks">): string {
  return tagOf(schemaFiles(schema));
}

/** The tag of the schema whose files these are. */
export function tagOf(files: SchemaFiles): string {
  return sha256(JSON.stringify(files)).slice(0, 32);
}

/** The ids of all collections that files name. */
export function collectionIdsIn(files: SchemaFiles): string[] {
  return collectionBodies(files).flatMap(idIn);
}

/** The ids of all fields of collections that files name. */
export function fieldIdsIn(files: SchemaFiles): string[] {
  return collectionBodies(files).flatMap(fieldBodies).flatMap(idIn);
}

function collectionBodies(files: SchemaFiles): JsonObject[] {
  return Object.entries(files).flatMap(([path, body]) =>
    COLLECTION_FILE.test(path) && isJsonObject(body) ? [body] : []
  );
}

function idIn(body: Json): string[] {
  return isJsonObject(body) && isUlid(body.id) ? [body.id] : [];
}

/** Files with an id for each collection that has none, and for its fields: those of collections that are new. */
export function withNewIds(files: SchemaFiles, created: ReadonlySet<string>, newId: () => string) {
  const withId = (body: JsonObject) => ({ id: newId(), ...body });
  return Object.fromEntries(
    Object.entries(files).map(([path, body]) => {
      if (!created.has(path) || !isJsonObject(body)) return [path, body];
      const fields = fieldBodies(body).map((field) => isJsonObject(field) ? withId(field) : field);
      return [path, { ...withId(body), fields }];
    }),
  );
}

function fieldBodies({ fields }: JsonObject): readonly Json[] {
  return Array.isArray(fields) ? fields : [];
}

function collectionFile(collection: Collection): Json {
  const { id, slug, name, description, exposed, fields, ...rest } = collection;
  const { createdAt: _created, updatedAt: _updated, ...marks } = rest;
  return {
    id,
    slug,
    name,
    description,
    exposed,
    ...sorted(marks),
    fields: fields.map(fieldFile),
  };
}

/** The attributes of a field that files define, without those that are not set. */
export function attributesOf(field: FieldInput | FieldDefinition) {
  const { name, label, type, required, unique, indexed, sortable, help, options } = field;
  const { localized, labels } = field;
  const own = { name, label, type, required, unique, indexed, sortable, help, options };
  return markedField({
    ...own,
    ...(localized !== undefined && { localized }),
    ...(labels !== undefined && { labels }),
  });
}

function fieldFile(field: FieldDefinition): Json {
  const { options, ...attributes } = attributesOf(field);
  return { id: field.id, ...attributes, options: sorted(options) };
}

function blockFile({ id, name, label, fields, ...rest }: BlockDefinition): Json {
  const { createdAt: _created, updatedAt: _updated, ...marks } = rest;
  return { id, name, label, ...sorted(marks), fields };
}

/** A definition as JSON, with its keys in order. */
function sorted(object: object): JsonObject {
  return sortedByKey(object as JsonObject);
}

/** A collection as a file defines it. */
export interface CollectionFile {
  path: string;
  id: string | undefined;
  input: CollectionInput;
  /** In the order of the fields. */
  fieldIds: (string | undefined)[];
}

/** A block definition as a file defines it. */
export interface BlockFile {
  path: string;
  id: string | undefined;
  input: BlockInput;
}

/** The definitions of files. */
export interface FileDefinitions {
  collections: CollectionFile[];
  blocks: BlockFile[];
}

/** Parses files; all that is wrong with them is refused together, by path. */
export function parseSchemaFiles(files: SchemaFiles): FileDefinitions {
  const details: Detail[] = [];
  const definitions: FileDefinitions = { collections: [], blocks: [] };
  const within = (path: string, parse: () => void) => {
    try {
      parse();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const own = error.facts.details ?? [
        { field: "", code: "INVALID_TYPE" as const, message: error.message },
      ];
      details.push(...own.map((detail) => below(path, detail)));
    }
  };
  for (const [path, body] of Object.entries(files)) {
    const isCollection = COLLECTION_FILE.test(path);
    if (!isCollection && !BLOCK_FILE.test(path)) continue;
    within(path, () => {
      if (!isJsonObject(body)) throw new Refusal("BODY_INVALID");
      const id = idOf(body, "id");
      if (isCollection) definitions.collections.push(readCollection(path, id, body));
      else definitions.blocks.push({ path, id, input: parseBlock(body) });
    });
  }
  details.push(
    ...twice(
      definitions.collections.map(({ path, id, input }) => ({ path, id, name: input.slug })),
    ),
    ...twice(definitions.blocks.map(({ path, id, input }) => ({ path, id, name: input.name }))),
    ...fieldsTwice(definitions.collections),
    ...unknownTargets(definitions),
  );
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return definitions;
}

function readCollection(path: string, id: string | undefined, body: JsonObject): CollectionFile {
  const fieldIds = fieldBodies(body).map((field, at) =>
    isJsonObject(field) ? idOf(field, `fields.${at}.id`) : undefined
  );
  return { path, id, input: parseCollection(body), fieldIds };
}

function idOf({ id }: JsonObject, field: string): string | undefined {
  if (id === undefined) return undefined;
  if (isUlid(id)) return id;
  const detail = { field, code: "INVALID_REFERENCE" as const, message: "Not an id" };
  throw new Refusal("VALIDATION_FAILED", { details: [detail] });
}

/** Files that define the same thing. */
function twice(files: { path: string; id: string | undefined; name: string }[]): Detail[] {
  const seen = new Set<string>();
  return files.flatMap(({ path, id, name }) => {
    const keys = [`name ${name}`, ...(id === undefined ? [] : [`id ${id}`])];
    const isTwice = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    if (!isTwice) return [];
    return [{ field: path, code: "NOT_UNIQUE" as const, message: DEFINED_TWICE }];
  });
}

/** Fields whose id another field of the files has. */
function fieldsTwice(collections: readonly CollectionFile[]): Detail[] {
  const seen = new Set<string>();
  return collections.flatMap(({ path, fieldIds }) =>
    fieldIds.flatMap((id, at): Detail[] => {
      if (id === undefined) return [];
      if (!seen.has(id)) {
        seen.add(id);
        return [];
      }
      return [{ field: `${path}.fields.${at}.id`, code: "NOT_UNIQUE", message: DEFINED_TWICE }];
    })
  );
}

/** References between files: the collections that fields lead to, at any depth. */
function unknownTargets({ collections, blocks }: FileDefinitions): Detail[] {
  const known = new Set(collections.map(({ input }) => input.slug));
  return [...collections, ...blocks].flatMap(({ path, input: { fields } }) =>
    fields.flatMap((field, at) =>
      everyTarget(field).filter(({ slug }) => !known.has(slug)).map((target): Detail => ({
        field: `${path}.fields.${at}.${target.path}`,
        code: "INVALID_REFERENCE",
        message: `No such collection: ${target.slug}`,
      }))
    )
  );
}
