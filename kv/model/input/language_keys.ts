/**
 * What a body tells of languages: which one it is written in, and which of its values fell back and are not its own.
 *
 * @module
 */
import type { Detail } from "../../refusals.ts";
import { codesOf, type Collection } from "../entities/collection.ts";
import type { Json } from "../entities/entity.ts";
import type { SiteLanguages } from "../languages/language.ts";
import { LANGUAGE_KEYS } from "../languages/seen_language.ts";
import { isJsonObject } from "../values/json_object.ts";

/** A body without the keys of languages and without values that fell back. */
export function withoutLanguageKeys(body: Record<string, Json>): Record<string, Json> {
  const { _fallback: fallback = null } = body;
  const left: ReadonlySet<string> = new Set([
    ...LANGUAGE_KEYS,
    ...isJsonObject(fallback) ? Object.keys(fallback) : [],
  ]);
  return Object.fromEntries(Object.entries(body).filter(([key]) => !left.has(key)));
}

/** The fault of a body that is not in the language that it must be in, if it names one. */
export function languageDetails(
  { _language: given }: Record<string, Json>,
  wanted: string,
  message: string,
): Detail[] {
  if (given === undefined || given === wanted) return [];
  return [{ field: "_language", code: "INVALID_LANGUAGE", message }];
}

/** The language of a new document: undefined for the site's. */
export function originalLanguageOf(
  { _language: given }: Record<string, Json>,
  collection: Collection,
  site: SiteLanguages,
  details: Detail[],
): string | undefined {
  if (given === undefined) return undefined;
  const codes = collection.localized ? codesOf(collection) : site.all.map(({ code }) => code);
  if (typeof given === "string" && codes.includes(given)) {
    return given === site.original ? undefined : given;
  }
  const message = `Must be one of ${codes.join(", ")}`;
  details.push({ field: "_language", code: "INVALID_LANGUAGE", message });
  return undefined;
}
