/**
 * `include`: the references that a path leads to, through repeaters, groups and blocks of a type, and through
 * what other references lead to.
 *
 * @module
 */
import { INCLUDE_LEVELS_MAX, INCLUDES_MAX } from "../../kv/limits/requests.ts";
import type { BlockDefinition, Collection } from "../../kv/model/entities/collection.ts";
import type { NestedField } from "../../kv/model/fields/field_definition.ts";
import { hasSeveralTargets, targetSlugs } from "../../kv/model/fields/reference_target.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";
import type { JsonObject } from "../../kv/model/values/json_object.ts";
import { Refusal } from "../../kv/refusals.ts";
import { INCLUDE_BLOCK_LEVELS_MAX, INCLUDE_STEPS_MAX } from "../input/limits.ts";

/** A value whose IDs are replaced, or that contains such values, with the includes inside it. */
export interface Include {
  name: string;
  /** Under which key documents keep it; rows and blocks have names. */
  key: string;
  /**
   * The kind of entity that the ids refer to: `rows` for a repeater or group, `blocks` for a list of blocks,
   * `block` for the blocks of one type in it.
   */
  kind: "media" | "document" | "rows" | "blocks" | "block";
  /** Whether the value is a list of ids. */
  isList: boolean;
  /** Whether included documents say which collection they are of. */
  hasSeveralTargets: boolean;
  /** The includes inside rows and blocks. */
  inner: Include[];
  /** The includes inside documents, by the slug of the collections that the ids may belong to. */
  targets: ReadonlyMap<string, Include[]>;
}

/** The collections and block definitions that includes can reach. */
export interface IncludeScope {
  /** A collection by its slug. */
  find: (slug: string) => Collection | undefined;
  /** Block definitions by name. */
  blocks: ReadonlyMap<string, BlockDefinition>;
}

/**
 * The target of a path so far: the fields of a document, row or block, or the types of blocks in a
 * list. `open` holds the types of the enclosing blocks.
 */
type PathTarget =
  & { open: readonly string[] }
  & (
    | { fields: readonly (NestedField & { key?: string })[] }
    | { types: readonly string[] }
  );

/** One step of a path: the place inside rows or blocks, or the collections that ids lead to. */
type Step =
  & Pick<Include, "name" | "key" | "kind" | "isList" | "hasSeveralTargets">
  & { field: NestedField | null; next: PathTarget; collections: readonly Collection[] };

/** The key of the block tree: no field has the name, and none is kept under it. */
export const TREE_KEY = "blocks";

const NOWHERE: PathTarget = { fields: [], open: [] };

const TREE: NestedField & { key: string } = {
  name: TREE_KEY,
  key: TREE_KEY,
  label: "Blocks",
  type: "block",
  required: false,
  help: "",
  options: {},
};

/** Parses paths; paths with the same beginning share an include. */
export function parseIncludes(
  paths: readonly string[],
  collection: Collection,
  scope: IncludeScope,
): Include[] {
  const roots: Include[] = [];
  if (new Set(paths).size > INCLUDES_MAX) {
    throw new Refusal("INCLUDE_INVALID", { about: `at most ${INCLUDES_MAX} includes are allowed` });
  }
  for (const path of paths) {
    const steps = path.split(".", INCLUDE_STEPS_MAX + 1);
    addPath({ path, steps, levels: 0 }, targetOf(collection), roots, scope);
  }
  return roots;
}

/** The rest of a path. */
interface PathRest {
  path: string;
  steps: readonly string[];
  /** Levels of references that are open. */
  levels: number;
}

function addPath(
  { path, steps: [name = "", ...rest], levels }: PathRest,
  target: PathTarget,
  siblings: Include[],
  scope: IncludeScope,
): void {
  const step = stepOf(target, name, scope);
  if (step === null) throw invalid(path, name, target, scope);
  const below = { path, steps: rest, levels: levels + (isReference(step) ? 1 : 0) };
  if (below.levels > INCLUDE_LEVELS_MAX) {
    const about = `${
      path.slice(0, 100)
    } is nested too deeply: at most ${INCLUDE_LEVELS_MAX} levels are allowed`;
    throw new Refusal("INCLUDE_INVALID", { about });
  }
  if (rest.length === 0 && !isReference(step)) throw invalid(path, path, step.next, scope);
  const include = findOrAddInclude(step, siblings);
  if (rest.length === 0) return;
  if (isReference(step)) addBelowTargets(below, step, include, scope);
  else addPath(below, step.next, include.inner, scope);
}

