/**
 * Cuts the piece of a text that shows best why a document was found.
 *
 * @module
 */
import type { Clause } from "./search_query.ts";
import { foldInPlace } from "./text_folding.ts";
import { SPACED_CHARACTER } from "./tokens.ts";

/** Characters of a snippet, marks and escapes not counted. */
export const SNIPPET_CHARS_MAX = 240;
/** Characters of a text that are looked at for a snippet. */
const TEXT_CHARS_MAX = 50_000;
/** Characters of one match that are marked. */
const MATCH_CHARS_MAX = 100;
const ASCII = /^[\x00-\x7f]*$/;
/** Matches that are looked at in one text. */
const MATCHES_MAX = 200;
/** Characters before the first match of a snippet. */
const LEAD_CHARS = 60;

/** What folding writes as several letters. */
const LETTERS: Readonly<Record<string, string>> = {
  ss: "(?:ss|ß)",
  ae: "(?:ae|æ)",
  oe: "(?:oe|œ)",
  th: "(?:th|þ)",
};
const SPECIAL = /[&<>"']/;
const SPECIALS = /[&<>"']/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text that snippets are cut from: its beginning, with single spaces. */
export interface ShownText {
  text: string;
  /** Whether it needs no folding but that of case. */
  isAscii: boolean;
}

/** Makes a text ready for snippets. */
export function shownText(text: string): ShownText {
  const shown = text.slice(0, TEXT_CHARS_MAX).replace(/[\s\x00-\x1f\x7f]+/g, " ").trim()
    .normalize("NFC");
  return { text: shown, isAscii: ASCII.test(shown) };
}

interface Match {
  start: number;
  end: number;
  /** Which of the words. */
  word: number;
  /** Whether it is the whole word, not only its beginning. */
  isWhole: boolean;
}

/** Finds the words of a query in texts that are to be shown. */
export class Highlighter {
  readonly #words: { text: string; isPrefix: boolean; unspaced: boolean }[];
  readonly #pattern: RegExp;
  readonly #folded = new Map<string, string>();

  constructor(clauses: readonly Clause[]) {
    this.#words = clauses.flatMap(({ words, unspaced, terms }) =>
      words.map((text) => ({ text, unspaced, isPrefix: terms.at(-1)!.isPrefix }))
    ).sort((a, b) => b.text.length - a.text.length);
    const sources = this.#words.map(({ text }) => `(${wordPattern(text)})`);
    this.#pattern = new RegExp(sources.join("|"), "gi");
  }

  /**
   * The best piece of several texts, as HTML. When only the title has matches, it stands before the
   * beginning of the first text.
   */
  snippet(title: string, texts: readonly ShownText[]): string {
    let best = { text: "", matches: [] as Match[], score: 0 };
    for (const shown of texts) {
      const window = bestWindow(this.#find(shown));
      if (window.score > best.score) best = { text: shown.text, ...window };
    }
    if (best.score === 0) {
      const beginning = texts[0]?.text.slice(0, SNIPPET_CHARS_MAX) ?? "";
      const shown = shownText(beginning === "" ? title : `${title} – ${beginning}`);
      best = { text: shown.text, ...bestWindow(this.#find(shown)) };
    }
    return cut(best.text, best.matches);
  }

  #find({ text, isAscii }: ShownText): Match[] {
    const folded = isAscii ? text : foldInPlace(text, this.#folded);
    const pattern = this.#pattern;
    pattern.lastIndex = 0;
    const matches: Match[] = [];
    for (
      let found = pattern.exec(folded);
      found !== null && matches.length < MATCHES_MAX;
      found = pattern.exec(folded)
    ) {
      const match = this.#wordAt(folded, found);
      if (match === null) pattern.lastIndex = found.index + 1;
      else {
        matches.push(match);
        pattern.lastIndex = match.end;
      }
    }
    return matches;
  }

  /** The match as far as it is a whole word, or the beginning of one that may be longer. */
  #wordAt(folded: string, found: RegExpExecArray): Match | null {
    const word = found.findIndex((group, place) => place > 0 && group !== undefined) - 1;
    const { unspaced, isPrefix } = this.#words[word]!;
    const start = found.index;
    let end = start + found[0].length;
    const wholeEnd = end;
    if (!unspaced) {
      if (start > 0 && isWordBefore(folded, start)) return null;
      if (isWordAt(folded, end)) {
        if (!isPrefix) return null;
        while (isWordAt(folded, end)) end += folded.codePointAt(end)! > 0xffff ? 2 : 1;
      }
    }
    return { start, end: Math.min(end, start + MATCH_CHARS_MAX), word, isWhole: end === wholeEnd };
  }
}

function wordPattern(word: string): string {
  return word.replace(/ss|ae|oe|th/g, (letters) => LETTERS[letters]!)
    .replace(/(t|re|ve|ll|d|m)$/, "['’]?$1");
}

function isWordAt(text: string, at: number): boolean {
  return at < text.length && SPACED_CHARACTER.test(String.fromCodePoint(text.codePointAt(at)!));
}

function isWordBefore(text: string, at: number): boolean {
  const isLow = (text.charCodeAt(at - 1) & 0xfc00) === 0xdc00;
  return isWordAt(text, isLow && at > 1 ? at - 2 : at - 1);
}

/** The run of matches that fits into a snippet and has the most different words. */
function bestWindow(matches: readonly Match[]): { matches: Match[]; score: number } {
  let best = { matches: [] as Match[], score: 0 };
  for (let first = 0; first < matches.length; first++) {
    const words = new Set<number>();
    const wholeWords = new Set<number>();
    let last = first;
    const limit = matches[first]!.start + SNIPPET_CHARS_MAX - LEAD_CHARS - 2;
    for (; last < matches.length && matches[last]!.end <= limit; last++) {
      const { word, isWhole } = matches[last]!;
      words.add(word);
      if (isWhole) wholeWords.add(word);
    }
    const score = (words.size + wholeWords.size) * 1_000 + last - first;
    if (last > first && score > best.score) best = { matches: matches.slice(first, last), score };
  }
  return best;
}

/** The text around the matches, as HTML with marks. */
function cut(text: string, matches: readonly Match[]): string {
  const from = startOf(text, matches[0]?.start ?? 0);
  const lead = from > 0 ? "…" : "";
  const room = SNIPPET_CHARS_MAX - lead.length;
  const rest = text.slice(from);
  const end = rest.length <= room ? text.length : endOf(text, from, from + room - 1);
  let html = lead;
  let at = from;
  for (const match of matches) {
    if (match.end > end) break;
    html += escape(text.slice(at, match.start));
    html += `<mark>${escape(text.slice(match.start, match.end))}</mark>`;
    at = match.end;
  }
  html += escape(text.slice(at, end).trimEnd());
  return end < text.length ? `${html}…` : html;
}

/** Where to begin so that a match at `matchAt` is seen: after a space, if there is one near. */
function startOf(text: string, matchAt: number): number {
  if (matchAt <= LEAD_CHARS) return 0;
  const from = matchAt - LEAD_CHARS;
  for (let at = from; at < matchAt; at++) if (text[at] === " ") return at + 1;
  return isLowSurrogate(text, from) ? from + 1 : from;
}

/** Where to end so that no more than up to `limit` is shown: before a space, if there is one near. */
function endOf(text: string, from: number, limit: number): number {
  for (let at = limit; at > Math.max(from, limit - 30); at--) {
    if (text[at] === " ") return at;
  }
  return isLowSurrogate(text, limit) ? limit - 1 : limit;
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

function escape(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (sign) => ESCAPES[sign]!) : text;
}
