import fc from "fast-check";
import {
  boundedText,
  codePoints,
  cutText,
  isText,
  longerThan,
} from "../../../../kv/model/values/text_check.ts";
import { zodDetails } from "../../../../kv/model/input/zod_details.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

Deno.test("codePoints(), longerThan() and cutText() count like the string iterator", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(12), (text, max) => {
      const points = [...text];
      assertEquals(codePoints(text), points.length);
      assertEquals(longerThan(text, max), points.length > max);
      assertEquals(cutText(text, max), points.slice(0, max).join(""));
    }),
    { examples: [["\ud800😀\udc00", 2], ["😀😀", 1]] },
  );
});

Deno.test("isText() refuses lone surrogates and NUL", () => {
  assertEquals(["a", "😀", "\ud83d", "a\0"].map(isText), [true, true, false, false]);
});

Deno.test("boundedText() counts code points", () => {
  const codesOf = (text: unknown) => {
    const parsed = boundedText(2, 3).safeParse(text);
    return parsed.success ? [] : zodDetails(parsed.error, "x", text).map(({ code }) => code);
  };
  assertEquals(codesOf("😀😀😀"), []);
  assertEquals(codesOf("😀😀😀😀"), ["TOO_LONG"]);
  assertEquals(codesOf("😀"), ["TOO_SHORT"]);
  assertEquals(codesOf("a\0b"), ["INVALID_TYPE"]);
  assertEquals(codesOf(1), ["INVALID_TYPE"]);
});
