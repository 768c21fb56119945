/**
 * Cleans pasted HTML: wrappers and styles of word processors, mail programs and web pages are removed, and
 * their meaning, such as bold text, is kept.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { DOMParser, type ParseOptions, Slice, type TagParseRule } from "prosemirror-model";
import { linkMark } from "../input_rules.ts";
import { freshKey } from "../keys.ts";
import type { EditorView } from "prosemirror-view";
import { toast } from "../../browser/page/toast.ts";
import type { Offered } from "./paste_text.ts";
import { PASTED_STYLE } from "./pasted_html.ts";
import { type FoundImage, takeImages, WAITING_RULE } from "./pasted_images.ts";
import { flatten } from "./pasted_lists.ts";
import { isLayout, readObjects } from "./pasted_objects.ts";
import { codeText, readEditorCode, readSpaces, styleOf } from "./pasted_spaces.ts";
import { type JsonObject, schema } from "../schema.ts";
import { blockOf } from "./to_portable.ts";

/** Elements that say nothing, with all that is in them. */
const IGNORED = "script, style, meta, link, title, template, noscript, svg, button, input, select";
/** Elements in which a block of text may be. */
const BLOCKS =
  "p, h1, h2, h3, h4, h5, h6, blockquote, pre, li, div, section, article, td, th, dd, dt";

/** Before the words of a task. */
const [DONE, TO_DO] = ["☑ ", "☐ "];

/** Elements that rich text cannot contain, with their names. */
const LEFT_OUT: readonly (readonly [selector: string, one: string, many: string])[] = [
  ["img", "an image", "images"],
  ["iframe, video, audio, object, embed", "an embed", "embeds"],
  ["hr", "a rule", "rules"],
];

/** The handling of pasted HTML. */
export interface PasteOptions {
  /** Called with the names of dropped elements. */
  leftOut: (what: string[]) => void;
  /** The objects that can be. */
  offered?: Offered;
  /** Called with images to fetch; absent if the field allows no images. */
  images?: ((found: FoundImage[]) => void) | undefined;
}

/** Shows which elements were dropped. */
export function reportDropped(what: string[]): void {
  toast(`Not pasted: ${what.join(", ")}. You can add images as files.`);
}

/** Reads pasted HTML. */
export class PasteParser extends DOMParser {
  readonly #options: PasteOptions;

  constructor(options: PasteOptions) {
    super(schema, [WAITING_RULE, ...DOMParser.fromSchema(schema).rules, LINK_RULE]);
    this.#options = options;
  }

  override parseSlice(dom: globalThis.Node, options?: ParseOptions): Slice {
    const { leftOut, offered = new Set(), images } = this.#options;
    let found: FoundImage[] = [];
    if (dom instanceof Element && !isOwn(dom)) {
      if (images !== undefined) found = takeImages(dom);
      readEditorCode(dom);
      readObjects(dom, offered, (cell) => this.#blocksOf(cell));
      const what = LEFT_OUT.flatMap(([selector, one, many]) => {
        const { length } = dom.querySelectorAll(selector);
        return length === 0 ? [] : [length === 1 ? one : `${length} ${many}`];
      });
      if (what.length > 0) leftOut(what);
    }
    if (dom instanceof Element) cleanUp(dom);
    images?.(found);
    return super.parseSlice(dom, { ...options, preserveWhitespace: false });
  }

  /** The contents of a cell: blocks with keys; none if it has no text. */
  #blocksOf(cell: Element): JsonObject[] {
    cleanUp(cell);
    const doc = this.parse(cell, { preserveWhitespace: false });
    if (doc.textContent.trim() === "") return [];
    return doc.children.map((node) => ({ ...blockOf(node), _key: freshKey() }));
  }
}

const LINK_RULE: TagParseRule = {
  tag: "a[href]",
  mark: "annotation",
  getAttrs: (element) => {
    const href = element.getAttribute("href") ?? "";
    return !href.startsWith("#") && (linkMark(href)?.attrs ?? false);
  },
};

