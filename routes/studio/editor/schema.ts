/**
 * Portable Text as a ProseMirror schema: a flat list of text blocks, list entries too, and of objects
 * that are carried along whatever they are.
 *
 * @module
 */
/// <reference lib="dom" />
import { isSafeHref } from "../../../kv/model/values/portable_text.ts";
import {
  type DOMOutputSpec,
  type MarkSpec,
  type MarkType,
  type Node,
  type NodeSpec,
  Schema,
} from "prosemirror-model";
import { RICH_TEXT_LIST_LEVEL_MAX } from "../../../kv/limits/content.ts";

/** JSON in a document. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A JSON object. */
export type JsonObject = { [name: string]: Json };

/** Offered decorators; others are preserved. */
export const DECORATORS = ["strong", "em", "underline", "strike-through", "code"] as const;

/** The attributes of a text block. */
export interface TextBlockAttributes {
  key: string | null;
  /** Null if the block has none. */
  style: string | null;
  listItem: string | null;
  level: number | null;
  /** The original block: its unknown properties and span keys are preserved. */
  source: JsonObject | null;
}

const TAGS: Record<string, string> = {
  h1: "h1",
  h2: "h2",
  h3: "h3",
  h4: "h4",
  h5: "h5",
  h6: "h6",
  blockquote: "blockquote",
};

const nodes: Record<string, NodeSpec> = {
  doc: { content: "(textblock | object)+" },
  textblock: {
    content: "inline*",
    group: "block",
    attrs: {
      key: { default: null },
      style: { default: "normal" },
      listItem: { default: null },
      level: { default: null },
      source: { default: null },
    },
    toDOM: drawTextBlock,
    parseDOM: [{
      tag: "p, div, pre, blockquote, h1, h2, h3, h4, h5, h6",
      getAttrs: readTextBlock,
    }],
  },
  object: {
    group: "block",
    atom: true,
    draggable: true,
    attrs: { raw: {} },
    toDOM: ({ attrs }) => ["div", { "data-object": JSON.stringify(attrs.raw) }],
    parseDOM: [{ tag: "div[data-object]", priority: 60, getAttrs: (element) => rawOf(element) }],
  },
  text: { group: "inline" },
  line: {
    inline: true,
    group: "inline",
    selectable: false,
    linebreakReplacement: true,
    leafText: () => "\n",
    toDOM: () => ["br"],
    parseDOM: [{ tag: "br" }],
  },
  inlineObject: {
    inline: true,
    group: "inline",
    atom: true,
    draggable: true,
    attrs: { raw: {} },
    toDOM: ({ attrs }) => [
      "span",
      { "data-inline-object": JSON.stringify(attrs.raw), class: "pt-inline" },
      String(attrs.raw._type ?? "?"),
    ],
    parseDOM: [{
      tag: "span[data-inline-object]",
      getAttrs: (element) => rawOf(element, "data-inline-object"),
    }],
  },
};

const marks: Record<string, MarkSpec> = {
  annotation: {
    attrs: { def: {} },
    inclusive: false,
    excludes: "",
    toDOM: ({ attrs: { def } }) =>
      typeof def.href === "string"
        ? ["a", { "data-href": def.href, "data-def": JSON.stringify(def), title: def.href }, 0]
        : ["span", { "data-def": JSON.stringify(def), class: "pt-annotation" }, 0],
    parseDOM: [
      {
        tag: "[data-def]",
        priority: 60,
        getAttrs: (element) => {
          const def = jsonOf(element, "data-def");
          return def !== null && (def.href === undefined || isSafeHref(String(def.href))) &&
            { def };
        },
      },
    ],
  },
  strong: drawn("strong", "strong", "b"),
  em: drawn("em", "em", "i"),
  underline: drawn("u", "u"),
  "strike-through": drawn("s", "s", "del", "strike"),
  code: drawn("code", "code"),
  decorator: {
    attrs: { name: {} },
    excludes: "",
    toDOM: ({ attrs }) => ["span", { "data-decorator": attrs.name }, 0],
    parseDOM: [{
      tag: "span[data-decorator]",
      getAttrs: (element) => ({ name: element.getAttribute("data-decorator") }),
    }],
  },
};

/** The schema of every rich text. */
export const schema = new Schema({ nodes, marks });

/** A text block that says nothing yet. */
export function emptyBlock(attributes: Partial<TextBlockAttributes> = {}): Node {
  return schema.node("textblock", attributes);
}

/** The type of a mark of the schema. */
export function markType(name: string): MarkType {
  const type = schema.marks[name];
  if (type === undefined) throw new RangeError(`The schema has no mark ${name}`);
  return type;
}

/** Whether a document is empty, which corresponds to null. */
export function isBlank(doc: Node): boolean {
  const only = doc.firstChild;
  return only !== null && doc.childCount === 1 && only.type.name === "textblock" &&
    only.content.size === 0 &&
    (only.attrs.source === null) && (only.attrs.style ?? "normal") === "normal" &&
    only.attrs.listItem === null;
}

function drawn(tag: string, ...tags: string[]): MarkSpec {
  return { toDOM: () => [tag, 0], parseDOM: tags.map((one) => ({ tag: one })) };
}

function drawTextBlock({ attrs }: Node): DOMOutputSpec {
  const { style, listItem, level, key } = attrs as TextBlockAttributes;
  const attributes: Record<string, string> = { class: "pt-block", dir: "auto" };
  if (key !== null) attributes["data-key"] = key;
  if (style !== null) attributes["data-style"] = style;
  if (listItem !== null) {
    attributes["data-list"] = listItem;
    attributes["data-level"] = String(Math.min(level ?? 1, RICH_TEXT_LIST_LEVEL_MAX));
  }
  return [TAGS[style ?? "normal"] ?? "p", attributes, 0];
}

/** The marks of HTML elements, including those of other programs. */
function readTextBlock(element: HTMLElement): Partial<TextBlockAttributes> {
  const { style, list, level } = element.dataset;
  const tag = element.tagName.toLowerCase();
  // The title of the page is its first heading.
  const ownStyle = tag === "h1" ? "h2" : TAGS[tag] ?? "normal";
  return {
    style: style ?? ownStyle,
    listItem: list ?? null,
    level: list === undefined ? null : Number(level) || 1,
  };
}

function rawOf(element: HTMLElement, name = "data-object"): { raw: JsonObject } | false {
  const raw = jsonOf(element, name);
  return raw === null ? false : { raw };
}

function jsonOf(element: HTMLElement, name: string): JsonObject | null {
  try {
    const value = JSON.parse(element.getAttribute(name) ?? "");
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch (error) {
    // Pasted pages may carry the attribute too, with anything in it.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
