/**
 * Portable Text to HTML. Whatever is stored, only known styles, marks and blocks with well-formed
 * contents reach the renderer; the rest is skipped.
 *
 * @module
 */
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { portableTextToMarkdown } from "@portabletext/markdown";
import { type PortableTextComponents, toHTML } from "@portabletext/to-html";
import { RICH_TEXT_LIST_LEVEL_MAX, RICH_TEXT_NODES_MAX } from "../../../kv/limits/content.ts";
import { MARKS_MAX } from "../../limits.ts";
import { safeLink } from "../views/link.ts";
import { markdownTarget } from "./markdown.ts";
import { markdownBlock } from "./markdown_block.ts";
import { EM_IN_WORD, writtenOut } from "./markdown_marks.ts";
import { escapeMarkup, Html, printable } from "../markup.ts";
import { plainParagraph } from "./plain_paragraph.ts";
import {
  checkedObject,
  codeOf,
  embedLink,
  fencedCode,
  type Node,
  OBJECT_HTML,
  type ToneWords,
} from "./rich_text_objects.ts";
import { wordsOf } from "../theme/site_words.ts";

const STYLES: ReadonlySet<string> = new Set([
  "normal",
  "blockquote",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
]);
const LISTS: ReadonlySet<string> = new Set(["bullet", "number"]);
const DECORATORS: ReadonlySet<string> = new Set([
  "strong",
  "em",
  "code",
  "underline",
  "strike-through",
]);
const ANNOTATIONS: ReadonlySet<string> = new Set(["link"]);

/** Renders a block that is not text; null when there is no such kind. */
export type CustomBlock = (block: Node, isInline: boolean) => Html | null;

/**
 * Portable Text as HTML; headings begin at `<h2>`, because the page's title is its `<h1>`. `words` name the tones of
 * callouts: programs get those of English. Players of `embedHosts` are shown, too.
 */
export function portableTextHtml(
  value: unknown,
  custom: CustomBlock,
  { words = wordsOf("en"), embedHosts = [] }: {
    words?: ToneWords;
    embedHosts?: readonly string[] | undefined;
  } = {},
): Html {
  const { blocks, rendered } = checkedBlocks(value, (node, isInline) => {
    return custom(node, isInline)?.markup ?? null;
  });
  const parts = components(rendered);
  const cells = { ...parts, block: { ...parts.block as object, normal: inner } };
  const render = (blocks: Node[], isCell: boolean): string =>
    toHTML(blocks as never, {
      components: isCell && blocks.length === 1 ? cells : parts,
      onMissingComponent: false,
    });
  for (const [name, html] of Object.entries(OBJECT_HTML)) {
    const show = ({ value }: { value: Node }) => html(value, render, { words, embedHosts });
    Object.assign(parts.types!, { [name]: show });
  }
  return new Html(render(blocks, false));
}

/** Portable Text as Markdown; `custom` returns the Markdown of other objects. */
export function portableTextMarkdown(
  value: unknown,
  custom: (block: Node, isInline: boolean) => string | null,
): string {
  const { blocks: checked, rendered } = checkedBlocks(value, custom);
  const blocks = checked.map((block) => {
    const words = plainParagraph(block);
    return words === null ? markdownBlock(block) : renderedNode(rendered, words);
  });
  const markdown = portableTextToMarkdown(blocks as never, {
    types: {
      custom: ({ value }: { value: Node }) => rendered.get(value) ?? "",
      code: ({ value }: { value: Node }) => fencedCode(value),
      embed: ({ value }: { value: Node }) => embedLink(value),
    },
    marks: {
      [EM_IN_WORD]: ({ children }: { children: string }) => `*${children}*`,
      link: ({ children, value }: { children: string; value?: { href?: unknown } }) => {
        const link = safeLink(value?.href);
        return link === null ? children : `[${children}](${markdownTarget(link)})`;
      },
    },
  } as never);
  return writtenOut(markdown);
}

/** Blocks that the renderer supports, with the others already rendered. */
function checkedBlocks(
  value: unknown,
  custom: (block: Node, isInline: boolean) => string | null,
): { blocks: Node[]; rendered: Map<Node, string> } {
  const rendered = new Map<Node, string>();
  const keep = (node: Node, isInline: boolean, depth: number): Node | null => {
    const text = custom(node, isInline);
    if (text === null) return isInline ? null : checkedObject(node, depth, checked);
    return renderedNode(rendered, text);
  };
  const checked = (value: unknown, depth: number): Node[] =>
    array(value, RICH_TEXT_NODES_MAX).filter(isNode).map((block) =>
      block._type === "block"
        ? textBlock(block, (node) => keep(node, true, depth))
        : keep(block, false, depth)
    ).filter((block) => block !== null);
  return { blocks: checked(value, 0), rendered };
}

