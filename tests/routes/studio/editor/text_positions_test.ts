/** Places by block key and offset are the positions of an editor's document, as the server counts them. */
import { assertEquals } from "@std/assert";
import { AnchoredText } from "../../../../kv/model/anchored_text.ts";
import { fromPortable } from "../../../../routes/studio/editor/paste/from_portable.ts";
import type { Json } from "../../../../routes/studio/editor/schema.ts";
import {
  endPlaceOf,
  objectAt,
  placeOf,
  positionOf,
  stretchOf,
  textOf,
  trimmed,
} from "../../../../routes/studio/editor/text_positions.ts";

const span = (text: string, marks: string[] = []) => ({ _type: "span", _key: text, text, marks });
const block = (_key: string, ...children: Json[]) => ({ _type: "block", _key, children });

const VALUE: Json = [
  block("a", span("By the "), span("sea\nside", ["strong"]), { _type: "icon" }, span(" 🚢 gone")),
  { _type: "divider", _key: "line" },
  block("b", span("Then")),
];

Deno.test("places and positions correspond, around marks, line breaks and objects", () => {
  const doc = fromPortable(VALUE);
  for (const [key, length] of [["a", 23], ["b", 4]] as const) {
    for (let offset = 0; offset <= length; offset++) {
      const position = positionOf(doc, { key, offset });
      assertEquals(position === null ? null : placeOf(doc, position), { key, offset });
    }
    assertEquals(positionOf(doc, { key, offset: length + 1 }), null);
  }
  assertEquals(positionOf(doc, { key: "line", offset: 0 }), null);
  assertEquals(positionOf(doc, { key: "gone", offset: 0 }), null);
  assertEquals(placeOf(doc, 0), null);
});

Deno.test("an object is a place of its own, and both ends of everything have places", () => {
  const doc = fromPortable([...VALUE, { _type: "divider", _key: "end" }] as Json);
  const line = objectAt(doc, "line")!;
  const path = ["note"];
  assertEquals(endPlaceOf(doc, line.from, { side: 1, path: [] }), { key: "line", offset: 0 });
  assertEquals(endPlaceOf(doc, line.to, { side: -1, path }), { key: "line", offset: 0, path });
  assertEquals(endPlaceOf(doc, 0, { side: 1, path }), { key: "a", offset: 0, path });
  assertEquals(endPlaceOf(doc, line.from, { side: -1, path: [] }), { key: "a", offset: 23 });
  assertEquals(endPlaceOf(doc, doc.content.size, { side: -1, path: [] }), {
    key: "end",
    offset: 0,
  });
  assertEquals(placeOf(doc, 1, path), { key: "a", offset: 0, path });
  assertEquals([objectAt(doc, "a"), objectAt(doc, "gone")], [null, null]);
});

Deno.test("the server finds the words of a stretch where the editor has them", () => {
  const doc = fromPortable(VALUE);
  const text = new AnchoredText(VALUE);
  for (const quote of ["sea\nside", "side 🚢", "gone\nThen", "By"]) {
    const [first = "", second] = quote.split("\n");
    const from = positionOf(doc, { key: "a", offset: "By the sea\nside 🚢 gone".indexOf(first) })!;
    const to = second === "Then" ? positionOf(doc, { key: "b", offset: 4 })! : positionOf(doc, {
      key: "a",
      offset: "By the sea\nside 🚢 gone".indexOf(quote) + quote.length,
    })!;
    assertEquals(textOf(doc, { from, to }), quote);
    const [start, end] = [placeOf(doc, from)!, placeOf(doc, to)!];
    assertEquals(text.find({ start, end, quote }), { start, end });
    assertEquals(stretchOf(doc, { start, end }), { from, to });
  }
});

Deno.test("a stretch has no white space at its ends, and none without words", () => {
  const doc = fromPortable(VALUE);
  const at = (key: string, offset: number) => positionOf(doc, { key, offset })!;
  assertEquals(trimmed(doc, { from: at("a", 6), to: at("a", 11) }), {
    from: at("a", 7),
    to: at("a", 10),
  });
  assertEquals(trimmed(doc, { from: at("a", 6), to: at("a", 7) }), null);
  assertEquals(trimmed(doc, { from: at("a", 23), to: at("b", 0) }), null);
});