/** Makes plain paragraphs of what other programs write. */
function cleanUp(root: Element): void {
  if (!isOwn(root)) writeTaskStates(root);
  for (const silent of root.querySelectorAll(IGNORED)) silent.remove();
  if (isOwn(root)) return;
  for (const code of root.querySelectorAll("pre")) readCode(code);
  removeBreaksBetweenBlocks(root);
  for (const table of root.querySelectorAll("table")) readTable(table);
  readSpaces(root);
  for (const span of root.querySelectorAll<HTMLElement>("span, b, font, i")) inlineStyles(span);
  for (
    const element of root.querySelectorAll<HTMLElement>(
      `p[${PASTED_STYLE}*=mso-list], p[class*=MsoList]`,
    )
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
    else if (wrapper.matches("td, th")) becomeParagraph(wrapper);
  }
  for (const paragraph of [...root.querySelectorAll("p, div, h1, h2, h3, h4, h5, h6")]) {
    const isEmpty = paragraph.textContent.trim() === "" &&
      !paragraph.matches("[data-object]") && paragraph.querySelector("[data-object]") === null;
    if (isEmpty) paragraph.remove();
  }
}

/** Google Docs puts line breaks between its blocks, which would be paragraphs of their own. */
function removeBreaksBetweenBlocks(root: Element): void {
  const isBlock = (element: Element | null) =>
    element?.matches(`${BLOCKS}, ul, ol, table`) === true;
  for (const line of [...root.querySelectorAll("br")].reverse()) {
    const beside = [line.previousSibling, line.nextSibling].filter((node) =>
      node !== null && node.textContent?.trim() !== ""
    );
    if (line.closest("p, h1, h2, h3, h4, h5, h6, li, pre") !== null) continue;
    if (isBlock(line.previousElementSibling) || isBlock(line.nextElementSibling)) {
      if (beside.every((node) => node instanceof Element && isBlock(node))) line.remove();
    }
  }
}

/** The state of a task becomes a sign before its words: a list of a text has none. */
function writeTaskStates(root: Element): void {
  for (const box of root.querySelectorAll<HTMLInputElement>("li input[type=checkbox]")) {
    box.before(box.hasAttribute("checked") ? DONE : TO_DO);
  }
  for (const entry of root.querySelectorAll("li[role=checkbox], li[aria-checked]")) {
    (entry.querySelector("p, span") ?? entry).prepend(
      entry.getAttribute("aria-checked") === "true" ? DONE : TO_DO,
    );
  }
}

/** Whether the HTML was copied from this editor and needs no cleaning. */
function isOwn(root: Element): boolean {
  return root.querySelector("[data-pm-slice]") !== null || root.matches("[data-pm-slice]");
}

/** If the field allows no code blocks: a paragraph of inline code with its lines and indentation. */
function readCode(pre: Element): void {
  const paragraph = document.createElement("p");
  const lines = codeText(pre).replace(/^\n|\n$/g, "").split("\n");
  for (const [at, line] of lines.entries()) {
    if (at > 0) paragraph.append(document.createElement("br"));
    const code = document.createElement("code");
    code.textContent = line.replace(/\t/g, "    ").replace(
      /^ +/,
      (indent) => "\u00a0".repeat(indent.length),
    );
    if (line !== "") paragraph.append(code);
  }
  pre.replaceWith(paragraph);
}

/** If the field allows no tables, the cells of a row are separated in one line. */
function readTable(table: Element): void {
  if (isLayout(table)) return;
  const rows = [...table.querySelectorAll("tr")];
  const lines = rows.map((row) => {
    const line = document.createElement("p");
    for (const [at, cell] of [...row.children].entries()) {
      if (at > 0) line.append(" | ");
      for (const paragraph of cell.querySelectorAll("p")) unwrap(paragraph);
      line.append(...cell.childNodes);
    }
    return line;
  });
  table.replaceWith(...lines);
}

/** Programs say by style what elements would say; and some wrap everything in a bold that is none. */
function inlineStyles(span: HTMLElement): void {
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

/** Word writes lists as paragraphs, their signs as text. */
function readWordEntry(element: HTMLElement): void {
  const level = /level(\d)/.exec(element.getAttribute(PASTED_STYLE) ?? "")?.[1] ?? "1";
  const sign = element.querySelector<HTMLElement>(
    `[${PASTED_STYLE}*="mso-list:Ignore"], [${PASTED_STYLE}*="mso-list: Ignore"]`,
  );
  const words = sign?.textContent?.trim() ?? "";
  sign?.remove();
  element.dataset.list = /^\(?[\da-z]{1,3}[.)]/i.test(words) && words.length > 1
    ? "number"
    : "bullet";
  element.dataset.level = level;
}

/** The contents of separate cells are not joined. */
function becomeParagraph(cell: Element): void {
  const paragraph = document.createElement("p");
  paragraph.append(...cell.childNodes);
  cell.replaceWith(paragraph);
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

/** In an empty block the copied blocks are kept; elsewhere their text joins the paragraph. */
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
