/**
 * The code in Markdown, which nothing but Markdown itself may interpret.
 *
 * @module
 */
import { MARKDOWN_SPAN_CHARS_MAX } from "../../limits.ts";

/** A fenced block, up to its end or that of the text, and a code span. */
const CODE = new RegExp(
  "^[ \\t>]*(`{3,}|~{3,})[^\\n]*(?:\\n(?![ \\t>]*\\1[`~]*[ \\t]*$)[^\\n]*)*(?:\\n[^\\n]*)?" +
    `|(?<!\`)(\`{1,9})(?!\`)(?:(?!\\n[ \\t]*\\n)[^]){1,${MARKDOWN_SPAN_CHARS_MAX}}?(?<!\`)\\2(?!\`)`,
  "gm",
);

/** A part of a text. */
export interface MarkdownPart {
  text: string;
  /** Null for text that is not code. */
  kind: "fence" | "span" | null;
}

/** The parts of a Markdown text in order: code, and what is between. */
export function markdownParts(markdown: string): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let end = 0;
  for (const match of markdown.matchAll(CODE)) {
    parts.push({ text: markdown.slice(end, match.index), kind: null });
    parts.push({ text: match[0], kind: match[1] === undefined ? "span" : "fence" });
    end = match.index + match[0].length;
  }
  parts.push({ text: markdown.slice(end), kind: null });
  return parts.filter(({ text }) => text !== "");
}