/**
 * A block with rendered markup. The renderer sees only the type "custom", so that a name such as "constructor"
 * cannot resolve to a prototype member.
 */
function renderedNode(rendered: Map<Node, string>, text: string): Node {
  const stand: Node = { _type: "custom" };
  rendered.set(stand, text);
  return stand;
}

function components(rendered: Map<Node, string>): PortableTextComponents {
  const heading = (level: number) => ({ children }: { children?: string }) =>
    `<h${level}>${children ?? ""}</h${level}>`;
  const nothing = () => "";
  return {
    block: {
      h1: heading(2),
      h2: heading(2),
      h3: heading(3),
      h4: heading(4),
      h5: heading(5),
      h6: heading(6),
    },
    marks: {
      underline: ({ children }) => `<u>${children}</u>`,
      link: ({ children, value }) => linkHtml(value?.href, children),
    },
    types: { custom: ({ value }) => rendered.get(value) ?? "" },
    unknownType: nothing,
    unknownMark: inner,
    escapeHTML: escapeMarkup,
  };
}

function inner({ children }: { children?: string }): string {
  return children ?? "";
}

function linkHtml(href: unknown, children: string): string {
  const link = safeLink(href);
  if (link === null) return children;
  const rel = /^https?:/.test(link) ? ' rel="noopener"' : "";
  return `<a href="${escapeMarkup(link)}"${rel}>${children}</a>`;
}

/** A text block with nothing in it that the renderer does not know. */
function textBlock(block: Node, keep: (node: Node) => Node | null): Node {
  const markDefs = array(block.markDefs, RICH_TEXT_NODES_MAX).filter(isNode)
    .filter((mark) => ANNOTATIONS.has(mark._type) && typeof mark._key === "string")
    .map((mark) => ({ _type: mark._type, _key: `@${mark._key}`, href: mark.href }));
  const keys = new Set(markDefs.map((mark) => mark._key));
  const children = array(block.children, RICH_TEXT_NODES_MAX).filter(isNode).map((child) => {
    if (child._type !== "span") return keep(child);
    return { _type: "span", text: printable(text(child.text)), marks: marksOf(child, keys) };
  }).filter((child) => child !== null);
  const checked: Node = { _type: "block", style: "normal", markDefs, children };
  if (typeof block.style === "string" && STYLES.has(block.style)) checked.style = block.style;
  if (typeof block.listItem === "string" && LISTS.has(block.listItem)) {
    checked.listItem = block.listItem;
    checked.level = listLevel(block.level);
  }
  return codeParagraph(checked, children) ?? checked;
}

/**
 * A paragraph of several lines of which every word is code is a block of it: editors without such a block write it
 * so, with spaces that do not break before its lines.
 */
function codeParagraph({ style, listItem }: Node, children: Node[]): Node | null {
  if (style !== "normal" || listItem !== undefined) return null;
  const isCode = children.every(({ _type, marks }) =>
    _type === "span" && (marks as string[]).join() === "code"
  );
  const code = children.map(({ text }) => text).join("");
  if (!isCode || !code.includes("\n")) return null;
  return codeOf(code.replace(/^\u00a0+/gm, (indent) => " ".repeat(indent.length)));
}

/** Keys of annotations are marked with `@`, so that none can pass for a decorator. */
function marksOf(span: Node, keys: ReadonlySet<string>): string[] {
  const marks = array(span.marks, MARKS_MAX).filter((mark) => typeof mark === "string");
  return marks.flatMap((mark) => {
    if (keys.has(`@${mark}`)) return [`@${mark}`];
    return DECORATORS.has(mark) ? [mark] : [];
  });
}

function listLevel(level: unknown): number {
  if (typeof level !== "number" || !Number.isInteger(level) || level < 1) return 1;
  return Math.min(level, RICH_TEXT_LIST_LEVEL_MAX);
}

function array(value: unknown, max: number): unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isNode(value: unknown): value is Node {
  return isJsonObject(value) && typeof value._type === "string";
}
