/**
 * The search form of text: what makes search blind to case, diacritics and compatibility forms.
 *
 * @module
 */

const ASCII = /^[\x00-\x7f]*$/;

// Marks of Latin, Greek, Cyrillic, Hebrew and Arabic. Vowel signs of other scripts are letters to their readers,
// and the voicing marks of kana (U+3099, U+309A) make other letters: those stay.
const DIACRITICS =
  /[[[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]&&\p{M}]--[\u3099\u309a]]|[\u00ad\u0640\u200b-\u200d\u2060\ufeff]/gv;

/** Letters that no normalisation takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  "ß": "ss",
  "æ": "ae",
  "œ": "oe",
  "ø": "o",
  "ł": "l",
  "đ": "d",
  "ð": "d",
  "þ": "th",
  "ħ": "h",
  "ı": "i",
  "ĸ": "k",
  "ŋ": "ng",
  "ŧ": "t",
  "ς": "σ",
};
/** Those that are written with two. */
export const PAIRS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LETTERS).filter(([, letters]) => letters.length === 2),
);
const LETTERS_PATTERN = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

// NFKD takes the Thai and Lao vowel "am" apart although it is one letter, and nothing puts it together again.
const THAI_AM = /\u0e4d\u0e32/g;
const LAO_AM = /\u0ecd\u0eb2/g;

/** The text in the form in which words are compared: lower case, without diacritics, composed. */
export function searchForm(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").toLowerCase().replace(DIACRITICS, "")
    .replace(LETTERS_PATTERN, (letter) => LETTERS[letter] ?? letter)
    .replace(THAI_AM, "\u0e33").replace(LAO_AM, "\u0eb3").normalize("NFC");
}
