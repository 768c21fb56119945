/**
 * The words of a rich text that a comment is about. The anchor names them by block key, offset and quote, so the
 * words are found again after edits, merges and restores; nothing is stored in the text itself.
 *
 * @module
 */
import { z } from "zod";
import {
  ANCHOR_KEY_CHARS_MAX,
  ANCHOR_PATH_KEYS_MAX,
  ANCHOR_QUOTE_CHARS_MAX,
} from "../limits/content.ts";

const Key = z.string().min(1).max(ANCHOR_KEY_CHARS_MAX);

/**
 * A position: the `_key` of a text block, and UTF-16 code units of the text of its spans before it. `path` has the
 * `_key` of the table and cell, or of the callout, that the block is in; absent for a block of the text itself.
 */
export const TextPosition = z.strictObject({
  key: Key,
  offset: z.int().min(0),
  path: z.array(Key).min(1).max(ANCHOR_PATH_KEYS_MAX).optional(),
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
}).refine(({ start, end }) => pathName(start) === pathName(end), {
  error: "Must be in the same table cell or callout as `start`",
  path: ["end", "path"],
});
export type CommentAnchor = z.infer<typeof CommentAnchor>;

/** The text around the words when they were commented on, without line breaks. */
export interface AnchorContext {
  before: string;
  after: string;
}

/** The words as they are now; `quote` if they have changed. */
export type FoundRange = TextRange & { quote?: string };

/** Identifies the text that a position is in, within a rich text. */
export function pathName({ path = [] }: Pick<TextPosition, "path">): string {
  return JSON.stringify(path);
}
