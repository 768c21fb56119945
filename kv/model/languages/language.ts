/**
 * The languages of a site's content: the setting `languages`, and what it means for a collection.
 *
 * @module
 */
import { z } from "zod";
import {
  FALLBACKS_MAX,
  LANGUAGE_CODE_CHARS_MAX,
  LANGUAGES_MAX,
  NAME_CHARS_MAX,
} from "../../limits/content.ts";

/** A language as the setting describes it. */
export interface Language {
  /** BCP 47, in canonical case. */
  code: string;
  /** Its own name if absent. */
  name?: string;
  /** The languages whose values stand in for missing ones, in order. */
  fallback?: string[];
  /** Its prefix on the public site; null for none. */
  path?: string | null;
  /** Whether a translation may be published without required values. */
  gaps?: boolean;
  /** False hides it from everybody who sees published content alone. */
  public?: boolean;
  /** Whether documents without a translation have a page in it. */
  untranslated?: "show" | "hide";
}

/** The languages of a site. */
export interface SiteLanguages {
  /** The language of documents that name no other. */
  original: string;
  /** In the order of the setting; the first is the original language. */
  all: readonly Language[];
  byCode: ReadonlyMap<string, Language>;
}

const code = z.string().max(LANGUAGE_CODE_CHARS_MAX).refine(isCanonical, {
  message: "Must be a BCP 47 code in canonical case, such as fr or pt-BR",
  params: { code: "PATTERN_MISMATCH" },
});

const language = z.strictObject({
  code,
  name: z.string().min(1).max(NAME_CHARS_MAX).optional(),
  fallback: z.array(code).max(FALLBACKS_MAX).optional(),
  path: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/).nullable().optional(),
  gaps: z.boolean().optional(),
  public: z.boolean().optional(),
  untranslated: z.enum(["show", "hide"]).optional(),
});

/** The setting `languages`. */
export const Languages = z.array(language).min(2).max(LANGUAGES_MAX).superRefine((all, issues) => {
  const add = (path: (string | number)[], code: string, message: string) =>
    issues.addIssue({ code: "custom", path, message, params: { code } });
  const known = new Set(all.map(({ code }) => code));
  const paths = new Set<string>();
  for (const [index, one] of all.entries()) {
    if (all.findIndex(({ code }) => code === one.code) < index) {
      add([index, "code"], "NOT_UNIQUE", "Is listed twice");
    }
    const path = pathOf(one, index);
    if (path === null && index > 0) {
      add([index, "path"], "REQUIRED", "Only the first language has no prefix");
    }
    if (path !== null && paths.has(path)) add([index, "path"], "NOT_UNIQUE", "Is used twice");
    if (path !== null) paths.add(path);
    const seen = new Set<string>();
    for (const [at, to] of (one.fallback ?? []).entries()) {
      const place = [index, "fallback", at];
      if (!known.has(to)) add(place, "INVALID_CHOICE", "Is not one of the languages");
      else if (to === one.code) add(place, "INVALID_CHOICE", "Is the language itself");
      else if (seen.has(to)) add(place, "NOT_UNIQUE", "Is listed twice");
      seen.add(to);
    }
  }
  for (const [index, { code }] of all.entries()) {
    if (leadsBack(all, code)) {
      add([index, "fallback"], "INVALID_CHOICE", "Leads back to the language itself");
    }
  }
});

const codes = z.array(z.string().max(LANGUAGE_CODE_CHARS_MAX)).min(1).max(LANGUAGES_MAX);

/** The languages that something is limited to; null for all. */
export const namedLanguages = codes.nullable().exactOptional();

/** The languages of a document that are published; `*` for all that it has. */
export const publishedLanguages = codes.or(z.literal("*"));

/** Whether following fallbacks from a language comes back to it. */
function leadsBack(
  all: readonly { code: string; fallback?: string[] | undefined }[],
  from: string,
) {
  const fallbacks = new Map(all.map(({ code, fallback = [] }) => [code, fallback]));
  const open = [...fallbacks.get(from) ?? []];
  const seen = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === from) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...fallbacks.get(next) ?? []);
  }
  return false;
}

/** Whether a code is in the canonical case of BCP 47. */
export function isCanonical(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code)[0] === code;
  } catch {
    return false;
  }
}

/** The prefix of a language on the public site; null for none. */
export function pathOf(
  { code, path }: Pick<Language, "code"> & { path?: string | null | undefined },
  index: number,
) {
  if (path !== undefined) return path;
  return index === 0 ? null : code.toLowerCase();
}

/** The languages of a setting's value; undefined where it is not set. */
export function siteLanguages(
  value: readonly Language[] | null | undefined,
): SiteLanguages | undefined {
  const [first] = value ?? [];
  if (first === undefined || !value) return undefined;
  return {
    original: first.code,
    all: value,
    byCode: new Map(value.map((one) => [one.code, one])),
  };
}

/** The codes of the languages that everybody may see, in the order of the setting. */
export function publicCodes({ all }: SiteLanguages): string[] {
  return all.filter((one) => one.public !== false).map(({ code }) => code);
}

/** The languages that stand in for one where everybody may see them, in order. */
export function publicFallback({ byCode }: SiteLanguages, code: string): string[] {
  return (byCode.get(code)?.fallback ?? []).filter((one) => byCode.get(one)?.public !== false);
}

const ENGLISH_NAMES = new Intl.DisplayNames("en", { type: "language" });

/** The name of a language for users of the studio: as the setting gives it, else in English. */
export function languageInEnglish(code: string, languages: SiteLanguages | undefined): string {
  return languages?.byCode.get(code)?.name ?? ENGLISH_NAMES.of(code) ?? code;
}

/** The name of a language: as the setting gives it, else in the language itself. */
export function languageName({ code, name }: Pick<Language, "code" | "name">): string {
  return name ?? new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

const RTL_SCRIPTS = new Set([
  "Arab",
  "Hebr",
  "Thaa",
  "Syrc",
  "Nkoo",
  "Adlm",
  "Rohg",
  "Mand",
  "Samr",
]);

/** The direction of a language's script. */
export function directionOf(code: string): "ltr" | "rtl" {
  const { script } = new Intl.Locale(code).maximize();
  return script !== undefined && RTL_SCRIPTS.has(script) ? "rtl" : "ltr";
}

/** A language that has pages. */
export interface PageLanguage {
  code: string;
  name: string;
  /** What its paths begin with; empty for the first language. */
  prefix: string;
}

/** The languages of a setting that have pages. */
export function pageLanguages(languages: readonly Language[]): PageLanguage[] {
  return languages.flatMap((language, index) => {
    if (language.public === false) return [];
    const path = pathOf(language, index);
    const prefix = path === null ? "" : `/${path}`;
    return [{ code: language.code, name: languageName(language), prefix }];
  });
}

/** The languages of a schema that have pages. */
export function pageLanguagesOf(site: SiteLanguages | undefined): PageLanguage[] {
  return site === undefined ? [] : pageLanguages(site.all);
}
