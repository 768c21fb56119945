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
import type { Condition } from "../../kv/index/query/condition.ts";
import type { SortKey } from "../../kv/index/query/list_query.ts";
import { REVERSE_PREFIX } from "../../kv/model/entities/document.ts";
import { Refusal } from "../../kv/refusals.ts";
import { type FieldTree, pathSteps } from "./field_path.ts";
import { INCLUDE_BLOCK_LEVELS_MAX, INCLUDE_STEPS_MAX } from "../input/limits.ts";
import { forTargets } from "./for_targets.ts";

/** Documents that refer to others: those of a collection by one of its fields. */
export interface ReverseField {
  collection: Collection;
  /** The reference field. */
  field: Collection["fields"][number];
}

/** Which of the documents an include keeps, and in which order. */
export interface IncludeSelection {
  /** Conditions by the slug of the collection; null for all documents. */
  where: ReadonlyMap<string, Condition> | null;
  /** Null for the order of the field, and for the newest of a reverse include first. */
  sort: SortKey[] | null;
  limit: number | null;
}

/** A value whose IDs are replaced, or that contains such values, with the includes inside it. */
export interface Include {
  name: string;
  /** Under which key documents keep it; rows and blocks have names. */
  key: string;
  /**
   * The kind of entity that the ids refer to: `rows` for a repeater or group, `blocks` for a list of blocks,
   * `block` for the blocks of one type in it, `reverse` for documents that refer to this one.
   */
  kind: "media" | "document" | "rows" | "blocks" | "block" | "reverse";
  /** Whether the value is a list of ids. */
  isList: boolean;
  /** Whether included documents say which collection they are of. */
  hasSeveralTargets: boolean;
  /** The includes inside rows and blocks. */
  inner: Include[];
  /** The includes inside documents, by the slug of the collections that the ids may belong to. */
  targets: ReadonlyMap<string, Include[]>;
  /** Null for all documents in their order. */
  selection: IncludeSelection | null;
  /** The keys of included documents and media; null for all. */
  fields: FieldTree | null;
  /** Null unless it is a reverse include. */
  reverse: ReverseField | null;
}

/** The collections and block definitions that includes can reach. */
export interface IncludeScope {
  /** A collection by its slug. */
  find: (slug: string) => Collection | undefined;
  /** Block definitions by name. */
  blocks: ReadonlyMap<string, BlockDefinition>;
  /** All collections that may be included; only descriptions list them. */
  collections?: readonly Collection[];
}

/**
 * The target of a path so far: the fields of a document, row or block, or the types of blocks in a
 * list. `open` holds the types of the enclosing blocks, `home` the collection of a document.
 */
type PathTarget =
  & { open: readonly string[]; home?: Collection }
  & (
    | { fields: readonly (NestedField & { key?: string })[] }
    | { types: readonly string[] }
  );

/** One step of a path: the place inside rows or blocks, or the collections that ids lead to. */
type Step =
  & Pick<Include, "name" | "key" | "kind" | "isList" | "hasSeveralTargets" | "reverse">
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

/** An include as it is asked for: its path, and what is done with the include that it leads to. */
export interface IncludeRequest {
  path: string;
  /** Levels of references that are open around it. */
  levels: number;
  /** Completes the include with its options. */
  complete?: (include: Include, levels: number) => void;
}

/** Adds includes to those of a collection's documents; paths with the same beginning share an include. */
export function addIncludes(
  requests: readonly IncludeRequest[],
  collection: Collection,
  roots: Include[],
  scope: IncludeScope,
): void {
  for (const request of requests) {
    const steps = pathSteps(request.path).slice(0, INCLUDE_STEPS_MAX + 1);
    addPath({ ...request, steps }, targetOf(collection), roots, scope);
  }
}

/** The rest of a path. */
interface PathRest extends IncludeRequest {
  steps: readonly string[];
}

