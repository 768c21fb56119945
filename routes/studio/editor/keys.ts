/**
 * Unique keys of blocks. Of two blocks with the same key the first keeps it, so the first half of a split block
 * keeps its key, and a second pasted copy gets a new one.
 *
 * @module
 */
import { type EditorState, Plugin, type Transaction } from "prosemirror-state";
import { keyOf } from "./objects/block_key.ts";
import { isBlank } from "./schema.ts";

/** An unused key. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Gives keys to the blocks that need one; null when all have theirs. */
export function completeKeys(state: EditorState, fresh = freshKey): Transaction | null {
  const transaction = state.tr;
  const taken = new Set<string>();
  if (isBlank(state.doc)) return null;
  state.doc.forEach((node, position) => {
    const key = keyOf(node);
    if (key !== null && !taken.has(key)) {
      taken.add(key);
      return;
    }
    const next = fresh();
    taken.add(next);
    const attributes = node.type.name === "object"
      ? { raw: { ...node.attrs.raw, _key: next } }
      : { ...node.attrs, key: next };
    transaction.setNodeMarkup(position, undefined, attributes);
  });
  return transaction.docChanged ? transaction : null;
}

/** Completes the keys after every change. */
export function keysPlugin(): Plugin {
  return new Plugin({
    appendTransaction: (transactions, _before, state) =>
      transactions.some(({ docChanged }) => docChanged) ? completeKeys(state) : null,
  });
}
