/**
 * Blocks in which the words of comments are found again after edits, merges and restores, even if they were
 * corrected: by their quote, the text around them when they were commented on, and their place.
 *
 * @module
 */
import search from "approx-string-match";
import {
  ANCHOR_CANDIDATES_MAX,
  ANCHOR_COMPARED_LETTERS_MAX,
  ANCHOR_COMPARED_MAX,
  ANCHOR_CONTEXT_CHARS,
  ANCHOR_GROWTH_CHARS_MAX,
  ANCHOR_GROWTH_MAX,
  ANCHOR_LOST_MAX,
  ANCHOR_MATCHED_LETTERS_MAX,
  ANCHOR_SEARCHED_CHARS_MAX,
} from "../limits/content.ts";
import type {
  AnchorContext,
  CommentAnchor,
  FoundRange,
  TextPosition,
  TextRange,
} from "./comment_anchor.ts";
import type { Json } from "./entities/entity.ts";
import { commonLetters } from "./common_letters.ts";
import { isTextBlock, plainText } from "./values/portable_text.ts";

/** Shorter words have other words like them nearby: corrected, they are recognized by the text around them alone. */
const TELLING_CHARS = 8;
/** The cells of a table are often alike: corrected and moved to another one, only longer words are recognized. */
const TELLING_CHARS_ELSEWHERE = 24;
/** Characters on both sides that must be the same for words to be recognized by the text around them. */
const ADJACENT_CHARS = 12;
/** What another block costs in comparison with lost letters, and what other text around the words does. */
const MOVED_COST = 0.2;
const CONTEXT_COST = 0.3;

/** A block, and where its text begins in the text of all blocks. */
interface AnchoredBlock {
  key: string;
  text: string;
  at: number;
}

/** Words that may be those of an anchor; `lost` is the part of its letters that they lack. */
interface Candidate {
  from: number;
  to: number;
  lost: number;
}

/** What an anchor is looked for by, without line breaks. */
interface Wanted {
  words: string;
  at: number;
  /** The blocks that the words were in; null if they are gone. */
  home: { from: number; to: number } | null;
  context: AnchorContext | undefined;
}

/** What has been compared so far to find the words of all comments on a text. */
export interface AnchorEffort {
  /** Pairs of letters that have been compared. */
  compared: number;
  /** Letters of similar text that have been found. */
  matched: number;
}

/** The text blocks that follow each other in a rich text, a table cell or a callout. */
export class AnchoredBlocks {
  readonly #blocks: AnchoredBlock[] = [];
  /** Without line breaks, so that words in a block that was split or joined still match. */
  readonly #text: string;
  readonly #effort: AnchorEffort;

  constructor(blocks: readonly Json[], effort: AnchorEffort) {
    this.#effort = effort;
    let text = "";
    for (const block of blocks) {
      if (!isTextBlock(block) || typeof block._key !== "string") continue;
      const own = plainText([block]);
      this.#blocks.push({ key: block._key, text: own, at: text.length });
      text += withoutBreaks(own);
    }
    this.#text = text;
  }

