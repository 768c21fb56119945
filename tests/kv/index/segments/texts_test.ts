import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ulid } from "@std/ulid";
import {
  compareIds,
  findId,
  ID_WORDS,
  readId,
  writeId,
} from "../../../../kv/index/segments/id_words.ts";
import {
  sortForm,
  textsByLength,
  TextsWriter,
  wellFormed,
} from "../../../../kv/index/segments/texts.ts";
import { compareTexts } from "../../../../kv/model/values/compare_texts.ts";

const text = fc.string({ unit: "binary", maxLength: 6 });

function listOf(texts: string[]) {
  const writer = new TextsWriter();
  for (const one of texts) writer.add(one);
  return writer.finish();
}

function byPoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]].map((one) => one.map((c) => c.codePointAt(0)!));
  for (let i = 0; i < Math.min(left!.length, right!.length); i++) {
    if (left![i] !== right![i]) return left![i]! - right![i]!;
  }
  return left!.length - right!.length;
}

Deno.test("Texts compares and finds like strings by code point", () => {
  fc.assert(fc.property(fc.array(text, { minLength: 2 }), text, (texts, part) => {
    const list = listOf(texts);
    for (let i = 1; i < texts.length; i++) {
      const expected = Math.sign(byPoint(texts[i - 1]!, texts[i]!));
      assertEquals(Math.sign(list.compare(i - 1, list, i)), expected);
      assertEquals(Math.sign(compareTexts(texts[i - 1]!, texts[i]!)), expected);
      const bytes = new TextEncoder().encode(texts[i]);
      const wanted = [part, texts[i]!];
      const equal = new Uint8Array(texts.length);
      list.markEqual(textsByLength(wanted), equal, 0, texts.length);
      assertEquals([...equal], texts.map((one) => Number(wanted.includes(one))));
      assertEquals(list.at(i), texts[i]);
      const shared = Math.sign(list.compareBytes(i - 1, bytes));
      assertEquals(shared, Math.sign(byPoint(texts[i - 1]!, texts[i]!)));
    }
    for (const where of ["contains", "startsWith", "endsWith"] as const) {
      const marks = new Uint8Array(texts.length);
      list.markParts(new TextEncoder().encode(part), where, marks, 0, texts.length);
      const method = where === "contains" ? "includes" : where;
      assertEquals([...marks], texts.map((one) => Number(one[method](part))));
    }
  }));
});

Deno.test("sortForm() lower-cases the NFC form", () => {
  assertEquals(sortForm("E\u0301"), "é");
  assertEquals(sortForm("\u212a"), "k");
  assertEquals(sortForm("\ud800A"), "\ufffda");
  assertEquals(wellFormed("a\udc00"), "a\ufffd");
});

Deno.test("writeId() and readId() keep a ULID, in the order of its text", () => {
  const random = fc.array(fc.integer({ min: 0, max: 31 }), { minLength: 26, maxLength: 26 })
    .map((digits) =>
      digits.map((digit, index) =>
        "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[index === 0 ? digit % 8 : digit]
      ).join("")
    );
  fc.assert(fc.property(fc.uniqueArray(random, { minLength: 3 }), (given) => {
    const sorted = given.toSorted();
    const ids = new Uint32Array(sorted.length * ID_WORDS);
    sorted.forEach((id, row) => writeId(ids, row, id));
    sorted.forEach((id, row) => {
      assertEquals(readId(ids, row), id);
      assertEquals(findId(ids, ids, row), row);
      if (row > 0) assert(compareIds(ids, row - 1, ids, row) < 0);
    });
    const others = ids.subarray(ID_WORDS);
    assertEquals(findId(others, ids, 0), -1);
  }));
});

Deno.test("writeId() refuses values that are not ULIDs", () => {
  const ids = new Uint32Array(ID_WORDS);
  for (const id of ["", "x", ulid().toLowerCase(), `8${ulid().slice(1)}`]) {
    assertThrows(() => writeId(ids, 0, id), TypeError, "no ULID");
  }
});
