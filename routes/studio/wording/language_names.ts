/**
 * The names of content languages in the studio, whose own language is English.
 *
 * @module
 */
import type { Schema } from "../../../kv/model/entities/collection.ts";

const ENGLISH_NAMES = new Intl.DisplayNames("en", { type: "language" });

/** The name of a language: as the setting gives it, else in English. */
export function languageLabel(code: string, { languages }: Pick<Schema, "languages">): string {
  return languages?.byCode.get(code)?.name ?? ENGLISH_NAMES.of(code) ?? code;
}
