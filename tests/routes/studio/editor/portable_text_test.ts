/**
 * The round trip of Portable Text through the editor; it needs no browser.
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { EditorState } from "prosemirror-state";
import { fromPortable } from "../../../../routes/studio/editor/paste/from_portable.ts";
import { completeKeys, keysPlugin } from "../../../../routes/studio/editor/keys.ts";
import { type JsonObject, schema } from "../../../../routes/studio/editor/schema.ts";
import { sameJson } from "../../../../kv/model/values/same_json.ts";
import { toPortable } from "../../../../routes/studio/editor/paste/to_portable.ts";

const name = fc.constantFrom("a", "b", "c", "x1", "strong", "note");
const words = fc.string({ maxLength: 6 }).map((text) => text.replaceAll("\r", "\n"));
const anything = fc.jsonValue({ maxDepth: 2 });
/** Anything at all that a server may hold: unknown types, styles, marks and members. */
const span = fc.record({
  _type: fc.constant("span"),
  _key: name,
  text: words,
  marks: fc.array(fc.constantFrom("strong", "em", "code", "highlight", "a", "b", "gone"), {
    maxLength: 3,
  }),
  extra: anything,
}, { requiredKeys: ["_type", "text"] });
const object = fc.record(
  { _type: fc.constantFrom("image", "callout"), _key: name, any: anything },
  {
    requiredKeys: ["_type"],
  },
);
const block = fc.record({
  _type: fc.constant("block"),
  _key: name,
  style: fc.constantFrom("normal", "h2", "blockquote", "fancy", null),
  listItem: fc.constantFrom("bullet", "number", "square", null),
  level: fc.constantFrom(1, 2, 9, null),
  children: fc.array(fc.oneof({ weight: 4, arbitrary: span }, object), { maxLength: 4 }),
  markDefs: fc.array(
    fc.record({ _type: fc.constantFrom("link", "note"), _key: name, href: fc.constant("/x") }),
    { maxLength: 3 },
  ),
  extra: anything,
}, { requiredKeys: ["_type", "children"] });
const value = fc.array(fc.oneof({ weight: 4, arbitrary: block }, object), {
  minLength: 1,
  maxLength: 5,
}) as fc.Arbitrary<JsonObject[]>;

Deno.test("unchanged Portable Text comes out exactly as it went in", () => {
  fc.assert(
    fc.property(value, (before) => {
      const doc = fromPortable(before);
      doc.check();
      assertEquals(toPortable(doc), before);
    }),
    { numRuns: 300 },
  );
});

Deno.test("a change of one block leaves the others exactly restored", () => {
  fc.assert(
    fc.property(value, fc.nat(), (before, choice) => {
      const doc = fromPortable(before);
      const places: [at: number, index: number][] = [];
      doc.forEach((node, offset, index) => {
        if (node.type.name === "textblock") places.push([offset + 1 + node.content.size, index]);
      });
      const [at, index] = places[choice % Math.max(1, places.length)] ?? [null, 0];
      if (at === null) return;
      const state = EditorState.create({ doc });
      const after = toPortable(state.apply(state.tr.insertText("!", at)).doc)!;
      assertEquals(after.toSpliced(index, 1), before.toSpliced(index, 1));
      const [old, changed] = [before[index]!, after[index]!];
      assertEquals(plain(changed), `${plain(old)}!`);
      for (const member of ["_key", "style", "extra"]) {
        assert(sameJson(changed[member], old[member]), member);
      }
      const kept = (one: JsonObject) =>
        (one.children as JsonObject[]).filter(({ _type }) => _type !== "span");
      assertEquals(kept(changed), kept(old));
      // And what the editor has written it reads back the same.
      assertEquals(toPortable(fromPortable(after)), after);
    }),
    { numRuns: 300 },
  );
});

Deno.test("an edit that is undone leaves no trace", () => {
  fc.assert(fc.property(value, (before) => {
    let state = EditorState.create({ doc: fromPortable(before) });
    const first = state.doc.firstChild!;
    if (first.type.name !== "textblock") return;
    const end = 1 + first.content.size;
    state = state.apply(state.tr.insertText("!", end));
    state = state.apply(state.tr.delete(end, end + 1));
    assertEquals(toPortable(state.doc), before);
  }));
});

