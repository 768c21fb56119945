/**
 * Preserves line breaks and white space of pasted HTML where the page shows them: in `pre`, in elements styled
 * like it, and between blocks.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { PASTED_STYLE } from "./pasted_html.ts";

/** Elements that begin and end a line. */
export const BLOCK_TAGS =
  "p, h1, h2, h3, h4, h5, h6, blockquote, pre, li, ul, ol, dl, dt, dd, div, section, article, header, footer, main, " +
  "aside, figure, figcaption, details, summary, address, table, tr, hr";

/** The value of a style of a pasted element; empty for none. */
export function styleOf(element: Element, name: string): string {
  const style = element.getAttribute(PASTED_STYLE) ?? "";
  const found = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, "i").exec(style);
  return found?.[1]?.trim() ?? "";
}

/** The text of code with line breaks, whether they are `br`, block elements or newlines. */
export function codeText(code: Element): string {
  let text = "";
  const visit = (node: globalThis.Node) => {
    if (!(node instanceof Element)) {
      text += node.textContent ?? "";
      return;
    }
    if (node.matches("br")) {
      text += "\n";
      return;
    }
    const isLine = node !== code && node.matches(BLOCK_TAGS);
    if (isLine && text !== "" && !text.endsWith("\n")) text += "\n";
    const before = text.length;
    node.childNodes.forEach(visit);
    // An element without text is an empty line, unless a break in it says so already.
    if (isLine && (!text.endsWith("\n") || text.length === before)) text += "\n";
  };
  visit(code);
  return text.replace(/\r\n?/g, "\n");
}

/**
 * Code copied from a code editor as lines in a monospace font: several lines become `pre`, a single one becomes
 * inline code.
 */
export function readEditorCode(root: Element): void {
  for (const element of root.querySelectorAll<HTMLElement>(`div[${PASTED_STYLE}*="white-space"]`)) {
    const isCode = styleOf(element, "white-space") === "pre" &&
      /monospace|consolas|menlo|courier/i.test(styleOf(element, "font-family"));
    if (!isCode || element.closest("pre") !== null) continue;
    const text = codeText(element).replace(/^\n|\n$/g, "");
    const code = document.createElement(text.includes("\n") ? "pre" : "code");
    code.textContent = text;
    element.replaceWith(code);
  }
}

/** Converts preserved white space to breaks and non-breaking spaces. */
export function readSpaces(root: Element): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    texts.push(node as Text);
  }
  for (const text of texts) {
    const shown = shownSpace(text);
    if (shown !== null) readText(text, shown === "pre-line");
  }
}

/** The `white-space` of a text that shows line breaks; null for one that does not, and for code. */
function shownSpace(text: Text): string | null {
  for (let above = text.parentElement; above !== null; above = above.parentElement) {
    if (above.matches("pre, code, [data-object]")) return null;
    const value = styleOf(above, "white-space");
    if (value !== "") return /^(?:pre|break-spaces)/.test(value) ? value : null;
  }
  return null;
}

function readText(text: Text, isPreLine: boolean): void {
  const given = text.data.replace(/\r\n?/g, "\n");
  // Between blocks there is nothing to see but the lines of the source.
  const isBetween = given.trim() === "" &&
    [text.previousSibling, text.nextSibling].some((one) =>
      one instanceof Element && one.matches(BLOCK_TAGS)
    );
  if (isBetween || !/\n|\t| {2}/.test(given)) return;
  const lines = given.split("\n");
  if (text.previousSibling === null && lines[0]?.trim() === "" && lines.length > 1) lines.shift();
  if (text.nextSibling === null && lines.at(-1)?.trim() === "" && lines.length > 1) lines.pop();
  const nodes = lines.flatMap((line, at) => [
    ...(at > 0 ? [document.createElement("br")] : []),
    document.createTextNode(isPreLine ? line : fixedSpaces(line, at > 0)),
  ]);
  text.replaceWith(...nodes);
}

/** A line with significant spaces; the last of several stays a normal space, so that the line can wrap. */
function fixedSpaces(line: string, isAtStart: boolean): string {
  const spaced = line.replaceAll("\t", "    ").replace(
    / {2,}/g,
    (run) => "\u00a0".repeat(run.length - 1) + " ",
  );
  return isAtStart ? spaced.replace(/^[ \u00a0]+/, (run) => "\u00a0".repeat(run.length)) : spaced;
}
