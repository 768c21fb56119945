/**
 * The names of content languages in the studio, whose own language is English.
 *
 * @module
 */
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { languageInEnglish } from "../../../kv/model/languages/language.ts";

/** The name of a language: as the setting gives it, else in English. */
export function languageLabel(code: string, { languages }: Pick<Schema, "languages">): string {
  return languageInEnglish(code, languages);
}
