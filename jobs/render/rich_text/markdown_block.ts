/**
 * Normalizes text blocks for Markdown: no line break that would end the block or start another, and no style in
 * list items.
 *
 * @module
 */
import { escaped, withEscapedStart, withFittingMarks } from "./markdown_marks.ts";
import type { Node } from "./rich_text_objects.ts";

/** Styles that are one line. */
const HEADING = /^h[1-6]$/;

/** A checked block without what Markdown would read as something else. */
export function markdownBlock(block: Node): Node {
  if (block._type !== "block") return block;
  const isListItem = block.listItem !== undefined;
  const style = isListItem ? "normal" : block.style;
  const lineBreak = HEADING.test(String(style)) ? " " : "\n";
  const lines = withoutBlankLines(block.children as Node[], lineBreak);
  const children = withFittingMarks(lines);
  const isSpecial = isListItem || style === "blockquote";
  return { ...block, style, children: isSpecial ? withoutMarker(children) : children };
}

/** Text that would be read as the box of a task in a list, or as the tone of a callout in a quotation. */
function withoutMarker([first, ...rest]: Node[]): Node[] {
  if (first === undefined) return [];
  const isMarker = isSpan(first) && !isCode(first) && textOf(first).startsWith("[");
  if (!isMarker) return [first, ...rest];
  return [{ ...first, text: escaped("[") + withEscapedStart(textOf(first).slice(1)) }, ...rest];
}

function isCode({ marks }: Node): boolean {
  return (marks as string[]).includes("code");
}

/** Spans with single line breaks between words only. */
function withoutBlankLines(children: readonly Node[], lineBreak: string): Node[] {
  const last = children.findLastIndex((child) => !isSpan(child) || /\S/.test(textOf(child)));
  let isAtBreak = true;
  return children.slice(0, last + 1).map((child, index) => {
    if (!isSpan(child)) {
      isAtBreak = false;
      return child;
    }
    let text = withPlainBreaks(textOf(child)).replace(/[ \t]*\n\s*/g, "\n");
    if (isAtBreak) text = text.replace(/^\s*\n/, "").replace(/^[ \t]+/, "");
    if (index === last) text = text.replace(/\s*\n$/, "");
    if (text !== "") isAtBreak = text.endsWith("\n");
    // Inline code continues after the break.
    return { ...child, text: text.replaceAll("\n", isCode(child) ? " " : lineBreak) };
  }).filter((child) => !isSpan(child) || textOf(child) !== "");
}

/**
 * A text with uniform line breaks. U+2028 and U+2029 become breaks and U+FEFF is removed: JavaScript treats
 * them as white space and Markdown does not, so adjacent delimiters would be parsed differently.
 */
function withPlainBreaks(text: string): string {
  return text.replace(/\ufeff/g, "").replace(/\r\n?|[\u2028\u2029]/g, "\n");
}

function isSpan({ _type }: Node): boolean {
  return _type === "span";
}

function textOf({ text }: Node): string {
  return text as string;
}