const paragraph = (key: string, ...children: JsonObject[]): JsonObject => ({
  _type: "block",
  _key: key,
  style: "normal",
  markDefs: [],
  children,
});
const said = (key: string, text: string, marks: string[] = []): JsonObject => ({
  _type: "span",
  _key: key,
  text,
  marks,
});

Deno.test("an empty text is null, and text typed into it starts a value", () => {
  for (const nothing of [null, []]) {
    let state = EditorState.create({ doc: fromPortable(nothing), plugins: [keysPlugin()] });
    assertEquals(toPortable(state.doc), null);
    state = state.apply(state.tr.insertText("Hello"));
    const [only] = toPortable(state.doc)!;
    assertEquals(only!.children, [said("s0", "Hello")]);
    assert(/^[0-9a-f]{12}$/.test(only!._key as string));
  }
});

Deno.test("a split keeps the key in front, a join keeps the first, a copy gets its own", () => {
  const value = [paragraph("one", said("a", "Hello world")), paragraph("two", said("a", "More"))];
  let state = EditorState.create({ doc: fromPortable(value), plugins: [keysPlugin()] });
  state = state.apply(state.tr.split(7));
  const split = toPortable(state.doc)!;
  assertEquals(split.map(({ _key }) => _key).toSpliced(1, 1), ["one", "two"]);
  assertEquals(split.map(plain), ["Hello ", "world", "More"]);
  assert(!["one", "two"].includes(split[1]!._key as string));

  state = state.apply(state.tr.join(8));
  assertEquals(toPortable(state.doc), value, "joined again it is what it was");
  state = state.apply(state.tr.insert(0, state.doc.firstChild!));
  const copied = toPortable(state.doc)!;
  assertEquals(copied[0]!._key, "one");
  assertEquals(new Set(copied.map(({ _key }) => _key)).size, 3);
  assertEquals(completeKeys(state), null);
});

Deno.test("marks and links are expressed in Portable Text", () => {
  const link = { _type: "link", _key: "l1", href: "https://example.org", title: "kept" };
  const value = [{
    ...paragraph("one", said("a", "Read "), said("b", "this", ["l1"]), said("c", " now")),
    markDefs: [link, { _type: "note", _key: "unused" }],
  }];
  let state = EditorState.create({ doc: fromPortable(value) });
  state = state.apply(state.tr.addMark(1, 6, schema.mark("strong")));
  const [marked] = toPortable(state.doc)!;
  assertEquals(marked!.children, [
    said("a", "Read ", ["strong"]),
    said("b", "this", ["l1"]),
    said("c", " now"),
  ]);
  assertEquals(marked!.markDefs, value[0]!.markDefs);

  state = state.apply(state.tr.removeMark(1, 14, schema.marks.annotation));
  const [unlinked] = toPortable(state.doc)!;
  assertEquals(unlinked!.markDefs, [{ _type: "note", _key: "unused" }], "what was used is gone");
  assertEquals((unlinked!.children as JsonObject[]).map(({ text }) => text), ["Read ", "this now"]);
});

Deno.test("two definitions under one key get two keys in a block where they meet", () => {
  const def = (href: string) => ({ _type: "link", _key: "l", href });
  const doc = fromPortable([
    { ...paragraph("one", said("a", "A", ["l"])), markDefs: [def("/a")] },
    { ...paragraph("two", said("a", "B", ["l"])), markDefs: [def("/b")] },
  ]);
  let state = EditorState.create({ doc });
  state = state.apply(state.tr.join(3));
  const [joined] = toPortable(state.doc)!;
  assertEquals(joined!.markDefs, [def("/a"), { ...def("/b"), _key: "l-1" }]);
  assertEquals((joined!.children as JsonObject[]).map(({ marks }) => marks), [["l"], ["l-1"]]);
});

function plain(block: JsonObject): string {
  return (block.children as JsonObject[]).map(({ _type, text }) => _type === "span" ? text : "")
    .join("");
}
