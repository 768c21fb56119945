/**
 * Blocks inside of rich text: put in, changed, moved and taken away, without a browser.
 */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { history, undo } from "prosemirror-history";
import { type Command, EditorState, NodeSelection, TextSelection } from "prosemirror-state";
import { changedValues } from "../../../../routes/studio/editor/changed_values.ts";
import { fromPortable } from "../../../../routes/studio/editor/paste/from_portable.ts";
import { keysPlugin } from "../../../../routes/studio/editor/keys.ts";
import {
  changeObject,
  insertObject,
  moveBlocks,
  removeObject,
  selectObject,
  typeBelow,
} from "../../../../routes/studio/editor/objects/object_commands.ts";
import type { Json, JsonObject } from "../../../../routes/studio/editor/schema.ts";
import { toPortable } from "../../../../routes/studio/editor/paste/to_portable.ts";

const text = (key: string, words: string): JsonObject => ({
  _type: "block",
  _key: key,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text: words, marks: [] }],
});
const quote = (key: string, words = "So it was"): JsonObject => ({
  _type: "pullQuote",
  _key: key,
  words,
});

function editing(value: JsonObject[]): EditorState {
  return EditorState.create({ doc: fromPortable(value), plugins: [keysPlugin(), history()] });
}

function run(state: EditorState, command: Command): EditorState {
  let next = state;
  command(state, (transaction) => next = next.apply(transaction));
  next.doc.check();
  return next;
}

const caretAt = (state: EditorState, at: number) =>
  state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));

const valueOf = (state: EditorState) => toPortable(state.doc)!;
const keysOf = (state: EditorState) => valueOf(state).map(({ _key }) => _key);

Deno.test("insertObject() puts a block below the words, in the place of an empty block, never into text", () => {
  const image = { _type: "image", media: "m", alt: "A lamp" };
  let state = run(
    caretAt(editing([text("one", "Hello"), text("two", "There")]), 3),
    insertObject(image),
  );
  assertEquals(valueOf(state).map(({ _type }) => _type), ["block", "image", "block"]);
  const [, { _key, ...rest }] = valueOf(state) as [JsonObject, JsonObject];
  assertEquals(rest, image);
  assert(/^[0-9a-f]{12}$/.test(_key as string));
  assertEquals(state.selection.$from.parent.textContent, "There", "one goes on below it");
  state = run(state, undo);
  assertEquals(valueOf(state), [text("one", "Hello"), text("two", "There")]);

  state = run(caretAt(editing([text("one", ""), text("two", "There")]), 1), insertObject(image));
  assertEquals(valueOf(state).map(({ _type }) => _type), ["image", "block"]);
  state = run(caretAt(editing([text("one", "")]), 1), insertObject(image));
  assertEquals(valueOf(state).map(({ _type }) => _type), ["image", "block"]);
  assertEquals(keysOf(state)[1], "one", "the last block stays for what comes next");
  state = run(run(editing([quote("q")]), selectObject(0)), insertObject(image));
  assertEquals(valueOf(state).map(({ _type }) => _type), ["pullQuote", "image", "block"]);
});

Deno.test("changeObject() changes the block with the key, wherever it is by now", () => {
  let state = editing([text("one", "Hello"), quote("q")]);
  state = run(caretAt(state, 2), (now, dispatch) => {
    dispatch?.(now.tr.insertText("Well. "));
    return true;
  });
  state = run(state, changeObject("q", quote("q", "Otherwise")));
  assertEquals(valueOf(state)[1], quote("q", "Otherwise"));
  assert(state.selection instanceof NodeSelection);
  state = run(state, undo);
  assertEquals(valueOf(state)[1], quote("q"));

  const gone = run(
    caretAt(editing([text("one", "Hello")]), 2),
    changeObject("q", quote("q", "Typed")),
  );
  assertEquals([valueOf(gone)[1]!._type, valueOf(gone)[1]!.words], ["pullQuote", "Typed"]);
});

Deno.test("removeObject() leaves a block to write in", () => {
  const state = run(editing([quote("q")]), removeObject(0));
  assertEquals(toPortable(state.doc), null);
  assertEquals(valueOf(run(state, undo)), [quote("q")]);
});

Deno.test("typeBelow() keeps a selected block and writes below it", () => {
  const state = run(run(editing([quote("q"), text("one", "x")]), selectObject(0)), typeBelow("a"));
  assertEquals(valueOf(state)[0], quote("q"));
  assertEquals(state.doc.child(1).textContent, "a");
  assertEquals(state.selection.$from.parentOffset, 1);
  assertEquals(typeBelow("a")(caretAt(state, 2)), false);
});

