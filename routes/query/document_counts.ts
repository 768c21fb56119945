/**
 * `counts`: how many documents a document refers to by a field, or is referred to by.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import { fieldType } from "../../kv/model/fields/types/registry.ts";
import { targetSlugs } from "../../kv/model/fields/reference_target.ts";
import { Refusal } from "../../kv/refusals.ts";
import { COUNTS_MAX } from "../input/limits.ts";
import { findReverse, type IncludeScope, type ReverseField } from "./include.ts";

/** What is counted of each document. */
export interface DocumentCount {
  name: string;
  /** The documents that refer to it; null for those that it refers to. */
  reverse: ReverseField | null;
  /** Under which key documents keep the references. */
  key: string;
  /** Slugs of the collections that they lead to; empty for any. */
  targets: readonly string[];
}

/** Parses the names of `counts`. */
export function parseCounts(
  names: readonly string[] | undefined,
  collection: Collection,
  scope: IncludeScope,
): DocumentCount[] {
  const distinct = [...new Set(names ?? [])];
  if (distinct.length > COUNTS_MAX) {
    throw new Refusal("COUNT_INVALID", { about: `at most ${COUNTS_MAX} counts are allowed` });
  }
  return distinct.map((name) => {
    const reverse = findReverse(name, collection, scope);
    if (reverse !== null) return { name, reverse, key: "", targets: [] };
    const field = collection.fields.find((one) => one.name === name);
    if (field === undefined || fieldType(field.type).referenceTo !== "document") {
      throw new Refusal("COUNT_INVALID", { about: name.slice(0, 100) || "an empty name" });
    }
    return { name, reverse: null, key: field.key, targets: targetSlugs(field.options) };
  });
}
