/**
 * The rich text of Strapi 5 as an editor state of Lexical, which it resembles.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";

const FORMATS = [["bold", 1], ["italic", 2], ["strikethrough", 4], ["underline", 8], [
  "code",
  16,
]] as const;

/** An editor state; anything else stays as it is. */
export function lexicalOf(blocks: Json): Json {
  if (!Array.isArray(blocks)) return blocks;
  return { root: { type: "root", children: blocks.filter(isJsonObject).map(nodeOf) } };
}

function nodeOf(block: JsonObject): JsonObject {
  const children = Array.isArray(block.children) ? block.children.filter(isJsonObject) : [];
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text ?? "", format: formatOf(block) };
    case "heading":
      return {
        type: "heading",
        tag: `h${Number(block.level ?? 2)}`,
        children: children.map(nodeOf),
      };
    case "list": {
      const listType = block.format === "ordered" ? "number" : "bullet";
      return { type: "list", listType, children: listItems(children) };
    }
    case "code":
      return {
        type: "codeblock",
        code: children.map(({ text }) => String(text ?? "")).join(""),
        language: block.language ?? "",
      };
    case "image": {
      const image = isJsonObject(block.image) ? block.image : {};
      return {
        type: "image",
        src: image.url ?? "",
        alt: image.alternativeText ?? "",
        caption: image.caption ?? "",
      };
    }
    default:
      return { ...block, type: String(block.type), children: children.map(nodeOf) };
  }
}

/** A list inside a list belongs to the entry before it. */
function listItems(children: readonly JsonObject[]): JsonObject[] {
  return children.map((child) =>
    child.type === "list"
      ? { type: "listitem", children: [nodeOf(child)] }
      : { ...nodeOf(child), type: "listitem" }
  );
}

function formatOf(text: JsonObject): number {
  return FORMATS.reduce((bits, [name, bit]) => text[name] === true ? bits | bit : bits, 0);
}
