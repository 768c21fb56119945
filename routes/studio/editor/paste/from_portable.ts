/**
 * Portable Text to a ProseMirror document.
 *
 * @module
 */
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import { Mark, type Node } from "prosemirror-model";
import { DECORATORS, emptyBlock, type Json, type JsonObject, schema } from "../schema.ts";

/** The editor document of a value; an empty block if there is none. */
export function fromPortable(value: Json): Node {
  const blocks = Array.isArray(value) ? value.filter(isJsonObject).map(blockNode) : [];
  return schema.node("doc", null, blocks.length === 0 ? [emptyBlock()] : blocks);
}

/** The node of a block. */
export function blockNode(block: JsonObject): Node {
  if (block._type !== "block" || !Array.isArray(block.children)) {
    return schema.node("object", { raw: block });
  }
  const attributes = {
    key: text(block._key),
    style: text(block.style),
    listItem: text(block.listItem),
    level: typeof block.level === "number" ? block.level : null,
    source: block,
  };
  const definitions = new Map<string, JsonObject>();
  for (const def of Array.isArray(block.markDefs) ? block.markDefs : []) {
    if (isJsonObject(def) && typeof def._key === "string") definitions.set(def._key, def);
  }
  const inline = block.children.flatMap((child) => inlineNodes(child, definitions));
  return schema.node("textblock", attributes, inline);
}

function text(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function inlineNodes(child: Json, definitions: Map<string, JsonObject>): Node[] {
  if (!isJsonObject(child)) return [];
  if (child._type !== "span" || typeof child.text !== "string") {
    return [schema.node("inlineObject", { raw: child })];
  }
  const names = Array.isArray(child.marks) ? child.marks.filter((mark) => text(mark) !== null) : [];
  const marks = (names as string[]).reduce(
    (set, name) => markOf(name, definitions).addToSet(set),
    Mark.none,
  );
  return textNodes(child.text, marks);
}

/** Text, its line ends as nodes of their own. */
export function textNodes(words: string, marks: readonly Mark[]): Node[] {
  return words.split("\n").flatMap((line, index) => [
    ...(index > 0 ? [schema.node("line", null, undefined, marks)] : []),
    ...(line === "" ? [] : [schema.text(line, marks)]),
  ]);
}

function markOf(name: string, definitions: Map<string, JsonObject>): Mark {
  const def = definitions.get(name);
  if (def !== undefined) return schema.mark("annotation", { def });
  return (DECORATORS as readonly string[]).includes(name)
    ? schema.mark(name)
    : schema.mark("decorator", { name });
}