  /** The words of an anchor as they are now; null if they were removed, or are not recognizable. */
  find({ start, end, quote }: CommentAnchor, context?: AnchorContext): FoundRange | null {
    const words = withoutBreaks(quote);
    if (words === "") return null;
    const at = this.#indexOf(start) ?? this.#indexIn(context);
    const wanted = { words, context, at, home: this.#home(start, end) };
    return this.#foundRange(this.#exactInPlace(wanted) ?? this.#best(wanted));
  }

  /**
   * Words that were corrected and were in another text before, and what their letters and surroundings lack; null if
   * none are recognizable.
   */
  findMoved(
    { quote }: CommentAnchor,
    context?: AnchorContext,
  ): { range: FoundRange; cost: number } | null {
    const words = withoutBreaks(quote);
    if (words.length < TELLING_CHARS_ELSEWHERE) return null;
    const wanted = { words, context, at: this.#indexIn(context), home: null };
    const best = this.#best(wanted);
    const range = this.#foundRange(best);
    return best === null || range === null ? null : { range, cost: this.#costOf(best, wanted) };
  }

  /** Characters in all blocks. */
  get length(): number {
    return this.#text.length;
  }

  #foundRange(found: Candidate | null): FoundRange | null {
    const range = found === null ? null : this.#rangeOf(found);
    if (found === null || range === null) return null;
    return found.lost === 0 ? range : { ...range, quote: this.#quoteOf(range) };
  }

  /** Where the words are as they were; null if they are not. */
  findExact({ quote }: CommentAnchor): TextRange | null {
    const words = withoutBreaks(quote);
    const from = words === "" ? -1 : this.#text.indexOf(words);
    return from === -1 ? null : this.#rangeOf({ from, to: from + words.length });
  }

  /** The text around the words of an anchor; undefined if they are not there. */
  contextOf(anchor: CommentAnchor): AnchorContext | undefined {
    const range = this.find(anchor);
    const [from, to] = [this.#indexOf(range?.start), this.#indexOf(range?.end)];
    if (from === null || to === null) return undefined;
    return {
      before: this.#text.slice(Math.max(0, from - ANCHOR_CONTEXT_CHARS), from),
      after: this.#text.slice(to, to + ANCHOR_CONTEXT_CHARS),
    };
  }

  /** The words as they were, in their block, nearest to their place, if the text on one side is still there. */
  #exactInPlace(wanted: Wanted): Candidate | null {
    const { home, context, at } = wanted;
    if (home === null) return null;
    const [near] = this.#exact(wanted)
      .filter(({ from }) => from >= home.from && from < home.to)
      .sort((one, other) => Math.abs(one.from - at) - Math.abs(other.from - at));
    if (near === undefined) return null;
    return context === undefined || this.#strangeness(near, context) < 0.5 ? near : null;
  }

  /** The candidate that cost the least, nearest to the former place. */
  #best(wanted: Wanted): Candidate | null {
    const candidates = [
      ...this.#exact(wanted),
      ...this.#similar(wanted),
      ...this.#between(wanted),
    ].filter((one) => this.#isRecognizable(one, wanted));
    const cost = (one: Candidate) => this.#costOf(one, wanted);
    const distance = ({ from }: Candidate) => Math.abs(from - wanted.at);
    const size = ({ from, to }: Candidate) => Math.abs(to - from - wanted.words.length);
    return candidates.sort((one, other) =>
      cost(one) - cost(other) || distance(one) - distance(other) || size(one) - size(other)
    )[0] ?? null;
  }

  #isRecognizable({ from, lost, to }: Candidate, { words, home, context }: Wanted): boolean {
    if (lost === 0) return true;
    if (words.length >= TELLING_CHARS) return true;
    const isHome = home !== null && from < home.to && to > home.from;
    return isHome && context !== undefined && this.#strangeness({ from, to }, context) < 0.6;
  }

  #costOf({ from, to, lost }: Candidate, { home, context }: Wanted): number {
    const isHome = home !== null && from < home.to && to > home.from;
    const strangeness = context === undefined ? 0 : this.#strangeness({ from, to }, context);
    return lost + (isHome ? 0 : MOVED_COST) + strangeness * CONTEXT_COST;
  }

  /** How much of the text around some words is another one: from 0 to 1. */
  #strangeness({ from, to }: Pick<Candidate, "from" | "to">, { before, after }: AnchorContext) {
    const text = this.#text;
    let left = 0;
    while (left < before.length && before.at(-1 - left) === text[from - 1 - left]) left++;
    let right = 0;
    while (right < after.length && after[right] === text[to + right]) right++;
    const share = (same: number, { length }: string, isAtEdge: boolean) =>
      length === 0 ? Number(isAtEdge) : same / length;
    return 1 - (share(left, before, from === 0) + share(right, after, to === text.length)) / 2;
  }

