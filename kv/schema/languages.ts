/**
 * The rules that bind the languages of the content to the rest of the schema.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { schemaOf } from "../documents/write.ts";
import { type Language, pathOf } from "../model/languages/language.ts";
import type { Schema } from "../model/entities/collection.ts";
import type { Json } from "../model/entities/entity.ts";
import { sameJson } from "../model/values/same_json.ts";
import { RESERVED_SLUGS } from "../model/input/collection_input.ts";
import { type Detail, invalid, Refusal } from "../refusals.ts";
import type { SettingValues } from "../sources/settings.ts";
import type { Transaction } from "../versioning/transaction.ts";

/** Refuses languages that do not go with the site's language or its collections. */
export async function refuseLanguages(
  content: Content,
  transaction: Transaction,
  before: SettingValues,
  changes: Record<string, Json>,
): Promise<void> {
  const isGiven = Object.hasOwn(changes, "languages");
  const next = (isGiven ? changes.languages : before.get("languages")) as Language[] | null;
  const [first] = next ?? [];
  if (first === undefined || next === null) return;
  const site = changes["site.language"] ?? before.get("site.language");
  if (isGiven) {
    if (first.code !== site) {
      throw invalid("languages.0.code", "INVALID_CHOICE", `Must be the site's language, ${site}`);
    }
    refusePaths(await schemaOf(transaction, content), next);
  } else if (first.code !== site) {
    throw new Refusal("CONFLICT", {
      about: `site.language is the first of languages, ${first.code}, and changes with it only`,
    });
  }
}

function refusePaths({ bySlug }: Schema, languages: readonly Language[]): void {
  for (const [index, language] of languages.entries()) {
    const path = pathOf(language, index);
    if (path === null) continue;
    if (bySlug.has(path)) {
      throw new Refusal("CONFLICT", { about: `a collection has the slug ${path}` });
    }
    if (RESERVED_SLUGS.has(path)) {
      throw new Refusal("CONFLICT", { about: `the site uses the address /${path} itself` });
    }
  }
}

/** Refuses a collection's slug that begins the addresses of a language. */
export function refuseLanguagePath(schema: Schema, slug: string): void {
  const details = languagePathDetails(schema, slug);
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}

/** The fault of a collection's slug that begins the addresses of a language; `path` begins its field with a dot. */
export function languagePathDetails({ languages }: Schema, slug: string, path = ""): Detail[] {
  const isTaken = languages?.all.some((language, index) => pathOf(language, index) === slug);
  if (!isTaken) return [];
  const message = "The slug is reserved for a language";
  return [{ field: `${path}slug`, code: "INVALID_CHOICE", message }];
}

/** The faults of languages that something else names, such as a token or a role. */
export function namedLanguageDetails(
  { languages }: Pick<Schema, "languages">,
  { languages: named }: { languages?: Json | undefined },
): Detail[] {
  const codes = Array.isArray(named) ? named as string[] : [];
  return languageKeyDetails(
    { languages } as Schema,
    named === undefined ? {} : { languages: codes },
  );
}

/** Definitions as they were given, as far as languages are concerned. */
interface LanguageKeys {
  options?: { choiceLabels?: unknown };
  localized?: boolean | undefined;
  languages?: readonly string[] | null | undefined;
  labels?: { [code: string]: string } | undefined;
}

/** The keys of definitions that exist once the site has languages. */
const KEYS = ["localized", "languages", "labels"] as const;

/** The faults of a definition's keys about languages; `path` begins those of a field with its dot. */
export function languageKeyDetails(
  { languages }: Schema,
  input: LanguageKeys,
  path = "",
): Detail[] {
  const given = KEYS.filter((key) => input[key] !== undefined);
  if (languages === undefined) {
    const unknown: string[] = [...given];
    if (input.options?.choiceLabels !== undefined) unknown.push("options.choiceLabels");
    return unknown.map((key) => ({
      field: `${path}${key}`,
      code: "UNKNOWN_KEY",
      message: "Unknown key",
    }));
  }
  const unknown = (input.languages ?? []).findIndex((code) => !languages.byCode.has(code));
  if (unknown < 0) return [];
  const field = `${path}languages.${unknown}`;
  return [{ field, code: "INVALID_LANGUAGE", message: "Is not one of the site's languages" }];
}

/** The keys about languages that a definition does not have already: what was read can be sent back. */
export function newLanguageKeys<T extends LanguageKeys>(input: T, before: LanguageKeys): T {
  const next: LanguageKeys = { ...input };
  for (const key of KEYS) {
    if (sameJson((input[key] ?? null) as Json, (before[key] ?? null) as Json)) delete next[key];
  }
  const [labels, known] = [input, before].map(({ options }) => options?.choiceLabels ?? null);
  if (sameJson(labels as Json, known as Json)) {
    const { choiceLabels: _same, ...options } = input.options ?? {};
    next.options = options;
  }
  return next as T;
}

/** The faults of a field's keys about languages, in a collection that is localized or not. */
export function fieldLanguageDetails(
  schema: Schema,
  isLocalized: boolean,
  input: LanguageKeys,
  path = "",
): Detail[] {
  const details = languageKeyDetails(schema, input, path);
  if (details.length === 0 && input.localized === true && !isLocalized) {
    const message = "The collection is not localized";
    details.push({ field: `${path}localized`, code: "INVALID_CHOICE", message });
  }
  return details;
}
