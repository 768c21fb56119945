/**
 * Converts a ProseMirror document to Portable Text. Unchanged blocks are returned exactly as they were read;
 * changed ones keep properties that the editor does not know.
 *
 * @module
 */
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import type { Mark, Node } from "prosemirror-model";
import { sameJson } from "../../../../kv/model/values/same_json.ts";
import { blockNode } from "./from_portable.ts";
import {
  DECORATORS,
  isBlank,
  type Json,
  type JsonObject,
  type TextBlockAttributes,
} from "../schema.ts";

/** Nodes are immutable, so their conversion can be cached. */
const known = new WeakMap<Node, JsonObject>();

/** The value of a document; null if it is empty. */
export function toPortable(doc: Node): JsonObject[] | null {
  if (isBlank(doc)) return null;
  const blocks: JsonObject[] = [];
  doc.forEach((node) => void blocks.push(blockOf(node)));
  return blocks;
}

/** The Portable Text of a block. */
export function blockOf(node: Node): JsonObject {
  if (node.type.name === "object") return node.attrs.raw;
  const seen = known.get(node);
  if (seen !== undefined) return seen;
  const { source } = node.attrs as TextBlockAttributes;
  const block = source !== null && node.eq(blockNode(source)) ? source : freshBlock(node);
  known.set(node, block);
  return block;
}

/** A block in the form that the editor itself gives it. */
function freshBlock(node: Node): JsonObject {
  const { key, style, listItem, level, source } = node.attrs as TextBlockAttributes;
  const block: JsonObject = { ...source, _type: "block" };
  for (const [name, value] of Object.entries({ _key: key, style, listItem, level })) {
    if (value !== null) block[name] = value;
    else if (typeof block[name] !== "object") delete block[name];
  }
  const defs = new Definitions(source);
  block.children = childrenOf(node, source, defs);
  block.markDefs = defs.all();
  return block;
}

interface Span {
  text: string;
  marks: string[];
}

function childrenOf(node: Node, source: JsonObject | null, defs: Definitions): Json[] {
  const children: (Span | JsonObject)[] = [];
  let marksBefore: readonly Mark[] | null = null;
  node.forEach((child) => {
    if (child.type.name === "inlineObject") {
      children.push(child.attrs.raw);
      marksBefore = null;
      return;
    }
    const words = child.text ?? "\n";
    if (marksBefore !== null && sameMarks(marksBefore, child.marks)) {
      (children.at(-1) as Span).text += words;
    } else {
      children.push({ text: words, marks: namesOf(child.marks, defs) });
    }
    marksBefore = child.marks;
  });
  if (children.length === 0) children.push({ text: "", marks: [] });
  return withKeys(children, source);
}

function sameMarks(one: readonly Mark[], other: readonly Mark[]): boolean {
  return one.length === other.length &&
    one.every((mark, index) => other[index] !== undefined && mark.eq(other[index]));
}

function namesOf(marks: readonly Mark[], defs: Definitions): string[] {
  return marks.map((mark) => {
    if (mark.type.name === "annotation") return defs.use(mark.attrs.def);
    return mark.type.name === "decorator" ? mark.attrs.name : mark.type.name;
  });
}

/** Recognized spans keep their keys and unknown properties. */
function withKeys(children: (Span | JsonObject)[], source: JsonObject | null): Json[] {
  const before = Array.isArray(source?.children) ? source.children.filter(isJsonObject) : [];
  const spans = before.filter(({ _type }) => _type === "span");
  const taken = new Set<Json | undefined>();
  for (const child of children) if ("_type" in child) taken.add(child._key);
  const find = (span: Span, index: number) => {
    const free = spans.filter(({ _key }) => !taken.has(_key));
    return free.find(({ text }) => text === span.text) ??
      free.find((one) => one === before[index] && typeof one._key === "string");
  };
  return children.map((child, index) => {
    if ("_type" in child) return child;
    const old = find(child as Span, index);
    const key = old?._key ?? untaken(taken, index);
    taken.add(key);
    return { ...old, _type: "span", _key: key, ...child as Span };
  });
}

function untaken(taken: Set<Json | undefined>, index: number): string {
  for (let number = index;; number++) if (!taken.has(`s${number}`)) return `s${number}`;
}

/** The mark definitions of a block: those that are used, and those that never were. */
class Definitions {
  readonly #before: JsonObject[];
  readonly #used = new Map<string, JsonObject>();
  readonly #wereUsed: ReadonlySet<Json>;

  constructor(source: JsonObject | null) {
    this.#before = Array.isArray(source?.markDefs) ? source.markDefs.filter(isJsonObject) : [];
    const children = Array.isArray(source?.children) ? source.children.filter(isJsonObject) : [];
    this.#wereUsed = new Set(
      children.flatMap(({ marks }) => Array.isArray(marks) ? marks : []),
    );
  }

  /** The key of a mark definition; a new one if the key is already used for another definition. */
  use(def: JsonObject): string {
    const wanted = typeof def._key === "string" && def._key !== "" ? def._key : "m";
    for (let number = 0;; number++) {
      const key = number === 0 ? wanted : `${wanted}-${number}`;
      const isDecorator = (DECORATORS as readonly string[]).includes(key);
      const other = this.#used.get(key);
      const next = { ...def, _key: key };
      if (isDecorator && !this.#before.some(({ _key }) => _key === key)) continue;
      if (other !== undefined && !sameJson(other, next)) continue;
      this.#used.set(key, next);
      return key;
    }
  }

  all(): JsonObject[] {
    const kept = this.#before.flatMap((def) => {
      const used = this.#used.get(def._key as string);
      return used !== undefined ? [used] : this.#wereUsed.has(def._key ?? null) ? [] : [def];
    });
    const old = new Set(this.#before.map(({ _key }) => _key));
    return [...kept, ...[...this.#used.values()].filter(({ _key }) => !old.has(_key))];
  }
}
