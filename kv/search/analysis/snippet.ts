/**
 * Cuts the piece of a text that shows best why a document was found.
 *
 * @module
 */
import { SNIPPET_CHARS_MAX } from "../../limits/requests.ts";
import { SNIPPET_MATCHES_MAX, SNIPPET_TEXT_CHARS_MAX } from "../../tuning.ts";
import type { NormalizedText } from "./normalized_text.ts";
import type { Clause } from "../query/search_query.ts";
import type { Searchable } from "./searched_text.ts";
import { WordFinder, type WordMatch } from "../query/word_finder.ts";

const ASCII = /^[\x00-\x7f]*$/;
/** Characters before the first match of a snippet. */
const LEAD_CHARS = 60;

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
  /** Whether its search form is the text in lower case. */
  isAscii: boolean;
  /** Whether it is code, tables and callouts, which say less than prose when they stand alone. */
  isAside?: true;
}

/** Bytes that the engine keeps a text in. */
export function textBytes({ text, isAscii }: ShownText): number {
  return isAscii ? text.length : 2 * text.length;
}

/** The texts of a document that snippets are cut from, in the order of their preference. */
export function shownTexts({ texts, prose, asides }: Searchable): ShownText[] {
  const shown: ShownText[] = [...texts, prose].map(shownText);
  return [...shown, { ...shownText(asides), isAside: true as const }]
    .filter(({ text }) => text !== "");
}

/** Makes a text ready for snippets. */
export function shownText(text: string): ShownText {
  const shown = text.slice(0, SNIPPET_TEXT_CHARS_MAX).replace(/[\s\x00-\x1f\x7f]+/g, " ").trim()
    .normalize("NFC");
  return { text: shown, isAscii: ASCII.test(shown) };
}

/** Cuts snippets for one query. */
export class Highlighter {
  readonly #finder: WordFinder;
  readonly #normalizedText: NormalizedText;

  constructor(clauses: readonly Clause[], alignedForm: NormalizedText) {
    this.#finder = new WordFinder(clauses);
    this.#normalizedText = alignedForm;
  }

  /**
   * The best piece of several texts, as HTML. When only the title has matches, it stands before the
   * beginning of the first text.
   */
  snippet(title: string, texts: readonly ShownText[]): string {
    const heading = shownText(title).text;
    // A title that a field repeats, for search engines or for a card, adds nothing.
    const others = texts.filter(({ text }) => text !== heading);
    let best = { text: "", matches: [] as WordMatch[], score: 0 };
    for (const shown of others) {
      const window = bestWindow(this.#find(shown));
      const isBetter = shown.isAside
        ? wordsOf(window.score) > wordsOf(best.score)
        : window.score > best.score;
      if (isBetter) best = { text: shown.text, ...window };
    }
    if (best.score === 0) {
      const beginning = others[0]?.text.slice(0, SNIPPET_CHARS_MAX) ?? "";
      const shown = shownText(beginning === "" ? title : `${title} – ${beginning}`);
      best = { text: shown.text, ...bestWindow(this.#find(shown)) };
    }
    return cut(best.text, best.matches);
  }

  #find({ text, isAscii }: ShownText): WordMatch[] {
    const form = isAscii ? text.toLowerCase() : this.#normalizedText.of(text);
    return this.#finder.find(form, SNIPPET_MATCHES_MAX);
  }
}

/** How much more a different word counts than one that is there already. */
const PER_WORD = 1_000;

/** How many different words a score is of. */
function wordsOf(score: number): number {
  return Math.floor(score / PER_WORD);
}

/** The run of matches that fits into a snippet and has the most different words. */
function bestWindow(matches: readonly WordMatch[]): { matches: WordMatch[]; score: number } {
  let best = { from: 0, to: 0, score: 0 };
  for (const [from, { start }] of matches.entries()) {
    const limit = start + SNIPPET_CHARS_MAX - LEAD_CHARS - 2;
    let to = from;
    let different = 0;
    for (; to < matches.length && matches[to]!.end <= limit; to++) {
      different += newWords(matches, from, to);
    }
    const score = different * PER_WORD + to - from;
    if (to > from && score > best.score) best = { from, to, score };
  }
  return { matches: matches.slice(best.from, best.to), score: best.score };
}

/** The words that a match adds to those before it: its word counts once, and once more if it matches whole. */
function newWords(matches: readonly WordMatch[], from: number, at: number): number {
  const { word, isWhole } = matches[at]!;
  let isKnown = false;
  for (let before = from; before < at; before++) {
    const match = matches[before];
    if (match?.word !== word) continue;
    if (match.isWhole || !isWhole) return 0;
    isKnown = true;
  }
  return (isKnown ? 0 : 1) + (isWhole ? 1 : 0);
}

/** The text around the matches, as HTML with marks. */
function cut(text: string, matches: readonly WordMatch[]): string {
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

/** The start of a snippet that shows a match at `matchAt`: after a space, if one is near. */
function startOf(text: string, matchAt: number): number {
  if (matchAt <= LEAD_CHARS) return 0;
  const from = matchAt - LEAD_CHARS;
  for (let at = from; at < matchAt; at++) if (text[at] === " ") return at + 1;
  return isLowSurrogate(text, from) ? from + 1 : from;
}

/** The end of a snippet of no more than `limit`: before a space, if one is near. */
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
  return SPECIAL.test(text) ? text.replace(SPECIALS, (sign) => ESCAPES[sign] ?? sign) : text;
}
