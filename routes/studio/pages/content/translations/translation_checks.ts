/**
 * What keeps the languages of a document from being published.
 *
 * @module
 */
import { metByFallback } from "../../../../../kv/documents/translations/translation_status.ts";
import { localizedPart } from "../../../../../kv/documents/translations/translations.ts";
import type { Collection, Schema } from "../../../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../../../kv/model/entities/document.ts";
import { laidOver } from "../../../../../kv/model/entities/working_copy.ts";
import { checkComplete } from "../../../../../kv/model/input/document_check.ts";
import { translationLaidOver } from "../../../../../kv/model/languages/in_language.ts";
import { type Translation, translationOf } from "../../../../../kv/model/languages/translation.ts";
import { Refusal } from "../../../../../kv/refusals.ts";
import type { Deps } from "../../../../deps/deps.ts";
import { type Check, findChecks } from "../../../checklist.ts";
import type { Visit } from "../../../serving/studio_env.ts";

/** A document with the own values of a translation instead of the original's. */
export function ownDocument(state: DocumentState, translation: Translation): DocumentState {
  const { title, data, blocks = [] } = translationLaidOver(translation);
  return { ...state, title, data, blocks };
}

/** Everything there is to say before a translation is published. */
export async function findTranslationChecks(
  deps: Deps,
  state: DocumentState,
  collection: Collection,
  code: string,
  visit: Visit,
): Promise<Check[]> {
  const translation = translationOf(state, code);
  if (translation === undefined) throw new Refusal("NOT_FOUND");
  const document = ownDocument(state, translation);
  const checks = await findChecks(deps, document, localizedPart(collection), visit);
  const met = metByFallback(state, collection, code);
  return checks.filter(({ field, level }) => level !== "error" || !met.has(field));
}

/** The labels of the fields that a language of a document lacks to be published. */
export function lackingFields(
  state: DocumentState,
  collection: Collection,
  schema: Schema,
  code: string,
): string[] {
  const translation = translationOf(state, code);
  const { details } = translation === undefined
    ? checkComplete(laidOver(state), collection, schema)
    : checkComplete(ownDocument(state, translation), localizedPart(collection), schema);
  const met = metByFallback(state, collection, code);
  const names = details.map(({ field }) => field).filter((name) => !met.has(name));
  return names.map((name) => collection.fields.find((field) => field.name === name)?.label ?? name);
}
