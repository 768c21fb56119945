/**
 * The interface of a field type. Each type is one small module under `field_types/`; the catalogue is a list
 * of them, and no other code switches on a type's name.
 *
 * @module
 */
import type { z } from "zod";
import type { Detail, DetailCode } from "../../refusals.ts";
import type { BlockDefinition } from "../entities/collection.ts";
import type { Json } from "../entities/entity.ts";
import { DETAILS_MAX } from "../../limits/requests.ts";
import type { FieldOptions, FieldTypeName, NestedField } from "./field_definition.ts";
import type { FieldRole } from "./field_role.ts";
import type { FilterOperator } from "./filter_operator.ts";
import type { KeptBlocks } from "./kept_blocks.ts";
import type { NestedScope, NestedValue } from "../values/nested_values.ts";
import { sameJson } from "../values/same_json.ts";

/** A JSON Schema (2020-12) as plain JSON. */
export type JsonSchema = { [keyword: string]: Json };

/** The indexed form of a value: null for no value, an array for several values. */
export type IndexValue = string | number | boolean | null;

/** A document or media that a value points to. */
export interface Reference {
  kind: "media" | "document";
  id: string;
  /** Dotted path of the value. */
  path: string;
  /** Slugs of the collections that the target must be in one of, if restricted. */
  collections?: readonly string[];
  /** Types the medium may have, if restricted. */
  mimes?: string[];
}

/** The context of a check. */
export interface CheckScope {
  /** Dotted path of the value, for details and references. */
  path: string;
  /** Whether `required` is enforced in nested fields (the resulting status is published). */
  complete: boolean;
  /** Whether nested fields that are not given get their defaults (a document is created). */
  fill?: boolean;
  blocks: ReadonlyMap<string, BlockDefinition>;
  /** The blocks that the document has already. */
  kept?: KeptBlocks;
  /** The stored value at this path: sent back unchanged, it is not refused. */
  stored?: Json | undefined;
  details: Detail[];
  references: Reference[];
}

/** The JSON kinds that stored values of a type can be of. */
export type JsonKind = "string" | "number" | "boolean" | "array" | "object" | "any";

/** A field type. */
export interface FieldType {
  name: FieldTypeName;
  /** The JSON kind of values in the wire schema; a stored value of another kind is left from an earlier type. */
  kind: JsonKind;
  /** The content of values, for the check of completeness; `rows` have the nested fields. */
  holds: "references" | "rows" | "blocks" | null;
  /** Whether values are Portable Text. */
  richText: boolean;
  /** The kind of entity that a value refers to; null for types without references. */
  referenceTo: Reference["kind"] | null;
  /** The roles that values may have on the public site: the values of `options.role`. */
  roles: readonly FieldRole[];
  /** Parses the options but for `role`; unknown options are refused. */
  options: z.ZodType<FieldOptions>;
  /** Which flags a field of this type may carry. */
  can: { index: boolean; sort: boolean; unique: boolean };
  /**
   * Checks a value that is not null and returns it as it is to be stored. Every failure is added to
   * `scope.details`, every reference to `scope.references`; the result is only used when there were none.
   */
  check: (value: Json, field: NestedField, scope: CheckScope) => Json;
  /** JSON Schema of a value that is not null. */
  wire: (field: NestedField) => JsonSchema;
  /** The operators that filters may use; empty for types that cannot be filtered by. */
  operators: readonly FilterOperator[];
  /** The kind of facet: the frequency of each value, or bounds and sum. */
  facet: "values" | "summary" | null;
  /** Values under which a stored value is indexed, texts cut; empty when it is not indexable. */
  indexValues: (value: Json, charsMax?: number) => IndexValue[];
  /** Parses the text of a filter; `undefined` when no value of this field can match it. */
  parseFilter: (text: string, field: NestedField) => IndexValue | undefined;
  /** The plain text of the value, by which search finds it; empty for none. */
  searchText: (value: Json) => string;
  /** The values inside a value, with their definitions; left out where there are none. */
  nested?: (value: Json, field: NestedField, scope: NestedScope) => NestedValue[];
}

/** Adds a failed field; returns null, so that a check can end with it. */
export function report(scope: CheckScope, code: DetailCode, message: string): null {
  if (scope.details.length < DETAILS_MAX) scope.details.push({ field: scope.path, code, message });
  return null;
}

/** Adds a failure of something inside the value; costs nothing once there are as many as are shown. */
export function reportInside(
  scope: CheckScope,
  step: string | number,
  code: DetailCode,
  message: string,
): null {
  return scope.details.length < DETAILS_MAX ? report(within(scope, step), code, message) : null;
}

/** The scope of something inside the value: its failures and references arrive in the same lists. */
export function within(scope: CheckScope, step: string | number): CheckScope {
  const path = scope.path === "" ? `${step}` : `${scope.path}.${step}`;
  return { ...scope, path, stored: partOf(scope.stored, step) };
}

function partOf(value: Json | undefined, step: string | number): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as { [step: string | number]: Json })[step];
}

/** Whether a value is what the document has in this place. */
export function isAsStored(value: Json, { stored }: CheckScope): boolean {
  return stored !== undefined && sameJson(value, stored);
}
