/**
 * Slugs: how they are spelled, and how one is made from a title.
 *
 * @module
 */
import anyAscii from "any-ascii";
import { SLUG_CHARS_MAX, SLUG_DERIVED_CHARS_MAX } from "../limits.ts";

/** What every slug matches. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The same in words. */
export const SLUG_RULE = "Must be lower-case letters and digits, joined by single hyphens";

/** Whether `text` is spelled as a slug. */
export function isSlug(text: string): boolean {
  return text.length <= SLUG_CHARS_MAX && SLUG.test(text);
}

/**
 * A slug made from a title: `Crème Brûlée!` gives `creme-brulee`, `Привет, мир` gives `privet-mir`.
 * Marks are taken off Latin letters only: in other scripts they are part of the letter.
 */
export function slugify(title: string): string {
  const slug = (NOT_ASCII.test(title) ? romanised(title) : title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, SLUG_DERIVED_CHARS_MAX)
    .replace(/-$/, "");
  return slug === "" ? "untitled" : slug;
}

const NOT_ASCII = /\P{ASCII}/u;

function romanised(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    .normalize("NFC")
    .replace(/[^\p{ASCII}\p{P}\p{S}\p{Z}\p{C}]+/gu, transliterate);
}

/** Letters only: the apostrophes of a romanization would tear words apart. */
function transliterate(letters: string): string {
  const latin = (text: string) => anyAscii(text).replace(/[^A-Za-z0-9]+/g, "");
  // Letters that are written as an apostrophe, or not at all, are most of a short word.
  return latin(
    letters.replace(
      /\p{Lo}/gu,
      (letter) => VOWELS[letter] ?? (latin(letter) === "" ? "a" : letter),
    ),
  );
}

/** What carries another vowel than a, which stands for alef, ayn and their like in other scripts. */
const VOWELS: Readonly<Record<string, string>> = { "إ": "i", "ئ": "i", "ؤ": "u" };
