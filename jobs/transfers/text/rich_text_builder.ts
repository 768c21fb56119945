/**
 * Builds Portable Text piece by piece, for all converters: text with marks, lists, images and other objects.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isSafeHref } from "../../../kv/model/values/portable_text.ts";
import { embedOf } from "../../../kv/model/values/embed.ts";

/** The result of a conversion. */
export interface ConvertedText {
  blocks: Json[];
  /** What was not converted, in words. */
  warnings: string[];
}

/** Converts the value of a row. */
export type ConvertText = (value: Json, scope: ConvertScope) => ConvertedText;

/** An image of a source. */
export interface SourceImage {
  url: string;
  alt?: string;
  caption?: string;
}

/** What a conversion can look up. */
export interface ConvertScope {
  /** The content of a reusable block of the source; null if it is not in the source. */
  reusable?: (id: string) => string | null;
  /** An attachment of the source. */
  attachment?: (id: string) => SourceImage | null;
  /** The ids of the attachments that were uploaded to a post of the source, in order. */
  attached?: (postId: string) => readonly string[];
}

/** How a paragraph begins. */
export interface BlockStyle {
  style?: string;
  listItem?: "bullet" | "number";
  level?: number;
}

interface OpenBlock {
  style: string;
  listItem?: "bullet" | "number";
  level?: number;
  children: JsonObject[];
  markDefs: JsonObject[];
}

/** Builds rich text. */
export class RichTextBuilder {
  readonly blocks: Json[] = [];
  readonly warnings = new Set<string>();
  #open: OpenBlock | null = null;
  #links = 0;

  /** Whether text would continue a paragraph. */
  get isOpen(): boolean {
    return this.#open !== null && this.#open.children.length > 0;
  }