const key = fc.constantFrom("a", "b", "c", "d", "e", "f");
const block = fc.oneof(
  fc.tuple(key, fc.string({ maxLength: 5 })).map(([key, words]) => text(key, words)),
  fc.record({ _type: fc.constantFrom("pullQuote", "unknown"), _key: key, any: fc.jsonValue() }),
) as fc.Arbitrary<JsonObject>;
const value = fc.uniqueArray(block, { minLength: 1, maxLength: 6, selector: ({ _key }) => _key });

Deno.test("moveBlocks() moves whole blocks, loses none, and back again leaves no trace", () => {
  fc.assert(
    fc.property(
      value,
      fc.nat(),
      fc.nat(),
      fc.constantFrom(-1 as const, 1 as const),
      (before, a, b, by) => {
        let state = editing(before);
        const size = state.doc.content.size;
        const [from, to] = [a % (size + 1), b % (size + 1)];
        const selection = TextSelection.between(state.doc.resolve(from), state.doc.resolve(to));
        state = state.apply(state.tr.setSelection(selection));
        const moved = run(state, moveBlocks(by));
        assertEquals(valueOf(moved).toSorted(byKey), before.toSorted(byKey));
        if (moved === state) return;
        assertNotEquals(keysOf(moved), keysOf(state));
        assertEquals(valueOf(run(moved, moveBlocks(-by as 1 | -1))), before);
        assertEquals(valueOf(run(moved, undo)), before);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("any run of block commands keeps every other block exactly, and undoes to the beginning", () => {
  const step = fc.record({
    what: fc.constantFrom("insert", "change", "remove", "move"),
    at: fc.nat(),
    raw: fc.record({ _type: fc.constant("pullQuote"), any: fc.jsonValue() }) as fc.Arbitrary<
      JsonObject
    >,
  });
  fc.assert(
    fc.property(value, fc.array(step, { maxLength: 6 }), (before, steps) => {
      let state = editing(before);
      for (const { what, at, raw } of steps) {
        const index = at % state.doc.childCount;
        let position = 0;
        for (let n = 0; n < index; n++) position += state.doc.child(n).nodeSize;
        const node = state.doc.child(index);
        const shown = toPortable(state.doc) ?? [];
        if (what === "remove") state = run(state, removeObject(position));
        else if (what === "change" && node.type.name === "object") {
          state = run(
            state,
            changeObject(node.attrs.raw._key, { ...raw, _key: node.attrs.raw._key }),
          );
          const after = valueOf(state);
          assertEquals(after.toSpliced(index, 1), shown.toSpliced(index, 1));
          assertEquals(after[index], { ...raw, _key: node.attrs.raw._key });
        } else {
          state = run(state, selectObject(position));
          state = run(state, what === "move" ? moveBlocks(at % 2 ? 1 : -1) : insertObject(raw));
        }
        const value = toPortable(state.doc) ?? [];
        assertEquals(toPortable(fromPortable(value)) ?? [], value);
        assertEquals(new Set(value.map(({ _key }) => _key)).size, value.length);
      }
      for (let n = 0; n < steps.length; n++) state = run(state, undo);
      assertEquals(toPortable(state.doc) ?? [], toPortable(fromPortable(before)) ?? []);
    }),
    { numRuns: 200 },
  );
});

Deno.test("changedValues() changes the edited values and nothing else", () => {
  const raw = {
    _type: "q",
    _key: "k",
    words: "a",
    at: 1_700_000_030,
    gone: 1,
    extra: { deep: [1] },
  };
  // The control shows whole minutes; the value is unedited.
  const before = { words: "a", at: 1_700_000_000, gone: 1, loud: false };
  assertEquals(changedValues(raw, before, { ...before }), raw);
  assertEquals(
    changedValues(raw, before, { words: "b", at: 1_700_000_000, gone: null, loud: true }),
    { _type: "q", _key: "k", words: "b", at: 1_700_000_030, extra: { deep: [1] }, loud: true },
  );
  const empty: Record<string, Json> = { words: "b", at: null, loud: false };
  assertEquals(changedValues({ _type: "q" }, {}, empty), { _type: "q", words: "b", loud: false });
});

function byKey({ _key: a }: JsonObject, { _key: b }: JsonObject): number {
  return String(a) < String(b) ? -1 : 1;
}
