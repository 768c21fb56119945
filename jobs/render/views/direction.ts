/**
 * Which way text runs: that of a site by its language, that of a document by its title.
 *
 * @module
 */

export type Direction = "ltr" | "rtl";

/** Scripts that are written from right to left, as language tags call them. */
const RTL_SCRIPTS: ReadonlySet<string> = new Set([
  "Adlm",
  "Arab",
  "Aran",
  "Hebr",
  "Mand",
  "Nkoo",
  "Rohg",
  "Samr",
  "Syrc",
  "Thaa",
]);
const RTL_LETTER =
  /[\p{Script=Adlam}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Mandaic}\p{Script=Nko}\p{Script=Hanifi_Rohingya}\p{Script=Samaritan}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Finding one out is slow; a site has one language. */
const DIRECTIONS = new Map<string, Direction>();

/** The direction of a language; from left to right for one that is unknown. */
export function languageDirection(language: string): Direction {
  const direction = DIRECTIONS.get(language) ?? directionOf(language);
  DIRECTIONS.set(language, direction);
  return direction;
}

function directionOf(language: string): Direction {
  try {
    const { script } = new Intl.Locale(language).maximize();
    return RTL_SCRIPTS.has(script ?? "") ? "rtl" : "ltr";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "ltr";
  }
}

/** The direction of the first letter of a text; null for a text without any. */
function textDirection(text: string): Direction | null {
  const letter = /\p{L}/u.exec(text)?.[0];
  return letter === undefined ? null : RTL_LETTER.test(letter) ? "rtl" : "ltr";
}

/** The text direction of a document if it differs from the site's. */
export function foreignDirection(title: string, language: string): Direction | null {
  const own = textDirection(title);
  return own === languageDirection(language) ? null : own;
}
