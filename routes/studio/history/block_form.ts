/**
 * The blocks of a rich text as a comparison shows them: their form, and their words with formatting.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import {
  isSpan,
  isTextBlock,
  plainText,
  type TextBlock,
} from "../../../kv/model/values/portable_text.ts";
import { LIST_LEVELS_MAX } from "../../input/limits.ts";
import type { ReferencedMedium } from "../controls/referenced.ts";
import { STYLES } from "../wording/text_styles.ts";
import { capitalized } from "../wording/words.ts";

/** A word, or the space between two, with its formatting. */
export interface Word {
  text: string;
  /** Decorators: "strong", "em". */
  marks: readonly string[];
  /** The target of the link that the word is in. */
  href: string | null;
}

/** The form of a block, apart from its words. */
export interface BlockForm {
  kind: "text" | "code" | "object";
  /** What the editor calls it: "Text", "Heading", "Table". */
  label: string;
  /** The style of a text block: "normal", "h2", "blockquote". */
  style: string;
  /** The level of a list entry, from 1; 0 outside of lists. */
  level: number;
  /** What stands before a list entry: "•", "3." */
  marker: string;
  image: ReferencedMedium | null;
}

/** A block to compare. */
export interface ComparedBlock {
  form: BlockForm;
  words: readonly Word[];
  /** The distinct words. */
  vocabulary: ReadonlySet<string>;
  key: string | null;
  /** Equal for blocks without any difference. */
  content: string;
}

/** What the forms of blocks depend on. */
export interface BlockContext {
  media: ReadonlyMap<string, ReferencedMedium>;
  /** The label and the text of a block of a type that the site defines; null for other types. */
  describe: (block: JsonObject) => { label: string; text: string } | null;
}

/** Objects of rich text by type: their labels and texts. */
const OBJECTS: Readonly<Record<string, [label: string, textOf: (block: JsonObject) => string]>> = {
  image: ["Image", ({ alt, caption }) => lines([alt, caption])],
  code: ["Code block", ({ code }) => lines([code])],
  table: ["Table", tableText],
  callout: ["Callout", ({ content }) => plainText(content)],
  embed: ["Embed", ({ url }) => lines([url])],
  divider: ["Divider", () => ""],
  "horizontal-rule": ["Divider", () => ""],
};

/** The blocks of a rich text; list entries are numbered as the editor numbers them. */
export function comparedBlocks(value: Json, context: BlockContext): ComparedBlock[] {
  const blocks = Array.isArray(value) ? value.filter(isJsonObject) : [];
  const counts: number[] = [];
  return blocks.map((block) => {
    const compared = isTextBlock(block) ? textBlock(block) : objectBlock(block, context);
    const { level } = compared.form;
    counts.length = Math.min(counts.length, level);
    if (level === 0) return compared;
    const isNumbered = block.listItem === "number";
    counts[level - 1] = isNumbered ? (counts[level - 1] ?? 0) + 1 : 0;
    const marker = isNumbered ? `${counts[level - 1]}.` : "•";
    return { ...compared, form: { ...compared.form, marker } };
  });
}

function textBlock(block: TextBlock): ComparedBlock {
  const style = typeof block.style === "string" ? block.style : "normal";
  const isListed = typeof block.listItem === "string";
  const level = isListed ? Math.min(Math.max(Number(block.level) || 1, 1), LIST_LEVELS_MAX) : 0;
  const words = wordsOf(block);
  return {
    form: {
      kind: "text",
      label: isListed ? listLabel(block.listItem) : styleLabel(style),
      style,
      level,
      marker: "",
      image: null,
    },
    words,
    vocabulary: vocabularyOf(words),
    key: keyOf(block),
    content: JSON.stringify([style, block.listItem ?? null, level, words]),
  };
}

function listLabel(listItem: Json | undefined): string {
  return listItem === "number" ? "Numbered list" : "Bulleted list";
}

function styleLabel(style: string): string {
  const offered = STYLES.find(([name]) => name === style);
  if (offered !== undefined) return offered[1];
  return /^h[1-6]$/.test(style) ? `Heading ${style.slice(1)}` : capitalized(style);
}

function wordsOf({ children, markDefs }: TextBlock): Word[] {
  const links = new Map<string, string>();
  for (const def of Array.isArray(markDefs) ? markDefs : []) {
    if (isJsonObject(def) && typeof def._key === "string" && typeof def.href === "string") {
      links.set(def._key, def.href);
    }
  }
  return children.flatMap((child) => {
    if (!isSpan(child)) return splitWords(isJsonObject(child) ? `[${child._type}]` : "");
    const marks = Array.isArray(child.marks) ? child.marks.map(String) : [];
    const href = marks.map((mark) => links.get(mark)).find((link) => link !== undefined) ?? null;
    return splitWords(child.text, marks.filter((mark) => !links.has(mark)).toSorted(), href);
  });
}

function objectBlock(block: JsonObject, { media, describe }: BlockContext): ComparedBlock {
  const type = String(block._type);
  const [label, textOf] = Object.hasOwn(OBJECTS, type) ? OBJECTS[type] ?? [] : [];
  const own = describe(block) ??
    { label: label ?? capitalized(type), text: textOf?.(block) ?? "" };
  const medium = typeof block.media === "string" ? media.get(block.media) : undefined;
  const words = splitWords(own.text);
  return {
    form: {
      kind: type === "code" ? "code" : "object",
      label: own.label,
      style: type,
      level: 0,
      marker: "",
      image: medium ?? null,
    },
    words,
    vocabulary: vocabularyOf(words),
    key: keyOf(block),
    content: JSON.stringify(withoutKeys(block)),
  };
}

function keyOf({ _key }: JsonObject): string | null {
  return typeof _key === "string" ? _key : null;
}

function vocabularyOf(words: readonly Word[]): Set<string> {
  return new Set(words.map(({ text }) => text.trim()));
}

/** Words with the spaces behind them. */
function splitWords(text: string, marks: readonly string[] = [], href: string | null = null) {
  return (text.match(/\S+[^\S\n]*|\s+/g) ?? []).map((word): Word => ({ text: word, marks, href }));
}

function lines(values: readonly (Json | undefined)[]): string {
  return values.filter((value) => typeof value === "string" && value !== "").join("\n");
}

function tableText({ rows }: JsonObject): string {
  return partsOf(rows).map(({ cells }) =>
    (Array.isArray(cells) ? cells : []).map((cell) => {
      if (typeof cell === "string") return cell;
      return isJsonObject(cell) ? plainText(cell.value) : "";
    }).join(" | ")
  ).join("\n");
}

function partsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A value without the keys of its parts, which differ in copies. */
function withoutKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutKeys);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "_key").sort();
  return Object.fromEntries(entries.map(([name, one]) => [name, withoutKeys(one ?? null)]));
}
