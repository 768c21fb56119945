/**
 * Commands for blocks: insert, change, move, remove.
 *
 * @module
 */
import { closeHistory } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import {
  type Command,
  type EditorState,
  NodeSelection,
  TextSelection,
  type Transaction,
} from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { keyOf } from "./block_key.ts";
import { freshKey } from "../keys.ts";
import { emptyBlock, type JsonObject, schema } from "../schema.ts";

/** The block that is selected as a whole, and is no text; with its place. */
export function selectedObject({ selection }: EditorState): { node: Node; at: number } | null {
  const isObject = selection instanceof NodeSelection && selection.node.type.name === "object";
  return isObject ? { node: selection.node, at: selection.from } : null;
}

/**
 * A click into the text deselects the selected block. The view notices late and would restore its own selection
 * on focus (prosemirror-view, 20 ms), so the selection is changed first.
 */
export function leaveByClick(view: EditorView, event: MouseEvent): void {
  const { state } = view;
  const isPlain = event.button === 0 && !event.shiftKey;
  if (!isPlain || view.hasFocus() || selectedObject(state) === null) return;
  const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (place === null || !state.doc.resolve(place.pos).parent.inlineContent) return;
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, place.pos)));
}

/** Transaction metadata: where a block was inserted, so that the cursor moves into it. */
export const INSERTED = "inserted object";

/**
 * Inserts a block after the one at the cursor, or replaces an empty one; the cursor moves to the text below.
 */
export function insertObject(raw: JsonObject): Command {
  return ({ tr }, dispatch) => {
    dispatch?.(putObject(closeHistory(tr), raw).scrollIntoView());
    return true;
  };
}

/** The same as part of a change. */
export function putObject(transaction: Transaction, raw: JsonObject): Transaction {
  const { $to } = transaction.selection;
  const object = schema.node("object", { raw: { ...raw, _key: freshKey() } });
  const at = $to.depth === 0 ? $to.pos : placeIn(transaction, $to.before(1));
  transaction.insert(at, object);
  const below = at + object.nodeSize;
  const next = transaction.doc.nodeAt(below);
  if (next === null) transaction.insert(below, emptyBlock({ key: freshKey() }));
  const selection = next === null || next.type.name === "textblock"
    ? TextSelection.create(transaction.doc, below + 1)
    : NodeSelection.create(transaction.doc, at);
  return transaction.setSelection(selection).setMeta(INSERTED, at);
}

/** The insert position for a block at the block that starts at `start`. */
function placeIn(transaction: Transaction, start: number): number {
  const block = transaction.doc.nodeAt(start);
  if (block === null) return start;
  const isLast = start + block.nodeSize === transaction.doc.content.size;
  if (block.type.name !== "textblock" || block.content.size > 0) return start + block.nodeSize;
  // The empty last block stays, because the cursor moves into it.
  if (!isLast) transaction.delete(start, start + block.nodeSize);
  return start;
}

/** Changes the values of the block with a key; a removed block is inserted at the cursor. */
export function changeObject(key: string | null, raw: JsonObject): Command {
  return (state, dispatch, view) => {
    let found: number | null = null;
    state.doc.forEach((node, at) => {
      if (node.type.name === "object" && key !== null && keyOf(node) === key) found ??= at;
    });
    if (found === null) return insertObject(raw)(state, dispatch, view);
    const transaction = closeHistory(state.tr).setNodeMarkup(found, undefined, { raw });
    dispatch?.(transaction.setSelection(NodeSelection.create(transaction.doc, found)));
    return true;
  };
}

/** Takes away the block that begins at `at`. */
export function removeObject(at: number): Command {
  return ({ tr, doc }, dispatch) => {
    const node = doc.nodeAt(at);
    if (node === null) return false;
    const end = at + node.nodeSize;
    const transaction = closeHistory(tr);
    if (doc.childCount === 1) transaction.replaceWith(at, end, emptyBlock({ key: freshKey() }));
    else transaction.delete(at, end);
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

/** Takes away the block that is selected as a whole; undone, it is all that comes back. */
export const removeSelected: Command = (state, dispatch, view) => {
  const selected = selectedObject(state);
  return selected !== null && removeObject(selected.at)(state, dispatch, view);
};

/** Moves the selected blocks past the one before or after them. */
export function moveBlocks(by: -1 | 1): Command {
  return ({ tr, doc, selection }, dispatch) => {
    const { $from, $to } = selection;
    const first = $from.index(0);
    const last = $to.depth === 0 ? Math.max(first, $to.index(0) - 1) : $to.index(0);
    const other = by < 0 ? first - 1 : last + 1;
    if (other < 0 || other >= doc.childCount) return false;
    const start = startOf(doc, first);
    const end = startOf(doc, last + 1);
    const passed = doc.child(other);
    const transaction = closeHistory(tr);
    if (by < 0) transaction.delete(start - passed.nodeSize, start);
    else transaction.delete(end, end + passed.nodeSize);
    transaction.insert(by < 0 ? end - passed.nodeSize : start, passed);
    dispatch?.(transaction.scrollIntoView());
    return true;
  };
}

/** Selects the block that begins at `at`. */
export function selectObject(at: number): Command {
  return ({ tr, doc }, dispatch) => {
    dispatch?.(tr.setSelection(NodeSelection.create(doc, at)).scrollIntoView());
    return true;
  };
}

/** Moves the cursor to the text before or after the block at `at`, and creates a paragraph if there is none. */
export function goOnBeside(at: number, to: "before" | "after"): Command {
  return ({ tr, doc }, dispatch) => {
    const $at = doc.resolve(to === "before" ? at : at + (doc.nodeAt(at)?.nodeSize ?? 0));
    const beside = to === "before" ? $at.nodeBefore : $at.nodeAfter;
    if (beside?.type.name === "object") {
      const start = to === "before" ? $at.pos - beside.nodeSize : $at.pos;
      dispatch?.(tr.setSelection(NodeSelection.create(doc, start)).scrollIntoView());
      return true;
    }
    if (beside === null) tr.insert($at.pos, emptyBlock({ key: freshKey() }));
    const inside = to === "before" && beside !== null ? $at.pos - 1 : $at.pos + 1;
    dispatch?.(tr.setSelection(TextSelection.create(tr.doc, inside)).scrollIntoView());
    return true;
  };
}

/** Text typed while a block is selected is inserted below it instead of replacing it. */
export function typeBelow(text: string): Command {
  return (state, dispatch) => {
    const selected = selectedObject(state);
    if (selected === null) return false;
    const below = selected.at + selected.node.nodeSize;
    const block = emptyBlock({ key: freshKey() });
    const transaction = closeHistory(state.tr).insert(below, block).insertText(text, below + 1);
    dispatch?.(
      transaction.setSelection(TextSelection.create(transaction.doc, below + 1 + text.length))
        .scrollIntoView(),
    );
    return true;
  };
}

function startOf(doc: Node, index: number): number {
  let start = 0;
  for (let at = 0; at < index; at++) start += doc.child(at).nodeSize;
  return start;
}
