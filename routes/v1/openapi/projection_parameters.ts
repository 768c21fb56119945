/**
 * The parameters that shape documents: which keys they have, what they include, and what is counted.
 *
 * @module
 */
import { INCLUDE_LEVELS_MAX, INCLUDES_MAX } from "../../../kv/limits/requests.ts";
import { type Collection, languagesOf } from "../../../kv/model/entities/collection.ts";
import { LANGUAGE_KEYS } from "../../../kv/model/languages/seen_language.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { JsonSchema } from "../../../kv/model/fields/field_type.ts";
import { targetSlugs } from "../../../kv/model/fields/reference_target.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import {
  COUNTS_MAX,
  FIELD_PATH_LEVELS_MAX,
  FIELD_PATHS_MAX,
  INCLUDE_PATHS_MAX,
  INCLUDE_STEPS_MAX,
} from "../../input/limits.ts";
import { type IncludeScope, referencePaths, reverseNames } from "../../query/include.ts";
import { DOCUMENT_KEYS } from "../../query/projection.ts";
import type { Part } from "./answers.ts";

/** Paths of an `include` that its description names. */
const INCLUDE_PATHS_SHOWN = 20;

/** Paths that `include` accepts: reference fields, and nested references after a dot. */
function* includePaths(
  collection: Collection,
  scope: IncludeScope,
  levels = INCLUDE_LEVELS_MAX,
): Generator<string> {
  for (const [path, { options }] of referencePaths(collection, scope.blocks)) {
    yield path;
    if (levels === 1) continue;
    const inner = new Set<string>();
    for (const target of targetSlugs(options).map(scope.find).filter((one) => one !== undefined)) {
      for (const below of includePaths(target, scope, levels - 1)) {
        if (!inner.has(below)) yield `${path}.${below}`;
        inner.add(below);
      }
    }
  }
}

/** One value of `include`. */
function includeSchema(
  collection: Collection,
  scope: IncludeScope,
  reverse: readonly string[],
): JsonSchema {
  const paths = [...includePaths(collection, scope).take(INCLUDE_PATHS_MAX + 1), ...reverse];
  if (paths.length <= INCLUDE_PATHS_MAX) return { type: "string", enum: paths };
  // Too many to list: the collection's own paths, followed by anything.
  const own = [...includePaths(collection, scope, 1).take(INCLUDE_PATHS_MAX + 1)];
  const first = [...own, ...reverse];
  const more = `(?:\\.[^.]+){0,${INCLUDE_STEPS_MAX - 1}}`;
  const begins = first.length > INCLUDE_PATHS_MAX
    ? "[^.]+"
    : first.join("|").replaceAll(".", "\\.");
  return { type: "string", pattern: `^(?:${begins})${more}$` };
}

/** The keys that `fields` accepts. */
function fieldNames(collection: Collection): string[] {
  const languages = languagesOf(collection) === undefined ? [] : LANGUAGE_KEYS;
  return [...DOCUMENT_KEYS, ...languages, ...collection.fields.map((field) => field.name)];
}

/** Keys inside of groups, rows and blocks that `fields` accepts, as many as a description lists. */
function innerFieldNames(collection: Collection, { blocks }: IncludeScope): string[] {
  const names: string[] = [];
  const add = (fields: readonly NestedField[], path: string, levels: number) => {
    for (const { name, type, options } of fields) {
      const inner = `${path}${name}`;
      if (path !== "") names.push(inner);
      if (levels < FIELD_PATH_LEVELS_MAX) add(options.fields ?? [], `${inner}.`, levels + 1);
      if (fieldType(type).holds !== "blocks" || levels + 1 >= FIELD_PATH_LEVELS_MAX) continue;
      for (const block of options.allowed ?? [...blocks.keys()]) {
        const definition = blocks.get(block);
        if (definition === undefined) continue;
        names.push(`${inner}.${block}`);
        for (const field of definition.fields) names.push(`${inner}.${block}.${field.name}`);
      }
    }
  };
  add(collection.fields, "", 1);
  return [...new Set(names)].slice(0, INCLUDE_PATHS_MAX);
}

/** The fields that `counts` accepts. */
function countedNames({ fields }: Collection): string[] {
  return fields.filter(({ type }) => fieldType(type).referenceTo === "document")
    .map(({ name }) => name);
}

/** The query parameters of a single read, which lists have too. */
export function readParameters(
  collection: Collection,
  scope: IncludeScope,
  more: readonly string[] = [],
): Part[] {
  const reverse = reverseNames(collection, scope.collections ?? []);
  const own = [...includePaths(collection, scope, 1).take(INCLUDE_PATHS_SHOWN)];
  const includable = [...own, ...reverse].slice(0, INCLUDE_PATHS_SHOWN);
  const counted = [...countedNames(collection), ...reverse];
  const names = [...fieldNames(collection), ...innerFieldNames(collection, scope), ...more];
  return [
    namesParameter("fields", names, {
      description: "Return only these fields, plus `id`. Keys of included documents and media " +
        "follow after a dot: `author.name`.",
      maxItems: FIELD_PATHS_MAX,
    }),
    ...(counted.length === 0 ? [] : [namesParameter("counts", counted, {
      description:
        "Return how many documents it refers to by these fields, or is referred to by, " +
        "as `_counts`.",
      maxItems: COUNTS_MAX,
    })]),
    ...(includable.length === 0 ? [] : [{
      name: "include",
      in: "query",
      description:
        `References to replace with their documents or media: ${
          includable.join(", ")
        }. Follow nested references with a dot. As a JSON object, each path can have \`filter\`, ` +
        "`sort`, `limit`, `fields` and `include`: see the Querying guide.",
      style: "form",
      explode: false,
      schema: {
        type: "array",
        minItems: 1,
        maxItems: INCLUDES_MAX,
        items: includeSchema(collection, scope, reverse),
      },
    }]),
  ];
}

/** A parameter of names, separated by commas. */
export function namesParameter(
  name: string,
  names: string[],
  { description, maxItems, default: initial }: {
    description: string;
    maxItems?: number;
    default?: string[];
  },
): Part {
  const schema: JsonSchema = { type: "array", minItems: 1, items: { type: "string", enum: names } };
  if (maxItems !== undefined) schema.maxItems = maxItems;
  if (initial !== undefined) schema.default = initial;
  return { name, in: "query", description, style: "form", explode: false, schema };
}
