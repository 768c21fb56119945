/**
 * Words of a text, as they are indexed. Scripts that put spaces between words give one term a word. Scripts
 * that do not (Chinese, Japanese, Thai …, and Korean, whose words carry endings) give overlapping pairs of
 * characters and each run's last character alone, so that whatever part of a run is asked for is found,
 * however another version of the segmenter would cut it.
 *
 * @module
 */
import { TERM_UNITS_MAX } from "../../tuning.ts";
import { searchForm } from "../query/search_form.ts";

const ASCII = /^[\x00-\x7f]*$/;
const ASCII_WORD = /[a-z0-9]+/g;
const UNSPACED =
  "[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}" +
  "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc]&&[\\p{L}\\p{N}\\p{M}]]";
const SPACED = `[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]`;
/** A character of a word in a script that puts spaces between words. */
export const SPACED_CHARACTER = new RegExp(SPACED, "v");
/** The same for every ASCII character: most are. */
const ASCII_CHARACTERS = Array.from(
  { length: 0x80 },
  (_, unit) => SPACED_CHARACTER.test(String.fromCharCode(unit)),
);
const RUN = new RegExp(
  `(${UNSPACED}[${UNSPACED}\\p{M}]*)|${SPACED}+`,
  "gv",
);
const MARK = /\p{M}/u;
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;
// "Anna's" is found by "Anna", "don't" is one word; elsewhere an apostrophe separates ("l'été").
const APOSTROPHE = /(?<=[\p{L}\p{N}])['’ʼ](s|t|re|ve|ll|d|m)(?![\p{L}\p{N}])/gu;

/** Whether a character of a word in a script with spaces is at an offset. */
export function isWordAt(text: string, at: number): boolean {
  const point = text.codePointAt(at);
  if (point === undefined) return false;
  return ASCII_CHARACTERS[point] ?? SPACED_CHARACTER.test(String.fromCodePoint(point));
}

/** Whether such a character is before an offset. */
export function isWordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const isLow = (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return isWordAt(text, isLow && at > 1 ? at - 2 : at - 1);
}

/** A stretch of text without spaces or punctuation. */
export interface Run {
  text: string;
  /** Whether its script puts no spaces between words. */
  unspaced: boolean;
}

/** The runs of a text in search form. */
export function* runsOf(text: string): Generator<Run> {
  const form = wordForms(text);
  if (ASCII.test(form)) {
    for (const word of form.match(ASCII_WORD) ?? []) yield { text: word, unspaced: false };
    return;
  }
  for (const match of form.matchAll(RUN)) {
    yield { text: match[0], unspaced: match[1] !== undefined };
  }
}

/** The characters of an unspaced run, each with the marks on it. */
export function clustersOf(run: string): string[] {
  return MARK.test(run) ? run.match(CLUSTER) ?? [] : [...run];
}

/** The term of a word. */
export function termOf(word: string): string {
  return word.length > TERM_UNITS_MAX ? word.slice(0, TERM_UNITS_MAX) : word;
}

/**
 * Calls `emit` with each term, its position, counted from `start`, and whether it is of a run without spaces;
 * returns the position after the last.
 */
export function eachTerm(
  text: string,
  start: number,
  emit: (term: string, position: number, isUnspaced: boolean) => void,
): number {
  const form = wordForms(text);
  let position = start;
  if (ASCII.test(form)) {
    for (const word of form.match(ASCII_WORD) ?? []) emit(termOf(word), position++, false);
    return position;
  }
  for (const match of form.matchAll(RUN)) {
    if (match[1] === undefined) {
      emit(termOf(match[0]), position++, false);
      continue;
    }
    const clusters = clustersOf(match[0]);
    for (const [at, cluster] of clusters.entries()) {
      emit(termOf(cluster + (clusters[at + 1] ?? "")), position++, true);
    }
  }
  return position;
}

function wordForms(text: string): string {
  const form = searchForm(text);
  if (!form.includes("'") && !form.includes("’") && !form.includes("ʼ")) return form;
  return form.replace(APOSTROPHE, (_, tail: string) => tail === "s" ? " " : tail);
}
