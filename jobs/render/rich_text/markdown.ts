/**
 * Markdown (CommonMark) of text and links.
 *
 * @module
 */
import { printable } from "../markup.ts";

const encoder = new TextEncoder();

/** Text that stands for itself, wherever in a line it is. */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replace(/[\\`*_[\]<>~|]|&(?=#?\w+;)/g, "\\$&")
    .replace(/^([ \t]*)([-+=#])/gm, "$1\\$2")
    .replace(/^([ \t]*\d+)([.)])/gm, "$1\\$2");
}

/** The same on one line. */
export function markdownLine(text: string): string {
  return escapeMarkdown(text.replace(/\s+/g, " ").trim());
}

/** A link; its target is one that may stand in an `href`. */
export function markdownLink(text: string, target: string, title = ""): string {
  return `[${markdownLine(text)}](${markdownTarget(target)}${markdownTitle(title)})`;
}

/**
 * The target of a link or an image. Angle brackets stand only around what cannot do without: simple readers,
 * such as those of llms.txt, take them as part of the address.
 */
export function markdownTarget(target: string): string {
  const address = target.replace(/[<>\\\s]/g, encodeURIComponent);
  return address === "" || /[()]/.test(address) ? `<${address}>` : address;
}

/** What is said about the target of a link or an image, behind its address; nothing for no words. */
export function markdownTitle(words: string): string {
  const title = printable(words).replace(/\s+/g, " ").trim();
  return title === "" ? "" : ` "${title.replace(/["\\]/g, "\\$&")}"`;
}

/** Several parts with a blank line between; what is empty is left out. */
export function markdownParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A whole page. */
export function markdownBytes(parts: readonly string[]): Uint8Array {
  return encoder.encode(`${markdownParts(parts)}\n`);
}
