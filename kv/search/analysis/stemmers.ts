/**
 * Reduces the forms of a word to a common stem, by the script that it is written in; words in Latin letters by
 * the language of the site. Snowball's algorithms, each loaded on first use.
 *
 * @module
 */
import { textBefore } from "../../model/primitives/text_before.ts";
import { STEM_LETTERS_MIN } from "../../tuning.ts";

/** The stem of a word in search form; null for words that have none. */
export type Stemmer = (word: string) => string | null;

type Algorithm = (word: string) => string;

const LANGUAGES: Readonly<Record<string, () => Promise<{ stemmer: Algorithm }>>> = {
  ar: () => import("@orama/stemmers/arabic"),
  bg: () => import("@orama/stemmers/bulgarian"),
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  el: () => import("@orama/stemmers/greek"),
  en: () => import("@orama/stemmers/english"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  ga: () => import("@orama/stemmers/irish"),
  hi: () => import("@orama/stemmers/indian"),
  hu: () => import("@orama/stemmers/hungarian"),
  hy: () => import("@orama/stemmers/armenian"),
  id: () => import("@orama/stemmers/indonesian"),
  it: () => import("@orama/stemmers/italian"),
  lt: () => import("@orama/stemmers/lithuanian"),
  ne: () => import("@orama/stemmers/nepali"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sr: () => import("@orama/stemmers/serbian"),
  sv: () => import("@orama/stemmers/swedish"),
  ta: () => import("@orama/stemmers/tamil"),
  tr: () => import("@orama/stemmers/turkish"),
  uk: () => import("@orama/stemmers/ukrainian"),
};

/** Scripts, each with the languages written in it that have an algorithm; the first one unless the site's is among them. */
const SCRIPTS: readonly (readonly [script: RegExp, languages: readonly string[]])[] = [
  [/^\p{Script=Cyrillic}+$/u, ["ru", "uk", "bg", "sr"]],
  [/^\p{Script=Greek}+$/u, ["el"]],
  [/^\p{Script=Arabic}+$/u, ["ar"]],
  [/^\p{Script=Armenian}+$/u, ["hy"]],
  [/^[\p{Script=Devanagari}\p{M}]+$/u, ["hi", "ne"]],
  [/^[\p{Script=Tamil}\p{M}]+$/u, ["ta"]],
];
const LATIN = /^\p{Script=Latin}+$/u;

const ALIASES: Readonly<Record<string, string>> = { nb: "no", nn: "no" };

/** The stemmer for a site in a language (BCP 47), with the algorithms that its words may need. */
export async function stemmerFor(siteLanguage: string): Promise<Stemmer> {
  const subtag = textBefore(siteLanguage, "-").toLowerCase();
  const language = ALIASES[subtag] ?? subtag;
  const byScript = SCRIPTS.map(([script, languages]) =>
    [script, languages.includes(language) ? language : languages[0]!] as const
  );
  const isLatin = Object.hasOwn(LANGUAGES, language) &&
    !SCRIPTS.some(([, languages]) => languages.includes(language));
  const wanted = [...(isLatin ? [[LATIN, language] as const] : []), ...byScript];
  const algorithms = await Promise.all(
    wanted.map(async ([script, name]) => [script, (await LANGUAGES[name]!()).stemmer] as const),
  );
  return (word) => {
    if (word.length < STEM_LETTERS_MIN) return null;
    return algorithms.find(([script]) => script.test(word))?.[1](word) ?? null;
  };
}
