/** Changes by others appear in an open editor, and the cursor stays in place. */
import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { EditorState, TextSelection } from "prosemirror-state";
import { fromPortable } from "../../../../routes/studio/editor/paste/from_portable.ts";
import { keysPlugin } from "../../../../routes/studio/editor/keys.ts";
import type { JsonObject } from "../../../../routes/studio/editor/schema.ts";
import { replaceDoc } from "../../../../routes/studio/editor/replace_doc.ts";
import { toPortable } from "../../../../routes/studio/editor/paste/to_portable.ts";

const block = (key: string, words: string, style = "normal"): JsonObject => ({
  _type: "block",
  _key: key,
  style,
  markDefs: [],
  children: [{ _type: "span", _key: "s0", text: words, marks: [] }],
});

function editing(value: JsonObject[]): EditorState {
  return EditorState.create({ doc: fromPortable(value), plugins: [keysPlugin()] });
}

/** Types after the first `words`. */
function typed(state: EditorState, words: string, more: string): EditorState {
  let at = 0;
  state.doc.descendants((node, position) => {
    const found = node.isText ? node.text!.indexOf(words) : -1;
    if (found >= 0) at = position + found + words.length;
  });
  const moved = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));
  return moved.apply(moved.tr.insertText(more));
}

/** The words before the caret in its block. */
function before({ selection: { $from } }: EditorState): string {
  return $from.parent.textBetween(0, $from.parentOffset);
}

Deno.test("replaceDoc() leaves the caret of a writing user, whatever happens elsewhere", () => {
  const state = typed(editing([block("a", "One."), block("b", "Two.")]), "One", " and more");
  const cases = [
    [block("a", "One and more."), block("b", "Two."), block("c", "Three.")],
    [block("z", "Zero."), block("a", "One and more."), block("b", "Two.")],
    [block("a", "One and more."), block("b", "Twice.", "h2")],
    [block("a", "One and more.")],
    [block("a", "One and more, they say."), block("b", "Two.")],
    [block("a", "One and more.", "h2"), block("b", "Two.")],
  ];

  for (const value of cases) {
    const after = state.apply(replaceDoc(state, fromPortable(value)));
    assertEquals(toPortable(after.doc), value);
    assertEquals(before(after), "One and more");
  }
  const front = state.apply(replaceDoc(state, fromPortable([block("a", "Now: One and more.")])));
  assertEquals(before(front), "Now: One and more");
});

Deno.test("replaceDoc() makes one document of another, whatever is in them", () => {
  const words = fc.stringMatching(/^[a-c \n]{0,6}$/);
  const one = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), words, kind: fc.nat(3) })
    .map(({ key, words, kind }): JsonObject =>
      kind === 0
        ? { _type: "quote", _key: key, words }
        : block(key, words, kind === 1 ? "h2" : "normal")
    );
  const value = fc.uniqueArray(one, { selector: ({ _key }) => _key as string, maxLength: 4 });
  fc.assert(
    fc.property(value, value, (from, to) => {
      const state = editing(from);
      const after = state.apply(replaceDoc(state, fromPortable(to)));
      assertEquals(toPortable(after.doc), to.length === 0 ? null : to);
    }),
    { numRuns: 500 },
  );
});
