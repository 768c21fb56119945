/**
 * Markdown as Portable Text.
 *
 * @module
 */
import { markdownToPortableText } from "@portabletext/markdown";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isSafeHref, plainText } from "../../../kv/model/values/portable_text.ts";
import { htmlToBlocks } from "./html.ts";
import { markdownParts } from "./markdown_code.ts";
import { type ConvertedText, withKeys } from "./rich_text_builder.ts";

/** Shortcodes, directives and components that no Markdown knows. */
const SHORTCODE =
  /\{\{[<%][\s\S]*?[>%]\}\}|\{%[\s\S]*?%\}|^(?:import|export)\s.*$|^:{3,}.*$|<\/?[A-Z][\w.]*(?:\s[^>]*)?\/?>|\{\/\*[\s\S]*?\*\/\}/m;

/** Converts Markdown. */
export function markdownToBlocks(markdown: string): ConvertedText {
  const warnings = new Set<string>();
  const blocks: Json[] = [];
  for (const { text, isShortcode } of shortcodeParts(markdown)) {
    if (text.trim() === "") continue;
    if (isShortcode) {
      warnings.add(`"${text.trim().slice(0, 60)}" is kept as HTML, which is not shown`);
      blocks.push({ _type: "html", html: text });
      continue;
    }
    for (const block of markdownToPortableText(text) as Json[]) {
      blocks.push(...converted(block, warnings));
    }
  }
  return { blocks: withKeys(blocks), warnings: [...warnings] };
}

/** The text of Markdown in one line. */
export function plainMarkdown(markdown: string): string {
  return plainText(markdownToPortableText(markdown) as Json).replace(/\s+/g, " ").trim();
}

/** Shortcodes, and the Markdown between them; code is never one. */
function shortcodeParts(markdown: string): { text: string; isShortcode: boolean }[] {
  const parts: { text: string; isShortcode: boolean }[] = [];
  let plain = "";
  const end = () => {
    parts.push({ text: plain, isShortcode: false });
    plain = "";
  };
  for (const { text, kind } of markdownParts(markdown)) {
    const pieces = kind !== null ? [text] : text.split(new RegExp(`(${SHORTCODE.source})`, "m"));
    for (const [position, piece] of pieces.entries()) {
      // Every second piece is a shortcode, at which the text was split.
      if (position % 2 === 0) plain += piece;
      else {
        end();
        parts.push({ text: piece, isShortcode: true });
      }
    }
  }
  end();
  return parts;
}

function converted(block: Json, warnings: Set<string>): Json[] {
  if (!isJsonObject(block)) return [block];
  const { _type } = block;
  if (_type === "html" && typeof block.html === "string") {
    const { blocks, warnings: found } = htmlToBlocks(block.html);
    for (const warning of found) warnings.add(warning);
    return blocks;
  }
  if (_type === "image") return [imageOf(block)];
  return withoutImages(withSafeLinks(block));
}

function imageOf({ src, alt, title }: JsonObject): JsonObject {
  return {
    _type: "image",
    src: src ?? "",
    ...(typeof alt === "string" && alt !== "" && { alt }),
    ...(typeof title === "string" && title !== "" && { caption: title }),
  };
}

/** A paragraph, and the images that stand in its lines, as blocks of their own. */
function withoutImages(block: JsonObject): JsonObject[] {
  const { children } = block;
  if (!Array.isArray(children)) return [block];
  const isImage = (child: Json): child is JsonObject =>
    isJsonObject(child) && child._type === "image";
  if (!children.some(isImage)) return [block];
  const parts: JsonObject[] = [];
  let words: Json[] = [];
  const end = () => {
    if (words.some((word) => isJsonObject(word) && String(word.text ?? "").trim() !== "")) {
      parts.push({ ...block, children: words, markDefs: marksOf(block, words) });
    }
    words = [];
  };
  for (const child of children) {
    if (!isImage(child)) words.push(child);
    else {
      end();
      parts.push(imageOf(child));
    }
  }
  end();
  return parts;
}

/** The marks of a paragraph that some of its words have. */
function marksOf({ markDefs }: JsonObject, words: readonly Json[]): Json[] {
  const used = new Set(
    words.flatMap((word) => isJsonObject(word) && Array.isArray(word.marks) ? word.marks : []),
  );
  const all = Array.isArray(markDefs) ? markDefs : [];
  return all.filter((mark) => isJsonObject(mark) && used.has(mark._key ?? null));
}

/** A block without links that could run something. */
function withSafeLinks(block: JsonObject): JsonObject {
  if (!Array.isArray(block.markDefs)) return block;
  const isSafe = (mark: Json) =>
    !isJsonObject(mark) || typeof mark.href !== "string" || isSafeHref(mark.href);
  const unsafe = block.markDefs.filter((mark) => !isSafe(mark)).filter(isJsonObject)
    .map(({ _key }) => _key);
  if (unsafe.length === 0) return block;
  return {
    ...block,
    markDefs: block.markDefs.filter(isSafe),
    children: Array.isArray(block.children)
      ? block.children.map((child) =>
        isJsonObject(child) && Array.isArray(child.marks)
          ? { ...child, marks: child.marks.filter((mark) => !unsafe.includes(mark)) }
          : child
      )
      : [],
  };
}
