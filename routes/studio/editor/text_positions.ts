/**
 * Places in a text by block key and offset, as comments and other users' browsers name them, and as positions in an
 * editor's document.
 *
 * @module
 */
import type { Node } from "prosemirror-model";
import type { TextPosition, TextRange } from "../../../kv/model/comment_anchor.ts";
import { keyOf } from "./objects/block_key.ts";

export type { TextPosition };

/** A stretch of an editor's document. */
export interface Stretch {
  from: number;
  to: number;
}

/** The position of a place in the document; null if the block is gone or shorter. */
export function positionOf(doc: Node, { key, offset }: TextPosition): number | null {
  let found: number | null = null;
  doc.forEach((block, at) => {
    if (found === null && block.isTextblock && block.attrs.key === key) {
      const inside = positionIn(block, offset);
      if (inside !== null) found = at + 1 + inside;
    }
  });
  return found;
}

/** The last position in a block; null if it is gone. */
export function endOf(doc: Node, key: string): number | null {
  let found: number | null = null;
  doc.forEach((block, at) => {
    if (block.isTextblock && block.attrs.key === key) found ??= at + block.nodeSize - 1;
  });
  return found;
}

/** The place of a position in a text with a path; null outside of a text block with a key. */
export function placeOf(
  doc: Node,
  position: number,
  path: string[] = [],
): TextPosition | null {
  const { parent, parentOffset, depth } = doc.resolve(position);
  const { key } = parent.attrs;
  if (depth !== 1 || typeof key !== "string") return null;
  const place = { key, offset: parent.textBetween(0, parentOffset).length };
  return path.length === 0 ? place : { ...place, path };
}

/**
 * The places of an end of a selection that may hold objects, which have no letters: an object is named by its key.
 * `side` is where the rest of the selection is.
 */
export function endPlaceOf(
  doc: Node,
  position: number,
  { side, path }: { side: -1 | 1; path: string[] },
): TextPosition | null {
  const at = doc.resolve(position);
  const block = side > 0 ? at.nodeAfter : at.nodeBefore;
  if (at.depth > 0 || block === null) return placeOf(doc, position, path);
  if (block.isTextblock) return placeOf(doc, position + side, path);
  const key = keyOf(block);
  const place = { key: key ?? "", offset: 0 };
  return key === null ? null : path.length === 0 ? place : { ...place, path };
}

/** The stretch of the object with a key; null if there is none. */
export function objectAt(doc: Node, key: string): Stretch | null {
  let found: Stretch | null = null;
  doc.forEach((block, at) => {
    if (!block.isTextblock && keyOf(block) === key) {
      found ??= { from: at, to: at + block.nodeSize };
    }
  });
  return found;
}

/** The stretch between two places; null if either is gone, or if nothing is between them. */
export function stretchOf(doc: Node, { start, end }: TextRange): Stretch | null {
  const [from, to] = [positionOf(doc, start), positionOf(doc, end)];
  return from === null || to === null || from >= to ? null : { from, to };
}

/** The text of a stretch, with line breaks between blocks. */
export function textOf(doc: Node, { from, to }: Stretch): string {
  return doc.textBetween(from, to, "\n");
}

/** Whether two texts are equal, wherever their lines end. */
export function haveSameWords(one: string, other: string): boolean {
  return one.replaceAll("\n", "") === other.replaceAll("\n", "");
}

/** A stretch without white space at its ends; null if it has no words. */
export function trimmed(doc: Node, { from, to }: Stretch): Stretch | null {
  const isBlank = (at: number) => doc.textBetween(at, at + 1).trim() === "";
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  return from < to ? { from, to } : null;
}

/** Objects within the text have no letters: of the positions beside one, the first is taken. */
function positionIn(block: Node, offset: number): number | null {
  let left = offset;
  let at = 0;
  for (const child of block.children) {
    if (left === 0) break;
    const letters = child.isText ? child.nodeSize : child.type.name === "line" ? 1 : 0;
    if (left < letters) return at + left;
    left -= letters;
    at += child.nodeSize;
  }
  return left === 0 ? at : null;
}
