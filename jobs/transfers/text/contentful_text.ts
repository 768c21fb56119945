/**
 * Rich text of Contentful as Portable Text.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { type BlockStyle, type ConvertedText, RichTextBuilder } from "./rich_text_builder.ts";
import { TableBuilder } from "./table_builder.ts";

const MARKS: Readonly<Record<string, string>> = {
  bold: "strong",
  italic: "em",
  underline: "underline",
  code: "code",
  strikethrough: "strike-through",
};

/** Levels of nodes inside one another. */
const LEVELS = 40;

/** Converts a document. */
export function contentfulToBlocks(value: Json): ConvertedText {
  const converter = new ContentfulConverter();
  if (isJsonObject(value)) converter.nodes(value.content, {}, 0);
  return converter.builder.finish();
}

class ContentfulConverter {
  builder = new RichTextBuilder();

  nodes(nodes: Json | undefined, style: BlockStyle, depth: number): void {
    if (!Array.isArray(nodes) || depth > LEVELS) return;
    for (const node of nodes) if (isJsonObject(node)) this.node(node, style, depth);
  }

  node(node: JsonObject, style: BlockStyle, depth: number): void {
    const { builder } = this;
    const type = String(node.nodeType);
    const heading = /^heading-([1-6])$/.exec(type)?.[1];
    if (heading !== undefined) return this.paragraph(node, { style: `h${heading}` });
    switch (type) {
      case "paragraph":
        return this.paragraph(node, style);
      case "blockquote":
        return this.nodes(node.content, { style: "blockquote" }, depth + 1);
      case "unordered-list":
      case "ordered-list": {
        const listItem = type === "ordered-list" ? "number" : "bullet";
        const level = (style.level ?? 0) + 1;
        return this.nodes(node.content, { listItem, level }, depth + 1);
      }
      case "list-item":
        return this.nodes(node.content, style, depth + 1);
      case "hr":
        return builder.object({ _type: "horizontal-rule" });
      case "table":
        return this.table(node, depth);
      case "embedded-asset-block":
        return builder.image(`asset:${targetOf(node)}`);
      case "embedded-entry-block":
        return builder.object(entryOf(node));
      default:
        builder.warn(`A node "${type}" is kept as its text`);
        return this.paragraph(node, style);
    }
  }

  paragraph(node: JsonObject, style: BlockStyle): void {
    this.builder.begin(style);
    this.inline(node.content, null, 0);
    this.builder.end();
  }

  inline(nodes: Json | undefined, link: string | null, depth: number): void {
    if (!Array.isArray(nodes) || depth > LEVELS) return;
    for (const node of nodes.filter(isJsonObject)) {
      const type = String(node.nodeType);
      if (type === "text") {
        const marks = Array.isArray(node.marks) ? node.marks.filter(isJsonObject) : [];
        const names = marks.flatMap((mark) => MARKS[String(mark.type)] ?? []);
        this.builder.text(String(node.value ?? ""), names, link);
      } else if (type === "hyperlink") {
        const data = isJsonObject(node.data) ? node.data : {};
        this.inline(node.content, String(data.uri ?? ""), depth + 1);
      } else if (type === "embedded-entry-inline") {
        this.builder.inline(entryOf(node));
      } else {
        if (type === "entry-hyperlink" || type === "asset-hyperlink") {
          this.builder.warn("A link to an entry or asset is kept as its text");
        }
        this.inline(node.content, link, depth + 1);
      }
    }
  }

  table({ content }: JsonObject, depth: number): void {
    const table = new TableBuilder();
    const { builder } = this;
    for (const row of Array.isArray(content) ? content.filter(isJsonObject) : []) {
      table.beginRow();
      for (const cell of Array.isArray(row.content) ? row.content.filter(isJsonObject) : []) {
        this.builder = table.beginCell(cell.nodeType === "table-header-cell");
        this.nodes(cell.content, {}, depth + 1);
        table.endCell();
      }
    }
    this.builder = builder;
    table.addTo(builder);
  }
}

/** An entry in a text: a block that refers to its document. */
function entryOf(node: JsonObject): JsonObject {
  const { data } = node;
  const { sys } = isJsonObject(data) && isJsonObject(data.target) ? data.target : {};
  const { contentType } = isJsonObject(sys) ? sys : {};
  const kind = isJsonObject(contentType) && isJsonObject(contentType.sys)
    ? contentType.sys.id
    : null;
  return {
    _type: "entry",
    _block: typeof kind === "string" ? kind : "entry",
    entry: { _ref: targetOf(node) },
  };
}

function targetOf({ data }: JsonObject): string {
  const target = isJsonObject(data) && isJsonObject(data.target) ? data.target : {};
  return isJsonObject(target.sys) ? String(target.sys.id ?? "") : "";
}
