/**
 * What values of a source are mapped with, and their assets.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { FieldOptions, FieldTypeName } from "../../../kv/model/fields/field_definition.ts";
import type { PlanField } from "../../../kv/model/transfers/plan.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import type { Problem } from "../reading/source_file.ts";
import type { ConvertScope } from "../text/rich_text_builder.ts";
import type { Converters } from "./converters.ts";
import type { BlockMappings } from "./source_blocks.ts";

/** Finds what rows of the source have become. */
export interface Lookup extends ConvertScope {
  /**
   * The document that a row has become, among those of some collections, or all if none is given; null if there is
   * none. `source` is the kind of the row, if the value tells it.
   */
  document(sourceId: string, collections: readonly string[], source?: string): string | null;
  /** The asset that an address has become. */
  media(address: string): string | null;
}

/** The scope of a conversion. */
export interface MapScope {
  converters: Converters;
  lookup: Lookup;
  /** What is wrong with the row; one with a value that cannot be converted fails. */
  problems: Problem[];
  /** What was left out. */
  warnings: Problem[];
  /** What blocks of the source become. */
  blocks: BlockMappings;
}

/** A field that a value is for. */
export interface FieldTarget {
  type: FieldTypeName;
  options: FieldOptions;
  convert?: string | undefined;
}

/** A field of a plan as the target of values. */
export function targetOf({ type, options, convert }: PlanField): FieldTarget {
  return { type, options: options as FieldOptions, convert };
}

/** The message about a value whose file is not there. */
export const FILE_MISSING = "The file is missing";

/** Maps a value. Passed to the types that hold other values, because they cannot import it. */
export type MapValue = (given: Json, target: FieldTarget, path: string, scope: MapScope) => Json;

/** The asset of an address; one that is missing is noted. */
export function mediaOf(address: string, path: string, scope: MapScope): string | null {
  const id = scope.lookup.media(address);
  if (id !== null) return id;
  if (isUlid(address)) return address;
  const message = FILE_MISSING;
  scope.warnings.push({ path, code: "INVALID_REFERENCE", message, value: address });
  return null;
}
