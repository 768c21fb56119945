/**
 * Folding: what makes search blind to case, diacritics and compatibility forms.
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
const LETTERS_PATTERN = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

// NFKD takes the Thai and Lao vowel "am" apart although it is one letter, and nothing puts it together again.
const THAI_AM = /\u0e4d\u0e32/g;
const LAO_AM = /\u0ecd\u0eb2/g;

/** The text in the form in which words are compared: lower case, without diacritics, composed. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").toLowerCase().replace(DIACRITICS, "")
    .replace(LETTERS_PATTERN, (letter) => LETTERS[letter]!)
    .replace(THAI_AM, "\u0e33").replace(LAO_AM, "\u0eb3").normalize("NFC");
}

// Everything that folding may change, except the scripts that fill a whole text and never change.
const FOLDABLE =
  /[[^\x00-\x7f]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]]/gv;

/**
 * The text folded so that every character keeps its place: what folds into more or fewer code units is left
 * as it is in lower case. For finding matches in a text that is to be shown; `known` remembers characters.
 */
export function foldInPlace(text: string, known = new Map<string, string>()): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replace(
    FOLDABLE,
    (character) => {
      const folded = known.get(character) ?? foldCharacter(character);
      known.set(character, folded);
      return folded;
    },
  );
}

function foldCharacter(character: string): string {
  const forms = [fold(character), character.toLowerCase(), character];
  return forms.find(({ length }) => length === character.length)!;
}
