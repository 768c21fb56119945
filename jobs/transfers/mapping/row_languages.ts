/**
 * Rows that are the same document in several languages: which of them is the document, and which are its translations.
 *
 * @module
 */
import type { SiteLanguages } from "../../../kv/model/languages/language.ts";
import type { Plan } from "../../../kv/model/transfers/plan.ts";
import type { Shape } from "./shape.ts";
import type { SourceRow } from "../reading/source_file.ts";

/** The ids of rows that belong together, by group and language. */
export type RowGroups = Record<string, Record<string, string>>;

/** Types of fields that are localized where a format does not say which fields are. */
const LOCALIZED_TYPES: ReadonlySet<string> = new Set(["text", "rich_text", "group"]);

/** The row that a row translates. */
export interface TranslatedRow {
  sourceId: string;
  /** The language as the source names it. */
  language: string;
  /** The language of the site; null if it has none for it, so that the row is left out. */
  code: string | null;
}

/** What decides about rows in several languages. */
export interface LanguageScope {
  plan: Pick<Plan, "languages">;
  groups: RowGroups;
  /** The language of the site's originals; null where it has one language alone. */
  original: string | null;
  /** Whether rows in a language that the site does not have become documents of their own. */
  keepsLanguages: boolean;
}

/** Adds a row to its group. */
export function noteGroup(groups: RowGroups, { source, id, translation }: SourceRow): void {
  if (translation === undefined || id === null) return;
  (groups[groupOf(source, translation.group)] ??= {})[translation.language] ??= id;
}

/** The groups that have several rows. */
export function wholeGroups(groups: RowGroups): RowGroups {
  return Object.fromEntries(
    Object.entries(groups).filter(([, rows]) => Object.keys(rows).length > 1),
  );
}

/** The row that a row translates; null if it is a document. */
export function translatedRow(
  source: string,
  translation: SourceRow["translation"],
  { plan, groups, original, keepsLanguages }: LanguageScope,
): TranslatedRow | null {
  if (translation === undefined) return null;
  const { group, language } = translation;
  const rows = Object.entries(groups[groupOf(source, group)] ?? {});
  const first = rows.find(([other]) => original !== null && isNear(other, original)) ??
    (keepsLanguages ? undefined : rows[0]);
  if (first === undefined || first[0] === language) return null;
  const code = plan.languages[language] ?? null;
  return code === null && keepsLanguages ? null : { sourceId: first[1], language, code };
}

/** The language of the site that a row is in; null for that of its originals, or for one that it does not have. */
export function ownLanguage(
  translation: SourceRow["translation"],
  { plan }: Pick<LanguageScope, "plan">,
): string | null {
  return translation === undefined ? null : plan.languages[translation.language] ?? null;
}

/** A plan in which the texts that rows have in several languages are localized. */
export function withLocalizedTexts(
  plan: Plan,
  { groups = {}, shapes }: { groups?: RowGroups; shapes: ReadonlyMap<string, Shape> },
): Plan {
  const sources = groupedSources(groups);
  const collections = plan.collections.map((collection) => {
    const { source } = collection;
    const isGrouped = sources.has(source);
    const translated = translatedFields(shapes.get(source));
    const fields = collection.fields.map((field) => {
      const hasLanguages = isGrouped || translated.has(field.from);
      return hasLanguages && LOCALIZED_TYPES.has(field.type)
        ? { ...field, localized: true }
        : field;
    });
    return { ...collection, fields };
  });
  return { ...plan, collections };
}

/** The kinds of rows that are in groups. */
export function groupedSources(groups: RowGroups): Set<string> {
  return new Set(Object.keys(groups).map((name) => name.split("\n")[0] ?? ""));
}

/** The fields that readers have kept in other languages. */
function translatedFields(shape: Shape | undefined): Set<string> {
  const languages = shape?.fields.get("_translations")?.inner?.fields.values() ?? [];
  return new Set([...languages].flatMap(({ inner }) => [...inner?.fields.keys() ?? []]));
}

/** The language of the site that a source's language is; null if it has none but the original. */
export function siteLanguage(language: string, site: SiteLanguages | undefined): string | null {
  const codes = site?.all.map(({ code }) => code).filter((code) => code !== site.original) ?? [];
  return codes.find((code) => isSame(language, code)) ??
    (site !== undefined && isSame(language, site.original)
      ? null
      : codes.find((code) => isNear(language, code)) ?? null);
}

/** Whether a language is the one of a code, or another form of it. */
export function isNear(language: string, code: string): boolean {
  return language.split(/[-_]/)[0]?.toLowerCase() === code.split("-")[0]?.toLowerCase();
}

function isSame(language: string, code: string): boolean {
  return language.replace("_", "-").toLowerCase() === code.toLowerCase();
}

function groupOf(source: string, group: string): string {
  return `${source}\n${group}`;
}
