/**
 * The texts of a theme in the language of the site: labels of links, empty pages, the search. `{…}` is a
 * placeholder for a name or a number. A site in a language that is not listed here uses English.
 *
 * @module
 */
import ARABIC from "./words/ar.json" with { type: "json" };
import CHINESE from "./words/zh.json" with { type: "json" };
import DUTCH from "./words/nl.json" with { type: "json" };
import ENGLISH from "./words/en.json" with { type: "json" };
import FRENCH from "./words/fr.json" with { type: "json" };
import GERMAN from "./words/de.json" with { type: "json" };
import ITALIAN from "./words/it.json" with { type: "json" };
import JAPANESE from "./words/ja.json" with { type: "json" };
import PORTUGUESE from "./words/pt.json" with { type: "json" };
import SPANISH from "./words/es.json" with { type: "json" };
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { textBefore } from "../../../kv/model/primitives/text_before.ts";

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

/** Languages with built-in words. */
export const SPOKEN_LANGUAGES = Object.keys(WORDS);

/** The words of a site. Traditional Chinese is not included, so it falls back to English. */
export function wordsOf(language: string): SiteWords {
  const tag = language.toLowerCase();
  const isTraditional = /^zh-(?:hant|tw|hk|mo)\b/.test(tag);
  const name = textBefore(tag, "-");
  return (isTraditional ? undefined : ownValue(WORDS, name)) ?? ENGLISH;
}
