/**
 * Finds the words of a query where a text has them, also as they may be written there: "straße" for
 * "strasse", "don't" for "dont". Every word is looked for by itself, by its unchanging beginning.
 *
 * @module
 */
import { MATCH_CHARS_MAX } from "../../tuning.ts";
import type { Clause } from "./search_query.ts";
import { PAIRS } from "./search_form.ts";
import { isWordAt, isWordBefore } from "../analysis/tokens.ts";

/** Endings that may follow an apostrophe. */
const TAIL = /(?:t|re|ve|ll|d|m)$/;
const APOSTROPHES = "'’ʼ";

/** A index where a text has a word. */
export interface WordMatch {
  start: number;
  end: number;
  /** Which of the words. */
  word: number;
  /** Whether it is the whole word, not only its beginning. */
  isWhole: boolean;
}

/** A word with one of its beginnings. */
interface Spelling {
  word: number;
  text: string;
  isPrefix: boolean;
  isUnspaced: boolean;
  /** Index of the ending that may follow an apostrophe; -1 for none. */
  tailAt: number;
  /** The first letters of the word in this spelling. */
  beginning: string;
}

/** Finds the words of some clauses. */
export class WordFinder {
  /** Longer words first: they win over shorter ones at the same index. */
  readonly #spellings: Spelling[];

  constructor(clauses: readonly Clause[]) {
    let count = 0;
    this.#spellings = clauses.flatMap(({ words, unspaced, terms, forms = [] }) => {
      const isPrefix = terms.at(-1)?.isPrefix ?? false;
      const own = words.map((text) => ({ word: count++, text, isPrefix }));
      // Forms belong to a clause of one word, and count as that word.
      const others = forms.map((text) => ({ word: count - 1, text, isPrefix: false }));
      return [...own, ...others].map((spelling) => ({
        ...spelling,
        isUnspaced: unspaced,
        tailAt: Math.max(spelling.text.search(TAIL), 0) || -1,
      }));
    }).sort((a, b) => b.text.length - a.text.length)
      .flatMap((spelling) =>
        beginningsOf(spelling.text, spelling.tailAt)
          .map((beginning) => ({ ...spelling, beginning }))
      );
  }

  /** The first matches in a text in search form, in order; none overlaps another. */
  find(form: string, matchesMax: number): WordMatch[] {
    const nearest = this.#spellings.map((spelling) => nextMatch(form, spelling, 0));
    const matches: WordMatch[] = [];
    while (matches.length < matchesMax) {
      const match = firstOf(nearest);
      if (match === null) break;
      matches.push(match);
      for (const [index, spelling] of this.#spellings.entries()) {
        const known = nearest[index] ?? null;
        if (known !== null && known.start < match.end) {
          nearest[index] = nextMatch(form, spelling, match.end);
        }
      }
    }
    return matches;
  }
}

/** How a word begins in a text: up to the first index where it may be written in another way. */
function beginningsOf(text: string, tailAt: number): string[] {
  const changes = Object.values(PAIRS).map((letters) => text.indexOf(letters, 1))
    .concat(tailAt).filter((at) => at > 0);
  const others = Object.entries(PAIRS)
    .flatMap(([letter, letters]) => text.startsWith(letters) ? [letter] : []);
  return [text.slice(0, Math.min(text.length, ...changes)), ...others];
}

function firstOf(matches: readonly (WordMatch | null)[]): WordMatch | null {
  let first: WordMatch | null = null;
  for (const match of matches) {
    if (match !== null && (first === null || match.start < first.start)) first = match;
  }
  return first;
}

function nextMatch(form: string, spelling: Spelling, from: number): WordMatch | null {
  const { beginning } = spelling;
  for (let at = form.indexOf(beginning, from); at >= 0; at = form.indexOf(beginning, at + 1)) {
    const match = matchAt(form, spelling, at);
    if (match !== null) return match;
  }
  return null;
}

/** The match at a index if it is a whole word there, or the beginning of one that may be longer. */
function matchAt(form: string, spelling: Spelling, start: number): WordMatch | null {
  const { word, isPrefix, isUnspaced } = spelling;
  if (!isUnspaced && isWordBefore(form, start)) return null;
  const wholeEnd = endOf(form, spelling, start);
  if (wholeEnd < 0) return null;
  let end = wholeEnd;
  if (!isUnspaced && isWordAt(form, end)) {
    if (!isPrefix) return null;
    while (isWordAt(form, end)) end += (form.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return { start, end: Math.min(end, start + MATCH_CHARS_MAX), word, isWhole: end === wholeEnd };
}

/** The end of a word that begins at `at`; -1 if the word is not there. */
function endOf(form: string, { text, tailAt }: Spelling, at: number): number {
  let done = 0;
  while (done < text.length) {
    const letter = form[at];
    if (letter === undefined) return -1;
    const pair = PAIRS[letter];
    if (letter === text[done]) done += 1;
    else if (pair !== undefined && text.startsWith(pair, done)) done += pair.length;
    else {
      const isTail = done === tailAt && APOSTROPHES.includes(letter) &&
        form.startsWith(text.slice(tailAt), at + 1);
      return isTail ? at + 1 + text.length - tailAt : -1;
    }
    at += 1;
  }
  return at;
}
