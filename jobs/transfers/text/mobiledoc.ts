/**
 * Mobiledoc, the editor state of older releases of Ghost, as Portable Text.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { parseJson } from "../reading/json_text.ts";
import { htmlToBlocks } from "./html.ts";
import { lexicalToBlocks } from "./lexical.ts";
import { markdownToBlocks } from "./markdown.ts";
import { type BlockStyle, type ConvertedText, RichTextBuilder } from "./rich_text_builder.ts";

const MARKS: Readonly<Record<string, string>> = {
  strong: "strong",
  b: "strong",
  em: "em",
  i: "em",
  u: "underline",
  s: "strike-through",
  code: "code",
};

/** Kinds of sections. */
const [MARKUP, IMAGE, LIST, CARD] = [1, 2, 3, 10];

/** Converts an editor state, or its JSON. */
export function mobiledocToBlocks(value: Json): ConvertedText {
  const builder = new RichTextBuilder();
  const state = typeof value === "string" ? parseJson(value) : value;
  const sections = isJsonObject(state) ? state.sections : null;
  if (!isJsonObject(state) || !Array.isArray(sections)) {
    builder.warn("The text is no editor state of Mobiledoc");
    return builder.finish();
  }
  for (const section of sections) if (Array.isArray(section)) convert(builder, state, section);
  return builder.finish();
}

function convert(builder: RichTextBuilder, state: JsonObject, [kind, first, second]: Json[]): void {
  if (kind === MARKUP) {
    const tag = String(first);
    const style = /^h[1-6]$/.test(tag) ? tag : /quote|aside/.test(tag) ? "blockquote" : "normal";
    return markers(builder, state, second, { style });
  }
  if (kind === IMAGE) return builder.image(String(first));
  if (kind === LIST) {
    const listItem = first === "ol" ? "number" : "bullet";
    for (const item of Array.isArray(second) ? second : []) {
      markers(builder, state, item, { listItem, level: 1 });
    }
    return;
  }
  if (kind === CARD) card(builder, elementOf(state.cards, first));
}

function elementOf(list: Json | undefined, index: Json | undefined): Json[] {
  const found = Array.isArray(list) && typeof index === "number" ? list[index] : undefined;
  return Array.isArray(found) ? found : [];
}

function markers(
  builder: RichTextBuilder,
  state: JsonObject,
  list: Json | undefined,
  style: BlockStyle,
): void {
  builder.begin(style);
  const open: { mark: string | null; href: string | null }[] = [];
  for (const marker of Array.isArray(list) ? list : []) {
    if (!Array.isArray(marker)) continue;
    const [kind, opened, closed, text] = marker;
    for (const index of Array.isArray(opened) ? opened : []) {
      const [tag, attributes] = elementOf(state.markups, index);
      const href = tag === "a" && Array.isArray(attributes)
        ? String(attributes[attributes.indexOf("href") + 1] ?? "")
        : null;
      open.push({ mark: MARKS[String(tag)] ?? null, href });
    }
    const [name, words] = kind === 1 ? elementOf(state.atoms, text) : ["", text];
    const shown = name === "soft-return" ? "\n" : String(words ?? "");
    const marks = open.flatMap(({ mark }) => mark ?? []);
    builder.text(shown, marks, open.findLast(({ href }) => href !== null)?.href ?? null);
    open.splice(Math.max(0, open.length - Number(closed ?? 0)));
  }
  builder.end();
}

/** Cards are named as those of Lexical, apart from a few. */
function card(builder: RichTextBuilder, [name, payload]: Json[]): void {
  const facts = isJsonObject(payload) ? payload : {};
  if (name === "markdown" || name === "card-markdown") {
    return builder.converted(markdownToBlocks(String(facts.markdown ?? "")));
  }
  if (name === "html") return builder.converted(htmlToBlocks(String(facts.html ?? "")));
  const type = name === "hr" ? "horizontalrule" : String(name ?? "");
  builder.converted(lexicalToBlocks({ root: { children: [{ ...facts, type }] } }));
}
