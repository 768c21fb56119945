/**
 * The collections that definitions of references name: each exists when it is named for the first time.
 *
 * @module
 */
import type { Schema } from "../model/entities/collection.ts";
import type { NestedField } from "../model/fields/field_definition.ts";
import { namedTargets } from "../model/fields/reference_target.ts";
import { type Detail, Refusal } from "../refusals.ts";

/** Definitions that are being written. */
export interface NamingDefinitions {
  fields: readonly Pick<NestedField, "options">[];
  /** The path of a definition, followed by a dot; empty for that of the body itself. */
  pathOf: (index: number) => string;
  /** The definitions before: what they name may have been removed since. */
  before?: readonly Pick<NestedField, "options">[];
  /** The slug of a collection that the same commit creates. */
  created?: string;
}

/** Refuses definitions that name a collection that does not exist. */
export function refuseUnknownTargets(
  { bySlug }: Pick<Schema, "bySlug">,
  { fields, pathOf, before = [], created }: NamingDefinitions,
): void {
  const known = new Set(before.flatMap(namedTargets).map(({ slug }) => slug));
  const details = fields.flatMap((field, index) =>
    namedTargets(field)
      .filter(({ slug }) => !bySlug.has(slug) && !known.has(slug) && slug !== created)
      .map(({ path }): Detail => ({
        field: `${pathOf(index)}${path}`,
        code: "INVALID_REFERENCE",
        message: "No such collection",
      }))
  );
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}
