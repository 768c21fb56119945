/**
 * Paragraphs that are their own Markdown. The library that writes Markdown looks at every character of a text for
 * what would be read as a mark; most paragraphs have none, and one look tells it.
 *
 * @module
 */
import type { Node } from "./rich_text_objects.ts";

/**
 * A line that begins with a letter, a quotation mark or a bracket, so that it is no heading, list, quotation, table,
 * rule, or code by indentation, and has nothing in it that begins a mark, a link, an entity, HTML or an escape.
 */
const PLAIN = /^[\p{L}“”„«‘’"'(][^\\`~*_&<\]\r\n\0]*$/u;

/** The Markdown of a checked block that is a paragraph of plain words; null of all others. */
export function plainParagraph({ _type, style, listItem, children }: Node): string | null {
  if (_type !== "block" || style !== "normal" || listItem !== undefined) return null;
  let words = "";
  for (const { _type, text, marks } of children as Node[]) {
    if (_type !== "span" || (marks as string[]).length > 0) return null;
    words += text;
  }
  return PLAIN.test(words) ? words : null;
}