  /** Where the words are as they were, those nearest to their place. */
  #exact({ words, at }: Wanted): Candidate[] {
    const found: Candidate[] = [];
    const add = (from: number) => found.push({ from, to: from + words.length, lost: 0 });
    const half = ANCHOR_CANDIDATES_MAX / 2;
    let from = this.#text.indexOf(words, at);
    for (let n = 0; from !== -1 && n < half; n++) {
      add(from);
      from = this.#text.indexOf(words, from + 1);
    }
    from = at === 0 ? -1 : this.#text.lastIndexOf(words, at - 1);
    for (let n = 0; from !== -1 && n < half; n++) {
      add(from);
      from = from === 0 ? -1 : this.#text.lastIndexOf(words, from - 1);
    }
    return found;
  }

  /** The words that are most like them: in their blocks, and in the text around their place. */
  #similar(wanted: Wanted): Candidate[] {
    const { home } = wanted;
    const inBlocks = home === null ? [] : this.#similarIn(home, wanted);
    return [...inBlocks, ...this.#similarIn({ from: 0, to: this.#text.length }, wanted)];
  }

  #similarIn({ from, to }: { from: number; to: number }, { words, at }: Wanted): Candidate[] {
    const errorsMax = Math.floor(words.length * ANCHOR_LOST_MAX);
    if (errorsMax === 0 || this.#effort.matched > ANCHOR_MATCHED_LETTERS_MAX) return [];
    const half = ANCHOR_SEARCHED_CHARS_MAX / 2;
    const offset = Math.max(from, at - half);
    const matches = search(this.#text.slice(offset, Math.min(to, at + half)), words, errorsMax);
    this.#effort.matched += matches.length * words.length;
    const distance = ({ start }: { start: number }) => Math.abs(offset + start - at);
    return matches
      .sort((one, other) => distance(one) - distance(other))
      .slice(0, ANCHOR_CANDIDATES_MAX)
      .map(({ start, end, errors }) => {
        const stretch = { from: offset + start, to: offset + end };
        return { ...this.#wholeWords(stretch, errors), lost: errors / words.length };
      })
      .filter(({ from, to }) => from < to);
  }

  /** A similar text may end within a word whose last letters are the corrected ones. */
  #wholeWords({ from, to }: { from: number; to: number }, lettersMax: number) {
    const isInWord = (at: number) =>
      LETTER.test(this.#text[at - 1] ?? "") && LETTER.test(this.#text[at] ?? "") &&
      !this.#blocks.some((block) => block.at === at);
    for (let n = 0; n < lettersMax && isInWord(from); n++) from--;
    for (let n = 0; n < lettersMax && isInWord(to); n++) to++;
    return { from, to };
  }

  /** The text that is now between those that were before and after the words. */
  #between({ words, at, context }: Wanted): Candidate[] {
    if (context === undefined) return [];
    const before = context.before.slice(-ADJACENT_CHARS);
    const after = context.after.slice(0, ADJACENT_CHARS);
    const half = ANCHOR_SEARCHED_CHARS_MAX / 2;
    const lengthMax = words.length +
      Math.min(words.length * ANCHOR_GROWTH_MAX, ANCHOR_GROWTH_CHARS_MAX);
    const found: { from: number; to: number }[] = [];
    let start = before === "" ? 0 : this.#text.indexOf(before, Math.max(0, at - half));
    while (start !== -1 && start < at + half) {
      const from = start + before.length;
      const to = after === "" ? this.#text.length : this.#text.indexOf(after, from);
      if (to > from && to - from <= lengthMax) found.push({ from, to });
      start = before === "" ? -1 : this.#text.indexOf(before, from);
    }
    return found
      .sort((one, other) => Math.abs(one.from - at) - Math.abs(other.from - at))
      .slice(0, ANCHOR_COMPARED_MAX)
      .flatMap(({ from, to }) => {
        const lost = this.#lostLetters(words, this.#text.slice(from, to));
        return lost === null ? [] : [{ from, to, lost: lost / words.length || Number.EPSILON }];
      });
  }

  /** How many letters of some words another text lacks; null if too many. */
  #lostLetters(words: string, now: string): number | null {
    this.#effort.compared += words.length * now.length;
    if (this.#effort.compared > ANCHOR_COMPARED_LETTERS_MAX) return null;
    const lost = words.length - commonLetters(words, now);
    const lostMax = Math.max(1, Math.floor(words.length * ANCHOR_LOST_MAX));
    return lost > lostMax || lost === words.length ? null : lost;
  }

  /** The stretch of the blocks from one position to another; of the first alone if the second is gone. */
  #home(start: TextPosition, end: TextPosition): Wanted["home"] {
    const first = this.#blocks.findIndex(({ key }) => key === start.key);
    const last = this.#blocks.findIndex(({ key }) => key === end.key);
    const [from, to] = [this.#blocks[first], this.#blocks[Math.max(first, last)]];
    if (from === undefined || to === undefined) return null;
    return { from: from.at, to: to.at + withoutBreaks(to.text).length };
  }

  #indexOf(position: TextPosition | undefined): number | null {
    const block = this.#blocks.find(({ key }) => key === position?.key);
    if (block === undefined || position === undefined) return null;
    return block.at + withoutBreaks(block.text.slice(0, position.offset)).length;
  }

  /** The place of words whose block is gone, by the text that was around them. */
  #indexIn(context: AnchorContext | undefined): number {
    if (context === undefined) return 0;
    const before = context.before.slice(-ADJACENT_CHARS);
    const after = this.#text.indexOf(context.after.slice(0, ADJACENT_CHARS));
    const at = this.#text.indexOf(before);
    return at === -1 ? Math.max(0, after) : at + before.length;
  }

  #rangeOf({ from, to }: Pick<Candidate, "from" | "to">): TextRange | null {
    const [start, last] = [this.#positionOf(from), this.#positionOf(to - 1)];
    if (start === null || last === null) return null;
    return { start, end: { ...last, offset: last.offset + 1 } };
  }

  #positionOf(at: number): TextPosition | null {
    const block = this.#blocks.findLast((one) => one.at <= at);
    if (block === undefined) return null;
    let left = at - block.at;
    let offset = 0;
    while (block.text[offset] === "\n" || left > 0) {
      if (block.text[offset] !== "\n") left--;
      offset++;
    }
    return { key: block.key, offset };
  }

  /** The text of a range, with line breaks between blocks. */
  #quoteOf({ start, end }: TextRange): string {
    const first = this.#blocks.findIndex(({ key }) => key === start.key);
    const last = this.#blocks.findIndex(({ key }) => key === end.key);
    return this.#blocks.slice(first, last + 1).map(({ text }, index) => {
      const isLast = first + index === last;
      return text.slice(index === 0 ? start.offset : 0, isLast ? end.offset : undefined);
    }).join("\n");
  }
}

const LETTER = /[\p{L}\p{N}]/u;

function withoutBreaks(text: string): string {
  return text.replaceAll("\n", "");
}
