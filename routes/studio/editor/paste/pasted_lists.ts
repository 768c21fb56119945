/**
 * Entries of pasted lists: each becomes a paragraph that knows its list and its depth, with its blocks as lines.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { RICH_TEXT_LIST_LEVEL_MAX } from "../../../../kv/limits/content.ts";
import { BLOCK_TAGS } from "./pasted_spaces.ts";

/** The content after the paragraph of a list item. */
const SEPARATE = "ul, ol, pre, table, hr, [data-object]";

/** Makes a paragraph of an entry; what cannot be in one follows it. */
export function flatten(entry: Element): void {
  const paragraph = document.createElement("p");
  paragraph.dataset.list = entry.parentElement?.matches("ol") ? "number" : "bullet";
  paragraph.dataset.level = String(levelOf(entry));
  const apart: Element[] = [];
  const lines = linesOf(entry, apart);
  for (const [at, line] of lines.entries()) {
    if (at > 0) paragraph.append(document.createElement("br"));
    paragraph.append(...line);
  }
  entry.before(paragraph);
  entry.replaceWith(...apart);
}

/** The depth of a list item: Word Online creates a list per item and gives the depth in an attribute. */
function levelOf(entry: Element): number {
  let lists = 0;
  for (let above = entry.parentElement; above !== null; above = above.parentElement) {
    if (above.matches("ul, ol")) lists += 1;
  }
  const given = entry.getAttribute("data-aria-level") ?? entry.getAttribute("aria-level") ?? "";
  const level = Math.max(lists, /^\d+$/.test(given) ? Number(given) : 1);
  return Math.min(Math.max(level, 1), RICH_TEXT_LIST_LEVEL_MAX);
}

/** The lines of an element: each of its blocks begins and ends one. */
function linesOf(element: Element, apart: Element[]): ChildNode[][] {
  const lines: ChildNode[][] = [];
  let line: ChildNode[] = [];
  const end = () => {
    if (line.some(hasContent)) lines.push(line);
    line = [];
  };
  const visit = (node: ChildNode) => {
    if (!(node instanceof Element)) line.push(node);
    else if (node.matches(SEPARATE)) {
      end();
      apart.push(node);
    } else if (node.matches(BLOCK_TAGS) || node.querySelector(BLOCK_TAGS) !== null) {
      end();
      [...node.childNodes].forEach(visit);
      end();
    } else line.push(node);
  };
  [...element.childNodes].forEach(visit);
  end();
  return lines;
}

function hasContent(node: ChildNode): boolean {
  if (node.textContent?.trim() !== "") return true;
  return node instanceof Element && (node.matches("img") || node.querySelector("img") !== null);
}
