/**
 * `fields`: which keys a response has, of documents, of the groups, rows and blocks in them, and of included
 * documents and media.
 *
 * @module
 */
import type { BlockDefinition, Collection } from "../../kv/model/entities/collection.ts";
import { PARTIAL_KEY } from "../../kv/model/entities/document.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { NestedField } from "../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import { Refusal } from "../../kv/refusals.ts";
import { FIELD_PATH_LEVELS_MAX, FIELD_PATHS_MAX } from "../input/limits.ts";
import { type FieldTree, pathSteps } from "./field_path.ts";
import { type Include, TREE_KEY } from "./include.ts";

/** The names that paths can have. */
export interface FieldNames {
  /** Keys of documents in addition to their fields. */
  keys: readonly string[];
  /** Keys of media. */
  mediumKeys: readonly string[];
  /** Block definitions by name. */
  blocks: ReadonlyMap<string, BlockDefinition>;
  find: (slug: string) => Collection | undefined;
}

/** A place that names stand in: what has its names as keys, and the includes there. */
type Place =
  & { includes: readonly Include[] }
  & (
    | { kind: "document"; collection: Collection }
    | { kind: "medium" }
    | { kind: "rows"; fields: readonly NestedField[] }
    | { kind: "blocks"; types: readonly string[] }
  );

/** Keys that no `fields` leaves out. */
const ALWAYS: ReadonlySet<string> = new Set(["id", "_collection", "_counts", PARTIAL_KEY]);

/** The keys that some paths name in documents of a collection; null if no paths are given. */
export function parseFieldTree(
  paths: readonly string[] | undefined,
  collections: readonly { collection: Collection; includes: readonly Include[] }[],
  names: FieldNames,
): FieldTree | null {
  if (paths === undefined) return null;
  if (paths.length > FIELD_PATHS_MAX) {
    throw new Refusal("FIELD_INVALID", { about: `at most ${FIELD_PATHS_MAX} names are allowed` });
  }
  const root: FieldTree = { kind: "document", keys: new Map([["id", null]]) };
  const places = collections.map((one): Place => ({ kind: "document", ...one }));
  for (const path of paths) addPath(path, root, places, names);
  return root;
}

function addPath(
  path: string,
  root: FieldTree,
  roots: readonly Place[],
  names: FieldNames,
): void {
  const steps = pathSteps(path);
  if (steps.length > FIELD_PATH_LEVELS_MAX) {
    const about = `${path.slice(0, 100)}: at most ${FIELD_PATH_LEVELS_MAX} levels are allowed`;
    throw new Refusal("FIELD_INVALID", { about });
  }
  let places = roots;
  // Null once a shorter path has named all of the value.
  let tree: FieldTree | null = root;
  for (const [at, name] of steps.entries()) {
    const isLast = at === steps.length - 1;
    if (!places.some((place) => hasName(place, name, names))) throw unknown(path);
    places = places.flatMap((place) => placesIn(place, name, names));
    if (!isLast && places.length === 0) throw unknown(path);
    tree = isLast ? wholeKey(tree, name) : innerTree(tree, name, places);
  }
}

function unknown(path: string): Refusal {
  return new Refusal("FIELD_INVALID", { about: path.slice(0, 200) || "an empty name" });
}

function wholeKey(tree: FieldTree | null, name: string): null {
  tree?.keys.set(name, null);
  return null;
}

function innerTree(
  tree: FieldTree | null,
  name: string,
  places: readonly Place[],
): FieldTree | null {
  const known = tree?.keys.get(name);
  if (tree === null || known === null) return null;
  if (known !== undefined) return known;
  const kind = places[0]?.kind ?? "rows";
  const inner: FieldTree = { kind: kind === "medium" ? "document" : kind, keys: new Map() };
  tree.keys.set(name, inner);
  return inner;
}

function hasName(place: Place, name: string, { keys, mediumKeys }: FieldNames): boolean {
  switch (place.kind) {
    case "document":
      return keys.includes(name) || place.includes.some((include) => include.name === name) ||
        place.collection.fields.some((field) => field.name === name);
    case "medium":
      return mediumKeys.includes(name);
    case "rows":
      return place.fields.some((field) => field.name === name);
    case "blocks":
      return place.types.includes(name);
  }
}

/** The places that a name leads to; none if its value has no keys that can be named. */
function placesIn(place: Place, name: string, names: FieldNames): Place[] {
  const { blocks, find } = names;
  const include = place.includes.find((one) => one.name === name);
  if (include !== undefined && (include.kind === "document" || include.kind === "reverse")) {
    return [...include.targets].flatMap(([slug, includes]): Place[] => {
      const collection = find(slug);
      return collection === undefined ? [] : [{ kind: "document", collection, includes }];
    });
  }
  if (include?.kind === "media") return [{ kind: "medium", includes: [] }];
  const includes = include?.inner ?? [];
  if (place.kind === "blocks") {
    const fields = blocks.get(name)?.fields;
    return fields === undefined ? [] : [{ kind: "rows", fields, includes }];
  }
  if (place.kind === "medium") return [];
  if (place.kind === "document" && name === TREE_KEY) {
    return [{ kind: "blocks", types: [...blocks.keys()], includes }];
  }
  const fields = place.kind === "document" ? place.collection.fields : place.fields;
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return [];
  const { holds } = fieldType(field.type);
  const { options } = field;
  if (holds === "rows") return [{ kind: "rows", fields: options.fields ?? [], includes }];
  if (holds !== "blocks") return [];
  return [{ kind: "blocks", types: options.allowed ?? [...blocks.keys()], includes }];
}

/** Adds the keys that includes bring. */
export function bringIncludes(tree: FieldTree, includes: readonly Include[]): void {
  for (const { name, inner, targets } of includes) {
    const known = tree.keys.get(name);
    if (known === undefined) tree.keys.set(name, null);
    else if (known !== null) {
      bringIncludes(known, inner);
      for (const below of targets.values()) bringIncludes(known, below);
    }
  }
}

/** A value without the keys that a tree does not name. */
export function narrowed(value: Json, tree: FieldTree | null | undefined): Json {
  if (tree === null || tree === undefined) return value;
  if (Array.isArray(value)) return value.map((one) => narrowed(one, tree));
  if (!isJsonObject(value)) return value;
  const { kind, keys } = tree;
  if (kind === "blocks") return narrowedBlock(value, keys);
  const isKept = (key: string) => keys.has(key) || (kind === "document" && ALWAYS.has(key));
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => isKept(key))
      .map(([key, inner]) => [key, narrowed(inner, keys.get(key))]),
  );
}

/** Of blocks of other types only what they are stays. */
function narrowedBlock(block: { [key: string]: Json }, keys: FieldTree["keys"]): Json {
  const { type = null, id = null, data = null } = block;
  const tree = keys.get(String(type));
  return tree === undefined ? { type, id } : { ...block, data: narrowed(data, tree) };
}
