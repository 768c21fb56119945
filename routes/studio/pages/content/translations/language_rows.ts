/**
 * The languages of a document with their states.
 *
 * @module
 */
import { codesOf, type Collection } from "../../../../../kv/model/entities/collection.ts";
import type { DocumentState, Status } from "../../../../../kv/model/entities/document.ts";
import {
  originalOf,
  statusOf,
  translationOf,
} from "../../../../../kv/model/languages/translation.ts";
import {
  standingOf,
  type TranslationStanding,
} from "../../../../../kv/model/languages/translation_view.ts";

/** A language that a document has, or can have. */
export interface LanguageRow extends TranslationStanding {
  language: string;
  /** Null if the document is not translated into it. */
  status: Status | null;
}

/** The languages of a document, the original first; none if its collection is not localized. */
export function languageRows(state: DocumentState, collection: Collection): LanguageRow[] {
  const codes = codesOf(collection);
  const original = originalOf(state, collection);
  if (original === undefined || codes.length === 0) return [];
  const others = codes.filter((code) => code !== original).map((language): LanguageRow => {
    const translation = translationOf(state, language);
    const status = translation === undefined ? null : statusOf(state, translation);
    return { language, status, ...standingOf(state, collection, translation) };
  });
  const standing = { state: null, missing: null, outdated: null };
  return [{ language: original, status: state.status, ...standing }, ...others];
}
