/**
 * The conditions of a list: a tree of conditions on columns. Values have been parsed, so that a condition
 * knows no operator names and no field types.
 *
 * @module
 */
import type { Collection } from "../../model/entities/collection.ts";
import type { Status } from "../../model/entities/document.ts";
import type { FieldTypeName } from "../../model/fields/field_definition.ts";
import type { LanguageView } from "../../model/languages/in_language.ts";
import type { IndexValue } from "../../model/fields/field_type.ts";
import { sha256 } from "../../model/values/sha256.ts";
import { ID_WORDS, writeId } from "../segments/id_words.ts";
import { columnOfKey, CREATOR_KEY, type FilterKey } from "../segments/list_columns.ts";
import { sortForm } from "../segments/texts.ts";

/** One end of a range. */
export interface Bound {
  value: number | string;
  /** Whether the value itself is outside. */
  isOpen: boolean;
}

/** How a condition matches part of a text. */
export type Part = "contains" | "startsWith" | "endsWith";

/** A condition; one on a column holds for a row of which any value fits. */
export type Condition =
  | { kind: "and" | "or"; of: readonly Condition[] }
  | { kind: "not"; of: Condition }
  /** Any of the values; null means "no value". */
  | { kind: "values"; by: FilterKey; values: readonly IndexValue[] }
  /** Numbers, or texts in their sort form; rows without a value are in no range. */
  | { kind: "range"; by: FilterKey; from: Bound | null; to: Bound | null }
  /** Texts in their sort form. */
  | { kind: "part"; by: FilterKey; where: Part; text: string }
  /** References to documents that fit. */
  | { kind: "match"; by: FilterKey; target: Target }
  /** Decided on the documents themselves. */
  | ItemsCondition
  /** Some documents; `name` identifies them in cache keys. */
  | { kind: "documents"; ids: Uint32Array; name: string };

/** A condition on the items of a list, or on a value that has no column. */
export interface ItemsCondition {
  kind: "items";
  /** The name of the list, for messages. */
  name: string;
  /** Under which key documents keep it; null for the block tree. */
  key: string | null;
  /** The names of the groups on the way to it. */
  steps: readonly string[];
  /** How many items meet the condition; `value` for a value that is no list of items. */
  quantifier: "some" | "every" | "none" | "value";
  /** The condition on one item; its keys are those of the item. */
  of: Condition;
  /** The types of an item's keys, by the type of block; those of rows stand under an empty one. */
  types: { readonly [block: string]: { readonly [key: string]: FieldTypeName } };
  /** The language in which documents are seen; absent for the original. */
  view?: LanguageView;
}

/** Documents that references are followed to. */
export interface Target {
  collection: Collection;
  /** Those that may be seen. */
  statuses: readonly Status[];
  where: Condition;
}

/** All of some conditions. */
export function allOf(...of: Condition[]): Condition {
  return of.length === 1 ? of[0]! : { kind: "and", of };
}

/** A value, or any of several; null for none. */
export function hasValue(by: FilterKey, ...values: IndexValue[]): Condition {
  return { kind: "values", by, values };
}

/** A number or time between two, both included; null for no bound. */
export function between(by: FilterKey, from: number | null, to: number | null): Condition {
  const bound = (value: number | null) => value === null ? null : { value, isOpen: false };
  return { kind: "range", by, from: bound(from), to: bound(to) };
}

/** Some documents, by their ids. */
export function someDocuments(ids: readonly string[]): Condition {
  const sorted = [...new Set(ids)].sort();
  const words = new Uint32Array(sorted.length * ID_WORDS);
  sorted.forEach((id, index) => writeId(words, index, id));
  return { kind: "documents", ids: words, name: sha256(sorted.join()) };
}

/** Documents that any of some users created, by their ids. */
export function createdBy(userIds: Iterable<string>): Condition {
  return hasValue({ fieldKey: CREATOR_KEY }, ...userIds);
}

/** A title that contains a text, whatever its case. */
export function titleContains(text: string): Condition {
  return { kind: "part", by: "title", where: "contains", text: sortForm(text) };
}

/** A condition that is made of no others. */
export type Leaf = Exclude<Condition, { kind: "and" | "or" | "not" }>;

/** The conditions that a condition is made of. */
export function leavesOf(condition: Condition): Leaf[] {
  switch (condition.kind) {
    case "and":
    case "or":
      return condition.of.flatMap(leavesOf);
    case "not":
      return leavesOf(condition.of);
    default:
      return [condition];
  }
}

/** A condition on the values of a field. */
export type FieldCondition =
  & Extract<Leaf, { kind: "values" | "range" | "part" }>
  & { by: { fieldKey: string } };

/** Whether a condition is on the values of a field, which may be texts of any length. */
export function isOfField(condition: Leaf): condition is FieldCondition {
  const { kind } = condition;
  return (kind === "values" || kind === "range" || kind === "part") &&
    typeof condition.by !== "string";
}

/** The columns that a condition looks at in its own collection. */
export function conditionColumns(condition: Condition): string[] {
  return leavesOf(condition).flatMap((leaf) =>
    leaf.kind === "documents" || leaf.kind === "items" || leaf.by === "id"
      ? []
      : [columnOfKey(leaf.by)]
  );
}

/** The conditions that only documents decide. */
export function itemsConditions(condition: Condition): ItemsCondition[] {
  return leavesOf(condition).filter((leaf) => leaf.kind === "items");
}

/** The column that tells of a document that was read whether it meets such a condition. */
export function itemsColumn(condition: ItemsCondition): FilterKey & object {
  return { fieldKey: `?${JSON.stringify(condition)}` };
}

/** The targets of a condition's references, not those of the targets' own. */
export function targetsOf(condition: Condition): Target[] {
  return leavesOf(condition).flatMap((leaf) => leaf.kind === "match" ? [leaf.target] : []);
}

/** The collections that a condition is decided in, besides its own. */
export function targetCollections(condition: Condition): Collection[] {
  return targetsOf(condition).flatMap(({ collection, where }) => [
    collection,
    ...targetCollections(where),
  ]);
}
