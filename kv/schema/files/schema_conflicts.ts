/**
 * Changes that are right in themselves, but that a site does not allow: the checks that the admin API makes, too.
 *
 * @module
 */
import { COLLECTIONS_MAX } from "../../limits/content.ts";
import { KV_CHECKS_MAX } from "../../limits/store.ts";
import type { Collection, Schema } from "../../model/entities/collection.ts";
import type { FieldDefinition } from "../../model/fields/field_definition.ts";
import type { FieldInput } from "../../model/fields/field_input.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import {
  fieldLanguageDetails,
  languageKeyDetails,
  languagePathDetails,
  newLanguageKeys,
} from "../languages.ts";
import type { CollectionFile, FileDefinitions } from "./schema_files.ts";
import type { SchemaChange } from "./schema_plan.ts";

/**
 * Collections of which one commit can check how many documents they hold, beside the schema and a token: to be
 * removed, or to become singletons.
 */
export const CHECKED_COLLECTIONS_MAX = KV_CHECKS_MAX - 2;

/** Refuses files with more collections than a site has, and changes that the site does not allow. */
export function refuseConflicts(
  schema: Schema,
  { collections }: FileDefinitions,
  changes: readonly SchemaChange[],
): void {
  if (collections.length > COLLECTIONS_MAX) {
    throw new Refusal("CONFLICT", { about: `a site has at most ${COLLECTIONS_MAX} collections` });
  }
  if (changes.filter(becomesSingleton).length > CHECKED_COLLECTIONS_MAX) {
    throw new Refusal("CONFLICT", {
      about: `at most ${CHECKED_COLLECTIONS_MAX} collections may become singletons in one push`,
    });
  }
  const details = changes.flatMap((change) => detailsOf(schema, change));
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}

/** The refusal of a push that was checked against another schema. */
export function schemaMoved(): Refusal {
  return new Refusal("CONFLICT", {
    about: "the schema has changed since it was pulled or compared",
  });
}

/** Whether a change makes a singleton of a collection that exists. */
export function becomesSingleton(
  change: SchemaChange,
): change is SchemaChange & { kind: "definedCollection"; before: Collection } {
  return change.kind === "definedCollection" && change.before !== null &&
    !change.before.singleton && change.file.input.singleton === true;
}

function detailsOf(schema: Schema, change: SchemaChange): Detail[] {
  switch (change.kind) {
    case "definedCollection": {
      const { before, file: { path, input } } = change;
      const slug = before?.slug === input.slug
        ? []
        : languagePathDetails(schema, input.slug, `${path}.`);
      const { fields, ...framing } = input;
      return [
        ...slug,
        ...languageKeyDetails(schema, framing, `${path}.`),
        ...(before === null ? fields : []).flatMap((field, at) =>
          fieldDetails(schema, change.file, { input: field, at })
        ),
      ];
    }
    case "definedField":
    case "conversion":
      return fieldDetails(schema, change.of, {
        input: change.file.input,
        at: change.file.position,
        before: change.before,
      });
    default:
      return [];
  }
}

function fieldDetails(
  schema: Schema,
  { path, input: { localized }, fieldIds }: CollectionFile,
  { input, at, before = null }: { input: FieldInput; at: number; before?: FieldDefinition | null },
): Detail[] {
  const field = `${path}.fields.${at}.`;
  const news = newLanguageKeys(input, before ?? {});
  const details = fieldLanguageDetails(schema, localized === true, news, field);
  const isElsewhere = before === null &&
    schema.collections.some(({ fields }) => fields.some(({ id }) => id === fieldIds[at]));
  if (!isElsewhere) return details;
  const message = "Is the id of a field of another collection";
  return [...details, { field: `${field}id`, code: "INVALID_REFERENCE", message }];
}
