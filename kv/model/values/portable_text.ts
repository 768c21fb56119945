/**
 * Portable Text: what its parts are, and the plain text in them. The guards are loose: they ask for as
 * much as reading needs, because stored values may be older than the checks.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "./json_object.ts";
import { RICH_TEXT_DEPTH_MAX } from "../../limits/content.ts";
import type { Json } from "../entities/entity.ts";

/** A JSON object. */
/** A run of text with the same marks. */
export type Span = JsonObject & { _type: "span"; text: string };

/** A paragraph, heading or list entry: spans and inline objects. */
export type TextBlock = JsonObject & { _type: "block"; children: Json[] };

/** Whether `value` is a text block. */
export function isTextBlock(value: Json | undefined): value is TextBlock {
  return isJsonObject(value) && value._type === "block" && Array.isArray(value.children);
}

/** Whether `value` is a span. */
export function isSpan(value: Json | undefined): value is Span {
  return isJsonObject(value) && value._type === "span" && typeof value.text === "string";
}

/** The plain text of a rich text: one line per text block, nothing of other blocks. */
export function plainText(value: Json | undefined): string {
  if (!Array.isArray(value)) return "";
  const lines: string[] = [];
  for (const block of value) {
    if (!isTextBlock(block)) continue;
    let line = "";
    for (const child of block.children) if (isSpan(child)) line += child.text;
    if (line !== "") lines.push(line);
  }
  return lines.join("\n");
}

/**
 * The text of code, tables, callouts and captions in a rich text, as the public site shows it; search indexes
 * it, too. `isKind` tells whether a name is a block type, whose text is that of its fields.
 */
export function asidesText(
  value: Json | undefined,
  isKind: (name: string) => boolean = () => false,
): string {
  const lines: string[] = [];
  const visitBlocks = (blocks: Json | undefined, depth: number) => {
    if (!Array.isArray(blocks) || depth > RICH_TEXT_DEPTH_MAX) return;
    for (const block of blocks) {
      if (isTextBlock(block) && depth > 0) lines.push(plainText([block]));
      else if (isJsonObject(block) && !isKind(String(block._type))) visitObject(block, depth + 1);
    }
  };
  const visitObject = ({ _type, code, caption, content, rows }: JsonObject, depth: number) => {
    if (_type === "code" && typeof code === "string") lines.push(code);
    else if (_type === "image" && typeof caption === "string") lines.push(caption);
    else if (_type === "callout") visitBlocks(content, depth);
    else if (_type === "table" && Array.isArray(rows)) {
      for (const row of rows) {
        if (!isJsonObject(row) || !Array.isArray(row.cells)) continue;
        for (const cell of row.cells) {
          if (typeof cell === "string") lines.push(cell);
          else if (isJsonObject(cell)) visitBlocks(cell.value, depth);
        }
      }
    }
  };
  visitBlocks(value, 0);
  return lines.filter((line) => line !== "").join("\n");
}

/** The texts of the headings of a rich text. */
export function headingsOf(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((block) =>
    isTextBlock(block) && typeof block.style === "string" && /^h[1-6]$/.test(block.style)
  ).map((block) => plainText([block])).filter((text) => text !== "");
}

/** The paragraphs of a rich text: what reads on without headings, lists and quotations. */
export function proseOf(value: Json | undefined): string {
  if (!Array.isArray(value)) return "";
  return plainText(
    value.filter((block) =>
      isTextBlock(block) && (block.style ?? "normal") === "normal" && block.listItem === undefined
    ),
  );
}

/** Whether a link may be followed by a visitor: an address on this site, or of a harmless scheme. */
export function isSafeHref(href: string): boolean {
  // Browsers drop these characters before they look for a scheme.
  const bare = href.replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029]/g, "");
  const scheme = /^([^/?#]*?):/.exec(bare)?.[1]?.toLowerCase();
  return scheme === undefined || ["http", "https", "mailto", "tel"].includes(scheme);
}
