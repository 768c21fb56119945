/**
 * What a theme says by itself, in the language of the site: labels of links, empty pages, the search. A site in a
 * language that is not here speaks English.
 *
 * @module
 */
import { ENGLISH } from "./words/english.ts";
import { ARABIC } from "./words/arabic.ts";
import { CHINESE } from "./words/chinese.ts";
import { DUTCH } from "./words/dutch.ts";
import { FRENCH } from "./words/french.ts";
import { GERMAN } from "./words/german.ts";
import { ITALIAN } from "./words/italian.ts";
import { JAPANESE } from "./words/japanese.ts";
import { PORTUGUESE } from "./words/portuguese.ts";
import { SPANISH } from "./words/spanish.ts";

/** The words of a site by their names. */
export type SiteWords = Readonly<typeof ENGLISH>;

const WORDS: Readonly<Record<string, SiteWords>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
  ar: ARABIC,
  zh: CHINESE,
  ja: JAPANESE,
};

/** Languages that a site speaks by itself. */
export const SPOKEN_LANGUAGES = Object.keys(WORDS);

/** The words of a site. Chinese in other letters than the simplified ones is another matter. */
export function wordsOf(language: string): SiteWords {
  const tag = language.toLowerCase();
  const isTraditional = /^zh-(?:hant|tw|hk|mo)\b/.test(tag);
  const name = tag.split("-")[0]!;
  return !isTraditional && Object.hasOwn(WORDS, name) ? WORDS[name]! : ENGLISH;
}
