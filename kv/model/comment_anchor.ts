/**
 * The words of a rich text that a comment is about. The anchor names them by block key, offset and quote, so the
 * words are found again after edits, merges and restores; nothing is stored in the text itself.
 *
 * @module
 */
import { z } from "zod";
import { ANCHOR_KEY_CHARS_MAX, ANCHOR_QUOTE_CHARS_MAX } from "../limits/content.ts";
import type { Json } from "./entities/entity.ts";
import { isTextBlock, plainText } from "./values/portable_text.ts";

/** A position: the `_key` of a text block, and UTF-16 code units of the text of its spans before it. */
export const TextPosition = z.strictObject({
  key: z.string().min(1).max(ANCHOR_KEY_CHARS_MAX),
  offset: z.int().min(0),
});
export type TextPosition = z.infer<typeof TextPosition>;

/** Where the words are. */
export interface TextRange {
  start: TextPosition;
  end: TextPosition;
}

/** The words of a new comment; line breaks of the quote stand for those of blocks, too. */
export const CommentAnchor = z.strictObject({
  start: TextPosition,
  end: TextPosition,
  quote: z.string().max(ANCHOR_QUOTE_CHARS_MAX).regex(/\S/, "The quote has no words"),
});
export type CommentAnchor = z.infer<typeof CommentAnchor>;

/** A block, and where its text begins in the text of all blocks. */
interface AnchoredBlock {
  key: string;
  text: string;
  at: number;
}

/** A rich text, prepared to find the words of many comments. */
export class AnchoredText {
  readonly #blocks: AnchoredBlock[] = [];
  /** Without line breaks, so that words in a block that was split or joined still match. */
  readonly #text: string;

  constructor(value: Json | undefined) {
    let text = "";
    for (const block of Array.isArray(value) ? value : []) {
      if (!isTextBlock(block) || typeof block._key !== "string") continue;
      const own = plainText([block]);
      this.#blocks.push({ key: block._key, text: own, at: text.length });
      text += withoutBreaks(own);
    }
    this.#text = text;
  }

  /**
   * Finds the words of an anchor: in the block where they begin, nearest to their former place; else the first
   * ones in other blocks. Null if the text was removed.
   */
  find({ start, quote }: CommentAnchor): TextRange | null {
    const words = withoutBreaks(quote);
    const at = this.#inBlock(start, words) ?? this.#text.indexOf(words);
    if (words === "" || at === -1) return null;
    const [from, to] = [this.#positionOf(at), this.#positionOf(at + words.length - 1)];
    if (from === null || to === null) return null;
    return { start: from, end: { ...to, offset: to.offset + 1 } };
  }

  /** The occurrence that begins in a block, nearest to an offset. */
  #inBlock({ key, offset }: TextPosition, words: string): number | null {
    const block = this.#blocks.find((one) => one.key === key);
    if (block === undefined) return null;
    const end = block.at + withoutBreaks(block.text).length;
    const wanted = block.at + withoutBreaks(block.text.slice(0, offset)).length;
    const before = this.#text.lastIndexOf(words, wanted);
    const after = this.#text.indexOf(words, wanted);
    const near = [before, after].filter((at) => at >= block.at && at < end);
    const distance = (at: number) => Math.abs(at - wanted);
    return near.sort((one, other) => distance(one) - distance(other))[0] ?? null;
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
}

function withoutBreaks(text: string): string {
  return text.replaceAll("\n", "");
}
