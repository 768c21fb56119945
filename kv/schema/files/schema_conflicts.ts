/**
 * Changes that are right in themselves, but that a site does not allow: the checks that the admin API makes, too.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import { livingCount } from "../../documents/singleton.ts";
import { COLLECTIONS_MAX } from "../../limits/content.ts";
import type { Collection, Schema } from "../../model/entities/collection.ts";
import type { FieldInput } from "../../model/fields/field_input.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import { fieldLanguageDetails, languageKeyDetails, languagePathDetails } from "../languages.ts";
import type { CollectionFile, FileDefinitions } from "./schema_files.ts";
import type { SchemaChange } from "./schema_plan.ts";

/** Refuses files with more collections than a site has, and changes that the site does not allow. */
export function refuseConflicts(
  schema: Schema,
  { collections }: FileDefinitions,
  changes: readonly SchemaChange[],
): void {
  if (collections.length > COLLECTIONS_MAX) {
    throw new Refusal("CONFLICT", { about: `a site has at most ${COLLECTIONS_MAX} collections` });
  }
  const details = changes.flatMap((change) => detailsOf(schema, change));
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}

/** Refuses collections that become singletons and hold several documents. */
export async function refuseFullSingletons(
  content: Content,
  changes: readonly SchemaChange[],
): Promise<void> {
  for (const change of changes) {
    if (!becomesSingleton(change) || await livingCount(content, change.before) <= 1) continue;
    const { path } = change.file;
    const message = "The collection holds several documents";
    const details: Detail[] = [{ field: `${path}.singleton`, code: "INVALID_CHOICE", message }];
    throw new Refusal("VALIDATION_FAILED", { details });
  }
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
        isKnown: change.before !== null,
      });
    default:
      return [];
  }
}

function fieldDetails(
  schema: Schema,
  { path, input: { localized }, fieldIds }: CollectionFile,
  { input, at, isKnown = false }: { input: FieldInput; at: number; isKnown?: boolean },
): Detail[] {
  const field = `${path}.fields.${at}.`;
  const details = fieldLanguageDetails(schema, localized === true, input, field);
  const isElsewhere = !isKnown &&
    schema.collections.some(({ fields }) => fields.some(({ id }) => id === fieldIds[at]));
  if (!isElsewhere) return details;
  const message = "Is the id of a field of another collection";
  return [...details, { field: `${field}id`, code: "INVALID_REFERENCE", message }];
}
