import { isSpan, isTextBlock, plainText } from "../../../kv/model/portable_text.ts";
import { assert, assertEquals } from "../../support/assert.ts";

Deno.test("plainText() joins spans, puts blocks on lines of their own and skips what is no text", () => {
  const value = [
    {
      _type: "block",
      children: [
        { _type: "span", text: "Hello, " },
        { _type: "emoji", text: "no" },
        { _type: "span", text: "world", marks: ["strong"] },
      ],
    },
    { _type: "image", caption: "no" },
    { _type: "block", children: [{ _type: "span", text: "" }] },
    { _type: "block", children: [{ _type: "span", text: "Again" }] },
  ];
  assertEquals(plainText(value), "Hello, world\nAgain");
});

Deno.test("plainText() of anything that is no rich text is empty or what can be read", () => {
  for (const value of [undefined, null, "text", 1, {}, [null, 1, [], { _type: "block" }]]) {
    assertEquals(plainText(value), "");
  }
  assertEquals(plainText([{ _type: "block", children: [null, { _type: "span", text: 1 }] }]), "");
});

Deno.test("isTextBlock() and isSpan() ask for as much as reading needs", () => {
  assert(isTextBlock({ _type: "block", children: [] }));
  assert(!isTextBlock({ _type: "block" }));
  assert(!isTextBlock({ _type: "image", children: [] }));
  assert(isSpan({ _type: "span", text: "" }));
  assert(!isSpan({ _type: "span" }));
});