/** Adds a path to the collections of a reference that have it; refused if none has. */
function addBelowTargets(
  below: PathRest,
  { collections }: Step,
  { targets }: Include,
  scope: IncludeScope,
): void {
  const refusals: Refusal[] = [];
  for (const collection of collections) {
    try {
      addPath(below, targetOf(collection), targets.get(collection.slug)!, scope);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length < collections.length) return;
  throw refusals[0] ?? invalid(below.path, below.steps[0] ?? "", NOWHERE, scope);
}

/** The collections that paths lead to, as far as their names make sense. */
export function includedCollections(
  paths: readonly string[],
  collection: Collection,
  scope: IncludeScope,
): Set<Collection> {
  const found = new Set<Collection>();
  for (const path of paths.slice(0, INCLUDES_MAX)) {
    let positions = [targetOf(collection)];
    for (const name of path.split(".", INCLUDE_STEPS_MAX)) {
      const steps = positions.map((position) => stepOf(position, name, scope))
        .filter((step) => step !== null);
      const targets = steps.flatMap(({ collections }) => collections);
      for (const target of targets) found.add(target);
      positions = [...steps.map(({ next }) => next), ...targets.map(targetOf)];
    }
  }
  return found;
}

/** Paths to the references in documents of a collection, without nested references. */
export function referencePaths(
  collection: Collection,
  blocks: IncludeScope["blocks"],
): Generator<[path: string, field: NestedField]> {
  return pathsIn(targetOf(collection), { find: () => undefined, blocks });
}

/** A value that holds references, or is one: `rows` for a repeater or a group. */
export interface ReferenceNode {
  name: string;
  kind: Include["kind"];
  /** Null for a type of block. */
  field: NestedField | null;
  /** Values that contain references, without those of referenced documents. */
  inner: ReferenceNode[];
}

/** The references of a collection's documents, as a tree. */
export function referenceTree(
  collection: Collection,
  blocks: IncludeScope["blocks"],
): ReferenceNode[] {
  return nodesIn(targetOf(collection), { find: () => undefined, blocks });
}

/** The includes inside a block, out of those for the blocks of its list. */
export function blockIncludes({ type }: JsonObject, includes: readonly Include[]): Include[] {
  return includes.find(({ name }) => name === type)?.inner ?? [];
}

function targetOf({ fields }: Pick<Collection, "fields">): PathTarget {
  return { fields: [...fields, TREE], open: [] };
}

function isReference({ kind }: Pick<Include, "kind">): boolean {
  return kind === "media" || kind === "document";
}

/** The target of a name; null if it contains no references. */
function stepOf(place: PathTarget, name: string, { find, blocks }: IncludeScope): Step | null {
  const { open } = place;
  if ("types" in place) {
    const definition = place.types.includes(name) ? blocks.get(name) : undefined;
    if (definition === undefined || open.includes(name)) return null;
    if (open.length === INCLUDE_BLOCK_LEVELS_MAX) return null;
    const next: PathTarget = { fields: definition.fields, open: [...open, name] };
    return { ...PLAIN, name, key: name, kind: "block", field: null, next };
  }
  const field = place.fields.find((one) => one.name === name);
  if (field === undefined) return null;
  const { options, key = name } = field;
  const { referenceTo: kind, holds } = fieldType(field.type);
  if (kind !== null) {
    const isList = fieldType(field.type).kind === "array";
    const collections = targetSlugs(options).map(find).filter((one) => one !== undefined);
    const several = hasSeveralTargets(options);
    return {
      name,
      key,
      kind,
      isList,
      hasSeveralTargets: several,
      collections,
      field,
      next: NOWHERE,
    };
  }
  if (holds === "rows") {
    const next: PathTarget = { fields: options.fields ?? [], open };
    return { ...PLAIN, name, key, kind: "rows", field, next };
  }
  if (holds !== "blocks") return null;
  const next: PathTarget = { types: options.allowed ?? [...blocks.keys()], open };
  return { ...PLAIN, name, key, kind: "blocks", field, next };
}

/** A step that is no reference. */
const PLAIN = { isList: false, hasSeveralTargets: false, collections: [] } as const;

function findOrAddInclude({ collections, ...step }: Step, siblings: Include[]): Include {
  const { name, key, kind, isList, hasSeveralTargets } = step;
  const known = siblings.find((one) => one.name === name);
  if (known !== undefined) return known;
  const targets = new Map(collections.map(({ slug }) => [slug, [] as Include[]]));
  const include = { name, key, kind, isList, hasSeveralTargets, inner: [], targets };
  siblings.push(include);
  return include;
}

function nodesIn(place: PathTarget, scope: IncludeScope): ReferenceNode[] {
  return namesIn(place).flatMap((name): ReferenceNode[] => {
    const step = stepOf(place, name, scope);
    if (step === null) return [];
    const { kind, field } = step;
    const inner = isReference(step) ? [] : nodesIn(step.next, scope);
    return isReference(step) || inner.length > 0 ? [{ name, kind, field, inner }] : [];
  });
}

function namesIn(place: PathTarget): readonly string[] {
  return "types" in place ? place.types : place.fields.map(({ name }) => name);
}

function* pathsIn(
  place: PathTarget,
  scope: IncludeScope,
): Generator<[path: string, field: NestedField]> {
  for (const name of namesIn(place)) {
    const step = stepOf(place, name, scope);
    if (step === null) continue;
    if (isReference(step)) yield [name, step.field!];
    else for (const [path, field] of pathsIn(step.next, scope)) yield [`${name}.${path}`, field];
  }
}

function invalid(path: string, name: string, place: PathTarget, scope: IncludeScope): Refusal {
  const supported = [...pathsIn(place, scope).take(20)].map(([one]) => one);
  return new Refusal("INCLUDE_INVALID", {
    about:
      `${path.slice(0, 100)}: ${
        name.slice(0, 100) || "an empty name"
      } is not a reference field here; ` +
      `use one of: ${supported.join(", ") || "(none)"}`,
  });
}
