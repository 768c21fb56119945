import {
  asidesText,
  isSpan,
  isTextBlock,
  plainText,
} from "../../../../kv/model/values/portable_text.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

Deno.test("plainText() joins spans, puts blocks on lines of their own and skips objects that are not text", () => {
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

const line = (text: string) => ({ _type: "block", children: [{ _type: "span", text }] });

Deno.test("asidesText() has what stands in code, tables, callouts and captions, in order", () => {
  const value = [
    line("Before"),
    { _type: "code", code: "const lamp = 1;\nlight();", language: "ts" },
    {
      _type: "table",
      rows: [
        { cells: ["Wick", { value: [line("Cotton")] }] },
        { cells: [{ value: [{ _type: "code", code: "inner" }] }] },
      ],
    },
    { _type: "callout", tone: "tip", content: [line("Trim it"), { _type: "code", code: "snip" }] },
    { _type: "image", caption: "The lamp" },
    { _type: "gallery", code: "no", content: [line("no")] },
    line("After"),
  ];

  assertEquals(
    asidesText(value),
    "const lamp = 1;\nlight();\nWick\nCotton\ninner\nTrim it\nsnip\nThe lamp",
  );
  // Of a kind of block the texts are those of its fields.
  assertEquals(asidesText(value, (name) => name !== "table"), "Wick\nCotton");
});

Deno.test("asidesText() of any other shape is empty or what can be read", () => {
  const shapes = [
    undefined,
    null,
    "text",
    {},
    [{ _type: "code" }, { _type: "code", code: 1 }, { _type: "table", rows: [null, { cells: 1 }] }],
    [{ _type: "callout", content: "x" }, { _type: "table", rows: { cells: [] } }],
  ];
  for (const value of shapes) assertEquals(asidesText(value as never), "");
  let deep: Record<string, unknown> = { _type: "code", code: "deep" };
  for (let n = 0; n < 5_000; n++) deep = { _type: "callout", content: [deep] };
  assertEquals(asidesText([deep] as never), "");
});
