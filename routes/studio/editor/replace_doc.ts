/**
 * Replaces the document of an open editor with another version. Blocks are matched by key and only differing
 * content is replaced, so that the selection stays.
 *
 * @module
 */
import type { Node } from "prosemirror-model";
import {
  type EditorState,
  type Selection,
  TextSelection,
  type Transaction,
} from "prosemirror-state";
import { keyOf } from "./objects/block_key.ts";
import { isBlank } from "./schema.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { blockOf } from "./paste/to_portable.ts";

/** The change that makes `doc` of a state. */
export function replaceDoc(state: EditorState, doc: Node): Transaction {
  const { tr } = state;
  const isByKey = !isBlank(state.doc) && !isBlank(doc) && haveSameOrder(state.doc, doc);
  if (isByKey) byKey(tr, doc);
  else replaced(tr, tr.doc, doc, 0);
  return tr.docChanged ? stayed(tr, state.selection) : tr;
}

/** Remote insertions at the caret come after it. */
function stayed(tr: Transaction, selection: Selection): Transaction {
  if (!(selection instanceof TextSelection)) return tr;
  const moved = (position: number) => tr.doc.resolve(tr.mapping.map(position, -1));
  return tr.setSelection(TextSelection.between(moved(selection.anchor), moved(selection.head)));
}

/** Whether all blocks have keys, and those of both documents come in the same order. */
function haveSameOrder(before: Node, after: Node): boolean {
  const [old, now] = [before.children.map(keyOf), after.children.map(keyOf)];
  if (old.includes(null) || now.includes(null)) return false;
  if (new Set(old).size !== old.length || new Set(now).size !== now.length) return false;
  const common = (keys: typeof old) =>
    keys.filter((key) => old.includes(key) && now.includes(key)).join();
  return common(old) === common(now);
}

/** From the end to the beginning, so that no place moves before its turn. */
function byKey(tr: Transaction, doc: Node): void {
  const old = tr.doc;
  const known = new Set(old.children.map(keyOf));
  const wanted = new Set(doc.children.map(keyOf));
  let at = old.content.size;
  let next = doc.childCount - 1;
  const insertNew = () => {
    for (; next >= 0 && !known.has(keyOf(doc.child(next))); next--) tr.insert(at, doc.child(next));
  };
  for (const block of old.children.toReversed()) {
    insertNew();
    const end = at;
    at -= block.nodeSize;
    if (!wanted.has(keyOf(block))) tr.delete(at, end);
    else changed(tr, at, block, doc.child(next--));
  }
  insertNew();
}

function changed(tr: Transaction, at: number, block: Node, now: Node): void {
  if (sameJson(blockOf(block), blockOf(now))) return;
  if (!block.isTextblock || !now.isTextblock) {
    tr.replaceWith(at, at + block.nodeSize, now);
    return;
  }
  replaced(tr, block, now, at + 1);
  tr.setNodeMarkup(at, now.type, now.attrs);
}

/** Replaces the one stretch in which the contents of two nodes differ. */
function replaced(tr: Transaction, before: Node, after: Node, offset: number): void {
  const start = before.content.findDiffStart(after.content);
  const end = before.content.findDiffEnd(after.content);
  if (start === null || end === null) return;
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const slice = after.slice(start, end.b + overlap);
  tr.replace(offset + start, offset + end.a + overlap, slice);
}