  /** Ends the paragraph, and says how the next one begins. */
  begin({ style = "normal", listItem, level }: BlockStyle = {}): void {
    this.end();
    this.#open = {
      style,
      ...(listItem !== undefined && { listItem, level: level ?? 1 }),
      children: [],
      markDefs: [],
    };
  }

  /** Adds text with marks; `link` is where it leads. */
  text(text: string, marks: readonly string[] = [], link: string | null = null): void {
    if (text === "") return;
    if (this.#open === null) this.begin();
    const open = this.#open;
    if (open === null) return;
    const all = [...new Set(marks)];
    const href = link === null ? null : link.trim();
    if (href !== null && href !== "" && isSafeHref(href)) all.push(this.#markOf(open, href));
    const last = open.children.at(-1);
    const isSame = last?._type === "span" && String(last.marks) === String(all);
    if (last !== undefined && isSame) last.text = `${last.text}${text}`;
    else open.children.push({ _type: "span", text, marks: all });
  }

  /** Adds an object between words. */
  inline(object: JsonObject): void {
    if (this.#open === null) this.begin();
    this.#open?.children.push(object);
  }

  #markOf({ markDefs }: OpenBlock, href: string): string {
    const known = markDefs.find((mark) => mark.href === href);
    if (known !== undefined) return String(known._key);
    this.#links += 1;
    const _key = `link${this.#links}`;
    markDefs.push({ _key, _type: "link", href });
    return _key;
  }

  /** Ends the paragraph; one without text is left out. */
  end(): void {
    const open = this.#open;
    this.#open = null;
    if (open === null) return;
    const children = trimmed(open.children);
    if (children.length === 0) return;
    const { style, listItem, level, markDefs } = open;
    this.blocks.push({
      _type: "block",
      style,
      ...(listItem !== undefined && { listItem, level: level ?? 1 }),
      markDefs: markDefs.filter(({ _key }) =>
        children.some(({ marks }) => Array.isArray(marks) && marks.includes(_key ?? null))
      ),
      children,
    });
  }

  /** Adds an object between paragraphs. */
  object(object: JsonObject): void {
    this.end();
    this.blocks.push(object);
  }

  /** Adds text that was converted by itself. */
  converted({ blocks, warnings }: ConvertedText): void {
    this.end();
    this.blocks.push(...blocks);
    for (const warning of warnings) this.warn(warning);
  }

  /** Adds an image by its address in the source. */
  image(src: string, { alt = "", caption = "" }: { alt?: string; caption?: string } = {}): void {
    if (src.trim() === "") return;
    this.object({
      _type: "image",
      src: src.trim(),
      ...(alt !== "" && { alt }),
      ...(caption !== "" && { caption }),
    });
  }

  /** Adds a player of a known service; any other address becomes a link. */
  embed(url: string, title = ""): void {
    const page = pageOfPlayer(url.trim());
    if (embedOf(page) !== null) {
      return this.object({ _type: "embed", url: page, ...(title !== "" && { title }) });
    }
    this.begin();
    this.text(title || page, [], page);
    this.end();
    this.warn(`A player of ${URL.parse(page)?.host ?? page} is kept as a link`);
  }

  /** Keeps what has no place in rich text: it is stored and not shown. */
  raw(html: string, what: string): void {
    this.warnings.add(`${what} is kept as HTML, which is not shown`);
    this.object({ _type: "html", html });
  }

  /** Notes what was left out. */
  warn(text: string): void {
    this.warnings.add(text);
  }

  /** Ends everything. */
  finish(): ConvertedText {
    this.end();
    return { blocks: withKeys(this.blocks), warnings: [...this.warnings] };
  }
}

/** The address of the page whose player this is. */
function pageOfPlayer(text: string): string {
  const url = URL.parse(text.startsWith("//") ? `https:${text}` : text);
  if (url === null) return text;
  const player = /^\/embed\/([\w-]+)/.exec(url.pathname);
  if (player !== null && /(?:^|\.)youtube(?:-nocookie)?\.com$/.test(url.hostname)) {
    return `https://www.youtube.com/watch?v=${player[1]}`;
  }
  return url.href;
}

/** Spans without white space at both ends of the paragraph, and without empty ones. */
function trimmed(children: JsonObject[]): JsonObject[] {
  const kept = children.map((child) => ({ ...child }));
  while (kept[0] !== undefined && typeof kept[0].text === "string") {
    kept[0].text = kept[0].text.trimStart();
    if (kept[0].text !== "") break;
    kept.shift();
  }
  for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
    if (typeof last.text !== "string") break;
    last.text = last.text.trimEnd();
    if (last.text !== "") break;
    kept.pop();
  }
  return kept;
}

/** Blocks with keys that follow from their places, so that the same source always gives the same text. */
export function withKeys(blocks: readonly Json[]): Json[] {
  let count = 0;
  const key = () => `t${(++count).toString(36)}`;
  const keyed = (value: Json): Json => {
    if (!isJsonObject(value)) return value;
    const next: JsonObject = { ...value, _key: key() };
    const renamed = new Map<string, string>();
    if (Array.isArray(value.markDefs)) {
      next.markDefs = value.markDefs.map((mark) => {
        if (!isJsonObject(mark)) return mark;
        const _key = key();
        renamed.set(String(mark._key), _key);
        return { ...mark, _key };
      });
    }
    if (Array.isArray(value.children)) {
      next.children = value.children.map((child) => {
        if (!isJsonObject(child)) return child;
        const marks = Array.isArray(child.marks)
          ? child.marks.map((mark) => renamed.get(String(mark)) ?? mark)
          : child.marks;
        return { ...child, ...(marks !== undefined && { marks }), _key: key() };
      });
    }
    for (const name of ["content", "rows", "cells", "value"]) {
      const inner = value[name];
      if (Array.isArray(inner)) next[name] = inner.map(keyed);
    }
    return next;
  };
  return blocks.map(keyed);
}

/** Paragraphs of plain text: an empty line begins another. */
export function plainBlocks(text: string): Json[] {
  const builder = new RichTextBuilder();
  for (const paragraph of text.replace(/\r\n?/g, "\n").split(/\n{2,}/)) {
    builder.begin();
    builder.text(paragraph);
  }
  return builder.finish().blocks;
}
