/**
 * Markdown (CommonMark) of text and links.
 *
 * @module
 */
import { printable } from "../markup.ts";

const encoder = new TextEncoder();

/** Escapes text, so that Markdown reads it literally anywhere in a line. */
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

/** A link; its target is a safe `href`. */
export function markdownLink(text: string, target: string, title = ""): string {
  return `[${markdownLine(text)}](${markdownTarget(target)}${markdownTitle(title)})`;
}

/**
 * The target of a link or an image. Angle brackets are used only if necessary: simple parsers, such as those of
 * llms.txt, treat them as part of the URL.
 */
export function markdownTarget(target: string): string {
  const address = target.replace(/[<>\\\s]/g, encodeURIComponent);
  return address === "" || /[()]/.test(address) ? `<${address}>` : address;
}

/** The title of a link or an image after its URL; nothing if it is empty. */
export function markdownTitle(words: string): string {
  const title = printable(words).replace(/\s+/g, " ").trim();
  return title === "" ? "" : ` "${title.replace(/["\\]/g, "\\$&")}"`;
}

/** Joins non-empty parts with blank lines. */
export function markdownParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A whole page. */
export function markdownBytes(parts: readonly string[]): Uint8Array {
  return encoder.encode(`${markdownParts(parts)}\n`);
}
