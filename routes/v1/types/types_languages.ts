/**
 * What the types module has besides, where the content of a site has several languages.
 *
 * @module
 */
import { TRANSLATION_STATES } from "../../../kv/index/query/language_query.ts";
import type { SiteLanguages } from "../../../kv/model/languages/language.ts";
import { union } from "./types_value.ts";

/** The type of languages of a site without any: no translation can be named. */
export const NO_LANGUAGE_TYPES = `/** The site has no languages. */
export type TranslationLanguage = never;`;

/** The types of languages: they add members to those of documents and queries. */
export function languageTypes({ all }: SiteLanguages): string {
  const codes = union(all.map(({ code }) => code));
  const states = union(TRANSLATION_STATES);
  return `/** The languages of the content. */
export type Language = ${codes};

/** The languages that a document can be translated into. */
export type TranslationLanguage = Language;

/** A language of a document. */
export interface LanguageEntry {
  slug: string;
  title: string;
  status: Status;
  publishedAt: number | null;
}

export interface Framing {
  /** The language of the document; only with \`language\`. */
  _language?: Language;
  /** Fields whose values come from another language, and which. */
  _fallback?: { [field: string]: Language };
  /** The languages of the document; only if \`fields\` names it. */
  _languages?: { [code in Language]?: LanguageEntry };
  /** Translations with their own values; only with \`language: "*"\`. */
  _translations?: { [code in Language]?: LanguageEntry & { [field: string]: unknown } };
}

export interface ReadQuery<F extends string, I extends AnyInclude, R extends RichTextForm> {
  /** Return documents in this language; "*" returns the original with its translations. */
  language?: Language | "*" | undefined;
  /** "none", "documents", or the languages that stand in for missing values. */
  fallback?: "none" | "documents" | readonly Language[] | undefined;
  /** With \`language\`: documents whose translation is in one of these states. */
  translation?: readonly (${states})[] | undefined;
}

export interface SearchQuery {
  /** Search localized collections in this language; "*" searches all. */
  language?: Language | "*" | undefined;
}

export interface Medium {
  /** The language of \`alt\`; only with \`language\`. */
  _language?: Language;
  /** The language that \`alt\` comes from, if it is another one. */
  _fallback?: { alt: Language };
}

export interface SearchHit {
  /** The language of the title and snippet; only with \`language\`. */
  _language?: Language;
}`;
}
