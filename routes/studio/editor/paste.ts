/**
 * What is pasted, made clean: word processors, mail programs and web pages bring styles and wrappers
 * that say nothing; what they mean is kept.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import {
  DOMParser,
  Fragment,
  type Node,
  type ParseOptions,
  Slice,
  type TagParseRule,
} from "prosemirror-model";
import { LINE_RULES, linkMark, MARK_RULES } from "./input_rules.ts";
import type { EditorView } from "prosemirror-view";
import { LIST_LEVEL_MAX, schema } from "./schema.ts";
import { textNodes } from "./from_portable.ts";

/** Elements that say nothing, with all that is in them. */
const SILENT = "script, style, meta, link, title, template, noscript, svg, button, input, select";
/** Elements in which a block of text may be. */
const BLOCKS =
  "p, h1, h2, h3, h4, h5, h6, blockquote, pre, li, div, section, article, td, th, dd, dt";

/** Reads pasted HTML. */
export class PasteParser extends DOMParser {
  constructor() {
    super(schema, [...DOMParser.fromSchema(schema).rules, LINK_RULE]);
  }

  override parseSlice(dom: globalThis.Node, options?: ParseOptions): Slice {
    if (dom instanceof Element) cleanUp(dom);
    return super.parseSlice(dom, { ...options, preserveWhitespace: false });
  }
}

const LINK_RULE: TagParseRule = {
  tag: "a[href]",
  mark: "annotation",
  getAttrs: (element) => {
    const href = element.getAttribute("href")!;
    return !href.startsWith("#") && (linkMark(href)?.attrs ?? false);
  },
};

/** Makes plain paragraphs of what other programs write. */
function cleanUp(root: Element): void {
  for (const silent of root.querySelectorAll(SILENT)) silent.remove();
  if (root.querySelector("[data-pm-slice]") !== null || root.matches("[data-pm-slice]")) return;
  for (const span of root.querySelectorAll<HTMLElement>("span, b, font, i")) respectStyle(span);
  for (
    const element of root.querySelectorAll<HTMLElement>("p[style*=mso-list], p[class*=MsoList]")
  ) {
    readWordEntry(element);
  }
  for (const entry of [...root.querySelectorAll("li")]) flatten(entry);
  for (const list of [...root.querySelectorAll("ul, ol")].reverse()) unwrap(list);
  for (const quote of root.querySelectorAll("blockquote")) {
    if (quote.querySelector(BLOCKS) === null) continue;
    for (const quoted of quote.querySelectorAll<HTMLElement>("p, div")) {
      quoted.dataset.style = "blockquote";
    }
    unwrap(quote);
  }
  for (const wrapper of [...root.querySelectorAll("div, section, article, td, th")].reverse()) {
    if (wrapper.querySelector(BLOCKS) !== null) unwrap(wrapper);
  }
  for (const paragraph of [...root.querySelectorAll("p, div, h1, h2, h3, h4, h5, h6")]) {
    const isEmpty = paragraph.textContent!.trim() === "" &&
      paragraph.querySelector("[data-object]") === null;
    if (isEmpty) paragraph.remove();
  }
}

/** Programs say by style what elements would say; and some wrap everything in a bold that is none. */
function respectStyle(span: HTMLElement): void {
  const weight = styleOf(span, "font-weight");
  const slant = styleOf(span, "font-style");
  const lines = styleOf(span, "text-decoration") + styleOf(span, "text-decoration-line");
  const isPlain = (span.matches("b") && /^(normal|400)$/.test(weight)) ||
    (span.matches("i") && slant === "normal");
  const isBold = !span.matches("b") && (weight === "bold" || Number(weight) >= 600);
  const tags = [
    ...(isBold ? ["strong"] : []),
    ...(!span.matches("i") && slant === "italic" ? ["em"] : []),
    ...(lines.includes("line-through") ? ["s"] : []),
    ...(lines.includes("underline") && span.closest("a") === null ? ["u"] : []),
  ];
  for (const tag of tags) {
    const inner = document.createElement(tag);
    inner.append(...span.childNodes);
    span.append(inner);
  }
  if (isPlain) unwrap(span);
}

/** Read from the attribute's text: what the page's policy forbids is not in an element's `style`. */
function styleOf(element: Element, name: string): string {
  const style = element.getAttribute("style") ?? "";
  const found = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, "i").exec(style);
  return found === null ? "" : found[1]!.trim();
}

