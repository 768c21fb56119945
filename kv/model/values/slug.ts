/**
 * Slugs: how they are spelled, and how one is made from a title.
 *
 * @module
 */
import anyAscii from "any-ascii";
import { SLUG_CHARS_MAX, SLUG_DERIVED_CHARS_MAX } from "../../limits/content.ts";

/** How slugs are spelled: in Latin letters without marks, or in the letters of every script. */
export type SlugForm = "ascii" | "unicode";

/** The pattern of slugs, unless the site allows every script. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** The pattern of slugs of any script, which are also in NFC and lower case. */
const UNICODE_SLUG = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u;

/** The same in words. */
export const SLUG_RULES: Readonly<Record<SlugForm, string>> = {
  ascii: "Must be lower-case letters and digits, joined by single hyphens",
  unicode: "Must be lower-case letters and digits of any script (NFC), joined by single hyphens",
};

/** The pattern of slugs that a description of the API states. */
export function slugPattern(form: SlugForm = "ascii"): string {
  return (form === "ascii" ? SLUG : UNICODE_SLUG).source;
}

/** Whether `text` is spelled as a slug. */
export function isSlug(text: string, form: SlugForm = "ascii"): boolean {
  if (text.length > SLUG_CHARS_MAX) return false;
  if (SLUG.test(text)) return true;
  if (form === "ascii" || !UNICODE_SLUG.test(text)) return false;
  return text === text.normalize("NFC") && text === text.toLowerCase();
}

/**
 * A slug made from a title: `Crème Brûlée!` gives `creme-brulee`, `Привет, мир` gives `privet-mir`, or
 * `привет-мир` where slugs are of every script. Marks are taken off Latin letters only: in other scripts they are part
 * of the letter.
 */
export function slugify(title: string, form: SlugForm = "ascii"): string {
  if (form === "unicode") return inEveryScript(title);
  const slug = (NOT_ASCII.test(title) ? romanised(title) : title)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, SLUG_DERIVED_CHARS_MAX)
    .replace(/-$/, "");
  return slug === "" ? UNTITLED : slug;
}

/** Words of other scripts stay as they are; those of Latin letters lose their marks, as everywhere. */
function inEveryScript(title: string): string {
  const words = title.normalize("NFC").split(/[^\p{L}\p{N}\p{M}]+/u).map((word) => {
    if (/^[\p{Script=Latin}\p{N}\p{M}]*$/u.test(word)) return slugify(word, "ascii");
    return word.toLowerCase().normalize("NFC").replace(/^\p{M}+/u, "");
  }).filter((word) => word !== "" && word !== UNTITLED);
  const slug = words.join("-").slice(0, SLUG_DERIVED_CHARS_MAX).replace(/[-\uD800-\uDBFF]$/u, "");
  return isSlug(slug, "unicode") ? slug : UNTITLED;
}

/** The slug of a title without letters and digits. */
const UNTITLED = "untitled";

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

/** Letters that carry a vowel other than "a", which alef, ayn and similar letters become by default. */
const VOWELS: Readonly<Record<string, string>> = { "إ": "i", "ئ": "i", "ؤ": "u" };
