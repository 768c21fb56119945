/**
 * Lexical, the editor state of Ghost and Payload, as Portable Text.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { parseJson } from "../reading/json_text.ts";
import { htmlToBlocks } from "./html.ts";
import { markdownToBlocks } from "./markdown.ts";
import { type BlockStyle, type ConvertedText, RichTextBuilder } from "./rich_text_builder.ts";
import { TableBuilder } from "./table_builder.ts";

/** Bits of a text's format. */
const FORMATS = [[1, "strong"], [2, "em"], [4, "strike-through"], [8, "underline"], [
  16,
  "code",
]] as const;

/** Levels of nodes inside one another. */
const LEVELS = 40;

/** Nodes that are not content: forms, and what only mails show. */
const DROPPED: ReadonlySet<string> = new Set([
  ...["signup", "email", "email-cta", "emailCta", "paywall", "transistor"],
]);

/** Converts an editor state, or its JSON. */
export function lexicalToBlocks(value: Json): ConvertedText {
  const state = typeof value === "string" ? parseJson(value) : value;
  const converter = new LexicalConverter();
  const root = isJsonObject(state) && isJsonObject(state.root) ? state.root : null;
  if (root === null) {
    converter.builder.warn("The text is no editor state of Lexical");
    return converter.builder.finish();
  }
  converter.blocks(root.children, {}, 0);
  return converter.builder.finish();
}

class LexicalConverter {
  builder = new RichTextBuilder();

  blocks(nodes: Json | undefined, style: BlockStyle, depth: number): void {
    if (!Array.isArray(nodes) || depth > LEVELS) return;
    for (const node of nodes) if (isJsonObject(node)) this.block(node, style, depth);
  }

  block(node: JsonObject, style: BlockStyle, depth: number): void {
    const { builder } = this;
    switch (node.type) {
      case "paragraph":
        return this.paragraph(node, style);
      case "heading":
      case "extended-heading":
        return this.paragraph(node, {
          style: /^h[1-6]$/.test(textOf(node.tag)) ? textOf(node.tag) : "h2",
        });
      case "quote":
      case "extended-quote":
      case "aside":
        return this.paragraph(node, { style: "blockquote" });
      case "list":
        return this.list(node, 1, depth);
      case "horizontalrule":
        return builder.object({ _type: "horizontal-rule" });
      case "table":
        return this.table(node, depth);
      default:
        return this.card(node, depth);
    }
  }

  paragraph(node: JsonObject, style: BlockStyle): void {
    this.builder.begin(style);
    this.inline(node.children, null, 0);
    this.builder.end();
  }

  list({ listType, tag, children }: JsonObject, level: number, depth: number): void {
    if (!Array.isArray(children) || depth > LEVELS) return;
    const listItem = listType === "number" || tag === "ol" ? "number" : "bullet";
    for (const item of children.filter(isJsonObject)) {
      const inner = Array.isArray(item.children) ? item.children.filter(isJsonObject) : [];
      this.builder.begin({ listItem, level });
      this.inline(inner.filter(({ type }) => type !== "list"), null, 0);
      this.builder.end();
      for (const nested of inner) {
        if (nested.type === "list") this.list(nested, level + 1, depth + 1);
      }
    }
  }

  table({ children }: JsonObject, depth: number): void {
    const table = new TableBuilder();
    const { builder } = this;
    for (const row of Array.isArray(children) ? children.filter(isJsonObject) : []) {
      table.beginRow();
      for (const cell of Array.isArray(row.children) ? row.children.filter(isJsonObject) : []) {
        this.builder = table.beginCell(Number(cell.headerState ?? 0) > 0);
        this.blocks(cell.children, {}, depth + 1);
        table.endCell();
      }
    }
    this.builder = builder;
    table.addTo(builder);
  }

  inline(nodes: Json | undefined, link: string | null, depth: number): void {
    if (!Array.isArray(nodes) || depth > LEVELS) return;
    for (const node of nodes.filter(isJsonObject)) {
      const { type } = node;
      if (type === "linebreak") this.builder.text("\n", [], link);
      else if (type === "tab") this.builder.text("\t", [], link);
      else if (type === "link" || type === "autolink") {
        const fields = isJsonObject(node.fields) ? node.fields : node;
        this.inline(node.children, textOf(fields.url) || null, depth + 1);
      } else if (typeof node.text === "string") {
        this.builder.text(node.text, marksOf(node.format), link);
      } else if (Array.isArray(node.children)) this.inline(node.children, link, depth + 1);
    }
  }