/** Word writes lists as paragraphs, their signs as text. */
function readWordEntry(element: HTMLElement): void {
  const level = /level(\d)/.exec(element.getAttribute("style") ?? "")?.[1] ?? "1";
  const sign = element.querySelector<HTMLElement>(
    '[style*="mso-list:Ignore"], [style*="mso-list: Ignore"]',
  );
  const words = sign?.textContent?.trim() ?? "";
  sign?.remove();
  element.dataset.list = /^\(?[\da-z]{1,3}[.)]/i.test(words) && words.length > 1
    ? "number"
    : "bullet";
  element.dataset.level = level;
}

/** An entry of a nested list becomes a paragraph that knows how deep it is. */
function flatten(entry: Element): void {
  let level = 0;
  for (let above = entry.parentElement; above !== null; above = above.parentElement) {
    if (above.matches("ul, ol")) level += 1;
  }
  const isNumber = entry.parentElement?.matches("ol") ?? false;
  const paragraph = document.createElement("p");
  paragraph.dataset.list = isNumber ? "number" : "bullet";
  paragraph.dataset.level = String(Math.min(Math.max(level, 1), LIST_LEVEL_MAX));
  const inner = [...entry.childNodes];
  for (const child of inner) {
    if (child instanceof Element && child.matches("ul, ol")) continue;
    if (child instanceof Element && child.matches("p, div, h1, h2, h3, h4")) {
      if (paragraph.textContent!.trim() !== "") paragraph.append(document.createElement("br"));
      paragraph.append(...child.childNodes);
      child.remove();
    } else paragraph.append(child);
  }
  entry.before(paragraph);
  unwrap(entry);
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

/** Into an empty block comes what was copied as it was; elsewhere the words join those that are there. */
export function closeOverEmpty(slice: Slice, view: EditorView): Slice {
  const { parent } = view.state.selection.$from;
  const first = slice.content.firstChild;
  const isEmpty = parent.type.name === "textblock" && parent.content.size === 0;
  if (!isEmpty || first?.type.name !== "textblock") return slice;
  const isPlain = (first.attrs.style ?? "normal") === "normal" && first.attrs.listItem === null;
  return isPlain
    ? slice
    : new Slice(slice.content, 0, slice.content.childCount > 1 ? slice.openEnd : 0);
}

/** Pasted plain text; lines that are Markdown are read as such. */
export function readPlainText(text: string): Slice {
  const lines = text.replace(/\r\n?/g, "\n").split(/\n+/).filter((line) => line.trim() !== "");
  if (lines.length === 0) return Slice.empty;
  const blocks = lines.map(lineBlock);
  const isWords = blocks.length === 1 && blocks[0]!.attrs.style === "normal" &&
    blocks[0]!.attrs.listItem === null;
  return new Slice(Fragment.from(blocks), isWords ? 1 : 0, isWords ? 1 : 0);
}

function lineBlock(line: string): Node {
  const indent = /^\s*/.exec(line)![0].replace(/\t/g, "  ").length;
  const bare = line.trim();
  const start = /^(#{1,4}|>|[-*+]|\d{1,3}[.)])\s+/.exec(bare);
  const sign = start?.[1]?.replace(/^\d+/, "1");
  const rule = sign && LINE_RULES.find(([pattern]) => pattern.test(`${sign} `));
  if (!start || !rule) return schema.node("textblock", null, inlineNodes(bare));
  const level = Math.min(1 + Math.floor(indent / 2), LIST_LEVEL_MAX);
  const attributes = rule[1].listItem ? { ...rule[1], level } : rule[1];
  return schema.node("textblock", attributes, inlineNodes(bare.slice(start[0].length)));
}

/** The words of a line, with the marks that signs around them mean. */
function inlineNodes(text: string): Node[] {
  const patterns = [
    ...MARK_RULES.map(([around, name]) => [unanchored(around), () => schema.mark(name)] as const),
    [
      /(^|[^!])\[([^\[\]]+)\]\(([^()\s]+)\)/,
      (match: RegExpExecArray) => linkMark(match[3]!),
    ] as const,
  ];
  for (const [pattern, markFor] of patterns) {
    const match = pattern.exec(text);
    const mark = match && markFor(match);
    if (!match || !mark) continue;
    const before = text.slice(0, match.index) + match[1]!;
    const inner = inlineNodes(match[2]!).map((node) => node.mark(mark.addToSet(node.marks)));
    return [
      ...inlineNodes(before),
      ...inner,
      ...inlineNodes(text.slice(match.index + match[0].length)),
    ];
  }
  return textNodes(text, []);
}

function unanchored({ source }: RegExp): RegExp {
  return new RegExp(source.replace(/\$$/, ""));
}