function addPath(
  { steps: [name = "", ...rest], ...request }: PathRest,
  target: PathTarget,
  siblings: Include[],
  scope: IncludeScope,
): void {
  const { path, complete } = request;
  const step = stepOf(target, name, scope);
  if (step === null) throw invalid(path, name, target, scope);
  const levels = request.levels + (isReference(step) ? 1 : 0);
  if (levels > INCLUDE_LEVELS_MAX) {
    const about = `${
      path.slice(0, 100)
    } is nested too deeply: at most ${INCLUDE_LEVELS_MAX} levels are allowed`;
    throw new Refusal("INCLUDE_INVALID", { about });
  }
  if (rest.length === 0 && !isReference(step)) throw invalid(path, path, step.next, scope);
  const include = findOrAddInclude(step, siblings);
  const below = { ...request, levels, steps: rest };
  if (rest.length === 0) complete?.(include, levels);
  else if (!isReference(step)) addPath(below, step.next, include.inner, scope);
  else {
    forTargets(step.collections, invalid(path, rest[0]!, NOWHERE, scope), (collection) => {
      const own = include.targets.get(collection.slug) ?? [];
      addPath(below, targetOf(collection), own, scope);
    });
  }
}

/** The field by which documents of a collection lead to those of another; null if there is none. */
export function findReverse(
  name: string,
  home: Collection,
  { find }: Pick<IncludeScope, "find">,
): ReverseField | null {
  if (!name.startsWith(REVERSE_PREFIX)) return null;
  const [slug = "", fieldName = "", ...others] = name.slice(REVERSE_PREFIX.length).split(".");
  const collection = others.length > 0 ? undefined : find(slug);
  const field = collection?.fields.find((one) => one.name === fieldName);
  if (collection === undefined || field === undefined) return null;
  return mayLeadTo(field, home.slug) ? { collection, field } : null;
}

/** Whether references of a field may lead to documents of a collection. */
function mayLeadTo({ type, options }: NestedField, slug: string): boolean {
  if (fieldType(type).referenceTo !== "document") return false;
  const slugs = targetSlugs(options);
  return slugs.length === 0 || slugs.includes(slug);
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
    for (const name of pathSteps(path).slice(0, INCLUDE_STEPS_MAX)) {
      const steps = positions.map((position) => stepOf(position, name, scope))
        .filter((step) => step !== null);
      const targets = steps.flatMap(({ collections }) => collections);
      for (const target of targets) found.add(target);
      positions = [...steps.map(({ next }) => next), ...targets.map(targetOf)];
    }
  }
  return found;
}

/** The reverse includes of a collection's documents, by the fields of others that lead to them. */
export function reverseNames(
  { slug }: Pick<Collection, "slug">,
  collections: readonly Collection[],
): string[] {
  return collections.flatMap((collection) =>
    collection.fields.filter((field) => mayLeadTo(field, slug))
      .map(({ name }) => `${REVERSE_PREFIX}${collection.slug}.${name}`)
  );
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
  kind: Exclude<Include["kind"], "reverse">;
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

function targetOf(collection: Collection): PathTarget {
  return { fields: [...collection.fields, TREE], open: [], home: collection };
}

/** Whether an include is of documents or media, and not of what contains references. */
export function isReference({ kind }: Pick<Include, "kind">): boolean {
  return kind === "media" || kind === "document" || kind === "reverse";
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
  const reverse = place.home === undefined ? null : findReverse(name, place.home, { find });
  if (reverse !== null) {
    const { collection } = reverse;
    const kind = "reverse";
    return {
      ...PLAIN,
      name,
      key: name,
      kind,
      isList: true,
      collections: [collection],
      reverse,
      field: null,
      next: NOWHERE,
    };
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
      ...PLAIN,
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
const PLAIN = {
  isList: false,
  hasSeveralTargets: false,
  collections: [],
  reverse: null,
} as const;

function findOrAddInclude({ collections, ...step }: Step, siblings: Include[]): Include {
  const { name, key, kind, isList, hasSeveralTargets, reverse } = step;
  const known = siblings.find((one) => one.name === name);
  if (known !== undefined) return known;
  const targets = new Map(collections.map(({ slug }) => [slug, [] as Include[]]));
  const include: Include = {
    name,
    key,
    kind,
    isList,
    hasSeveralTargets,
    reverse,
    inner: [],
    targets,
    selection: null,
    fields: null,
  };
  siblings.push(include);
  return include;
}

function nodesIn(place: PathTarget, scope: IncludeScope): ReferenceNode[] {
  return namesIn(place).flatMap((name): ReferenceNode[] => {
    const step = stepOf(place, name, scope);
    if (step === null || step.kind === "reverse") return [];
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
