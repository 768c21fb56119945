/**
 * Text with inline codes: what a unit of XLIFF holds. Spans with marks and inline objects of a text block are codes
 * with the ids of their keys; their marks stay in the document.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { keyOf } from "../../../kv/model/entities/document_path.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { Span, TextBlock } from "../../../kv/model/values/portable_text.ts";

/** A part of a text: plain characters, a marked span, or an inline object, which has no text. */
export type Inline = string | { code: string; text: string | null };

/** What XML allows as an id. */
export const NMTOKEN = /^[\w.:-]+$/;

/** The id of something that has a key; its position stands in for a key that XML does not allow. */
export function codeOf(element: Json, position: number): string {
  const key = keyOf(element);
  return key !== null && NMTOKEN.test(key) ? key : `n${position}`;
}

/** Whether a value is a block of text. */
export function isTextBlock(value: Json): value is TextBlock {
  return isJsonObject(value) && value._type === "block" && Array.isArray(value.children);
}

/** The text of a block. */
export function inlineOf({ children }: TextBlock): Inline[] {
  return children.map((child, position) => {
    if (!isSpan(child)) return { code: codeOf(child, position), text: null };
    return isPlain(child) ? child.text : { code: codeOf(child, position), text: child.text };
  });
}

/** A block with another text: codes keep the marks and objects that they have in the block. */
export function withInline(block: TextBlock, inline: readonly Inline[]): TextBlock {
  const known = new Map(block.children.map((child, at) => [codeOf(child, at), child]));
  const plainKeys = block.children.filter((child) => isSpan(child) && isPlain(child)).map(keyOf);
  const used = new Set<string>();
  const keyed = (wanted: string | null | undefined, child: JsonObject): JsonObject => {
    let key = wanted ?? "t0";
    for (let n = 1; used.has(key); n++) key = `t${n}`;
    used.add(key);
    return { ...child, _key: key };
  };
  const children = joined(inline).flatMap((part): JsonObject[] => {
    if (typeof part === "string") {
      return [keyed(plainKeys.shift(), { _type: "span", text: part, marks: [] })];
    }
    const child = known.get(part.code);
    if (part.text === null) return isJsonObject(child) ? [keyed(keyOf(child), child)] : [];
    const marks = isSpan(child) ? child.marks ?? [] : [];
    return [keyed(keyOf(child ?? null), { _type: "span", text: part.text, marks })];
  });
  const empty = keyed(plainKeys[0], { _type: "span", text: "", marks: [] });
  return { ...block, children: children.length === 0 ? [empty] : children };
}

/** A text without its codes. */
export function plainText(inline: readonly Inline[]): string {
  return inline.map((part) => typeof part === "string" ? part : part.text ?? "").join("");
}

/** The same text with neighboring parts of one kind as one, and without empty ones: how XML reads it. */
export function joined(inline: readonly Inline[]): Inline[] {
  const parts: Inline[] = [];
  for (const part of inline) {
    const both = merged(parts.at(-1), part);
    if (both !== null) parts[parts.length - 1] = both;
    else if (part !== "") parts.push(part);
  }
  return parts;
}

function merged(one: Inline | undefined, other: Inline): Inline | null {
  if (typeof one === "string") return typeof other === "string" ? one + other : null;
  const isSame = one !== undefined && typeof other !== "string" && one.code === other.code;
  if (!isSame || one.text === null || other.text === null) return null;
  return { code: one.code, text: one.text + other.text };
}

/** A text without white space around it, and with single spaces inside. */
export function collapsed(inline: readonly Inline[]): Inline[] {
  const parts = joined(inline);
  const last = parts.length - 1;
  return joined(parts.map((part, at) => {
    if (typeof part !== "string") return part;
    const text = part.replace(/[ \t\r\n]+/g, " ");
    const begun = at === 0 ? text.trimStart() : text;
    return at === last ? begun.trimEnd() : begun;
  }));
}

/** Whether two texts are the same, apart from white space: programs indent the files that they write. */
export function isSameText(one: readonly Inline[], other: readonly Inline[]): boolean {
  return JSON.stringify(collapsed(one)) === JSON.stringify(collapsed(other));
}

function isSpan(child: Json | undefined): child is Span {
  return isJsonObject(child) && child._type === "span" && typeof child.text === "string";
}

function isPlain({ marks }: Span): boolean {
  return !Array.isArray(marks) || marks.length === 0;
}