  card(node: JsonObject, depth: number): void {
    const { builder } = this;
    const type = textOf(node.type);
    if (DROPPED.has(type)) return builder.warn(`A card "${type}" is left out`);
    if (type === "block" && isJsonObject(node.fields)) {
      // Payload keeps the values of its blocks in the text.
      return builder.object({ ...node.fields, _type: "embedded" });
    }
    switch (type) {
      case "image":
        return builder.image(textOf(node.src), {
          alt: textOf(node.alt),
          caption: plain(node.caption),
        });
      case "gallery":
        for (const image of Array.isArray(node.images) ? node.images.filter(isJsonObject) : []) {
          builder.image(textOf(image.src), {
            alt: textOf(image.alt),
            caption: plain(image.caption),
          });
        }
        return this.words(plain(node.caption));
      case "codeblock":
      case "code":
        builder.object({
          _type: "code",
          code: textOf(node.code),
          ...(textOf(node.language) !== "" && { language: textOf(node.language) }),
        });
        return this.words(plain(node.caption));
      case "html":
        return this.html(textOf(node.html));
      case "markdown":
        if (textOf(node.html) !== "") return this.html(textOf(node.html));
        return builder.converted(markdownToBlocks(textOf(node.markdown)));
      case "embed":
        return builder.embed(textOf(node.url), plain(node.caption));
      case "call-to-action":
        return this.callToAction(node, depth);
      case "header":
        if (textOf(node.backgroundImageSrc) !== "") builder.image(textOf(node.backgroundImageSrc));
        this.words(plain(node.header), "h2");
        this.words(plain(node.subheader));
        return textOf(node.buttonUrl) === "" ? undefined : this.link(
          { buttonUrl: node.buttonUrl ?? "", buttonText: node.buttonText ?? "" },
          "button",
          depth,
        );
      case "callout":
        return this.callout(textOf(node.calloutEmoji), textOf(node.calloutText));
      case "toggle":
        builder.begin({ style: "h4" });
        builder.text(plain(node.heading));
        return this.html(textOf(node.content));
      default:
        return this.link(node, type, depth);
    }
  }

  /** Cards that lead to something. */
  link(node: JsonObject, type: string, depth: number): void {
    const { builder } = this;
    const metadata = isJsonObject(node.metadata) ? node.metadata : {};
    const url = textOf(node.url) || textOf(node.buttonUrl) || textOf(node.src) ||
      textOf(node.productUrl);
    const title = textOf(metadata.title) || plain(node.title) || textOf(node.buttonText) ||
      textOf(node.fileTitle) || textOf(node.fileName) || plain(node.productTitle) || url;
    const image = textOf(node.productImageSrc);
    if (image !== "") builder.image(image);
    if (url !== "" || title !== "") {
      builder.begin();
      builder.text(title, [], url || null);
      const caption = textOf(metadata.description) || plain(node.caption) ||
        plain(node.productDescription);
      builder.end();
      this.words(caption);
      if (textOf(metadata.description) !== "") this.words(plain(node.caption));
      if (type !== "bookmark" && type !== "button") {
        builder.warn(`A card "${type}" is kept as a link`);
      }
      return;
    }
    if (Array.isArray(node.children)) return this.blocks(node.children, {}, depth + 1);
    builder.warn(`A node "${type}" is kept as JSON, which is not shown`);
    builder.object({ ...node, _type: `lexical-${type || "node"}`.slice(0, 100) });
  }

  /** A paragraph of its own. */
  words(text: string, style = "normal"): void {
    if (text === "") return;
    this.builder.begin({ style });
    this.builder.text(text);
    this.builder.end();
  }

  html(html: string): void {
    this.builder.converted(htmlToBlocks(html));
  }

  callToAction(node: JsonObject, depth: number): void {
    const { buttonUrl = "", buttonText = "" } = node;
    if (node.hasSponsorLabel === true) this.words(plain(node.sponsorLabel));
    if (textOf(node.imageUrl) !== "") this.builder.image(textOf(node.imageUrl));
    this.html(textOf(node.textValue));
    if (node.showButton === true && textOf(buttonUrl) !== "") {
      this.link({ buttonUrl, buttonText }, "button", depth);
    }
  }

  callout(emoji: string, html: string): void {
    // Newer versions have paragraphs in it.
    const text = /^\s*<p\b/i.test(html) ? html : `<p>${html}</p>`;
    const mark = emoji === "" ? "" : `${emoji} `;
    const { blocks } = htmlToBlocks(text.replace(/<p\b[^>]*>/i, (start) => start + mark));
    this.builder.object({ _type: "callout", tone: "note", content: blocks });
  }
}

function marksOf(format: Json | undefined): string[] {
  const bits = typeof format === "number" ? format : 0;
  return FORMATS.filter(([bit]) => (bits & bit) !== 0).map(([, mark]) => mark);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The words of a piece of HTML. */
function plain(value: Json | undefined): string {
  return textOf(value).replace(/<[^>]*>/g, " ").replace(/&amp;/g, "&").replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#39;|&apos;/g, "'")
    .replace(/&nbsp;/g, " ").replace(/\s+/g, " ").trim();
}
