/**
 * `include` as it is sent: paths separated by commas, or a JSON object with a filter, a sort, a limit, fields
 * and further includes for each path.
 *
 * @module
 */
import { INCLUDES_MAX } from "../../kv/limits/requests.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import { REFERENCES_MAX } from "../../kv/limits/content.ts";
import { isJsonObject, type JsonObject } from "../../kv/model/values/json_object.ts";
import { Refusal } from "../../kv/refusals.ts";
import { REVERSE_LIMIT_MAX } from "../input/limits.ts";
import { bringIncludes, type FieldNames, parseFieldTree } from "./field_tree.ts";
import { FilterBudget, type FilterScope } from "./filter_budget.ts";
import { valueCondition } from "./filter_json.ts";
import { forTargets } from "./for_targets.ts";
import { parseJsonAt } from "./json_position.ts";
import {
  addIncludes,
  type Include,
  type IncludeRequest,
  type IncludeScope,
  type IncludeSelection,
} from "./include.ts";
import { parseSort } from "./paging.ts";

/** The context of includes with options. */
export interface IncludeRequestScope extends IncludeScope {
  filters: Omit<FilterScope, "collection" | "budget">;
  names: FieldNames;
}

/** Options of an include. */
const OPTIONS: ReadonlySet<string> = new Set(["filter", "sort", "limit", "fields", "include"]);

/** The includes of a request, for documents of a collection. */
export function parseIncludes(
  values: readonly string[],
  collection: Collection,
  scope: IncludeRequestScope,
): Include[] {
  const reader = new IncludeReader(scope);
  const requests = values.flatMap((text) =>
    text.startsWith("{") ? reader.ofJson(parsedJson(text), 0) : reader.ofPaths(text.split(","))
  );
  const roots: Include[] = [];
  addIncludes(requests, collection, roots, scope);
  reader.finish();
  return roots;
}

function parsedJson(text: string): unknown {
  return parseJsonAt(text, (fault, position) => {
    throw invalid(`include is not valid JSON at position ${position}: ${fault}`);
  });
}

function invalid(about: string): Refusal {
  return new Refusal("INCLUDE_INVALID", { about });
}

/** Reads the includes of one request, and counts them. */
class IncludeReader {
  readonly #scope: IncludeRequestScope;
  readonly #budget = new FilterBudget();
  readonly #paths = new Set<string>();
  #count = 0;
  /** Keys of included documents: read when all includes are known, because these bring keys. */
  readonly #later: (() => void)[] = [];

  constructor(scope: IncludeRequestScope) {
    this.#scope = scope;
  }

  ofPaths(paths: readonly string[]): IncludeRequest[] {
    for (const path of paths) {
      if (!this.#paths.has(path)) this.#add();
      this.#paths.add(path);
    }
    return paths.map((path) => ({ path, levels: 0 }));
  }

  ofJson(value: unknown, levels: number): IncludeRequest[] {
    if (!isJsonObject(value)) throw invalid("include must be an object of paths");
    return Object.entries(value).map(([path, options]): IncludeRequest => {
      this.#add();
      if (options === true) return { path, levels };
      if (!isJsonObject(options)) throw invalid(`${path.slice(0, 100)} must be true or options`);
      const unknown = Object.keys(options).find((key) => !OPTIONS.has(key));
      if (unknown !== undefined) {
        throw invalid(
          `${path.slice(0, 100)} has the unknown option ${unknown.slice(0, 50)}; use one of: ${
            [...OPTIONS].join(", ")
          }`,
        );
      }
      return {
        path,
        levels,
        complete: (include, open) => this.#complete(include, options, path, open),
      };
    });
  }

  /** Reads what is left, and reports values of filters that do not fit. */
  finish(): void {
    for (const read of this.#later) read();
    this.#budget.check();
  }

  #add(): void {
    this.#count += 1;
    if (this.#count > INCLUDES_MAX) throw invalid(`at most ${INCLUDES_MAX} includes are allowed`);
  }

  #complete(include: Include, options: JsonObject, path: string, levels: number): void {
    include.selection = this.#selection(include, options, path);
    const { include: inner, fields } = options;
    if (inner !== undefined) {
      const requests = typeof inner === "string"
        ? this.ofPaths(inner.split(",")).map((one) => ({ ...one, levels }))
        : this.ofJson(inner, levels);
      forTargets(targetsOf(include, this.#scope), noTarget(path), (collection) => {
        addIncludes(requests, collection, include.targets.get(collection.slug) ?? [], this.#scope);
      });
    }
    if (fields !== undefined) this.#later.push(() => this.#readFields(include, fields, path));
  }

  #readFields(include: Include, fields: unknown, path: string): void {
    const names = namesOf(fields, path, "fields");
    if (include.kind === "media") {
      const unknown = names.find((name) => !this.#scope.names.mediumKeys.includes(name));
      if (unknown !== undefined) {
        throw new Refusal("FIELD_INVALID", { about: unknown.slice(0, 200) });
      }
      include.fields = { kind: "document", keys: new Map(names.map((name) => [name, null])) };
      return;
    }
    const places = targetsOf(include, this.#scope).map((collection) => ({
      collection,
      includes: include.targets.get(collection.slug) ?? [],
    }));
    const tree = parseFieldTree(names, places, this.#scope.names);
    for (const { includes } of places) if (tree !== null) bringIncludes(tree, includes);
    include.fields = tree;
  }

  #selection(include: Include, options: JsonObject, path: string): IncludeSelection | null {
    const { filter, sort, limit } = options;
    if (filter === undefined && sort === undefined && limit === undefined) return null;
    if (include.kind === "media") throw invalid(`${path.slice(0, 100)} takes fields only`);
    return {
      where: filter === undefined ? null : this.#where(include, filter, path),
      sort: sort === undefined ? null : this.#sort(include, sort, path),
      limit: limit === undefined ? null : limitOf(include, limit, path),
    };
  }

  /** The filter in each of the collections that know its fields. */
  #where(include: Include, filter: unknown, path: string): IncludeSelection["where"] {
    const where = new Map();
    forTargets(targetsOf(include, this.#scope), noTarget(path), (collection) => {
      const scope = { ...this.#scope.filters, collection, budget: this.#budget };
      where.set(collection.slug, valueCondition(filter, scope));
    });
    return where;
  }

  #sort(include: Include, sort: unknown, path: string): IncludeSelection["sort"] {
    const names = namesOf(sort, path, "sort");
    let keys: IncludeSelection["sort"] = null;
    forTargets(targetsOf(include, this.#scope), noTarget(path), (collection) => {
      keys ??= parseSort(names, collection);
    });
    return keys;
  }
}

function targetsOf({ targets }: Include, { find }: IncludeScope): Collection[] {
  return [...targets.keys()].map(find).filter((one) => one !== undefined);
}

function noTarget(path: string): Refusal {
  return invalid(`${path.slice(0, 100)} may lead to any collection, and takes a limit only`);
}

function namesOf(value: unknown, path: string, option: string): string[] {
  if (typeof value === "string") return value.split(",");
  if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
  throw invalid(`${option} of ${path.slice(0, 100)} must be text`);
}

function limitOf(include: Include, limit: unknown, path: string): number {
  if (!include.isList) throw invalid(`${path.slice(0, 100)} is one document and takes no limit`);
  const most = include.kind === "reverse" ? REVERSE_LIMIT_MAX : REFERENCES_MAX;
  if (typeof limit === "number" && Number.isInteger(limit) && limit >= 1 && limit <= most) {
    return limit;
  }
  throw invalid(`limit of ${path.slice(0, 100)} must be an integer from 1 to ${most}`);
}
