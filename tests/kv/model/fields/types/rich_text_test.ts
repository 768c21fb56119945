import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { assert, assertEquals, assertMatch } from "../../../../support/harness/assert.ts";
import { checkValue, codes, nested } from "../../../../support/sites/fields.ts";

const body = nested("f", "rich_text");

const complete: Json = [
  {
    _type: "block",
    _key: "b1",
    style: "h2",
    listItem: "bullet",
    level: 1,
    children: [
      { _type: "span", _key: "s1", text: "Hello ", marks: ["strong", "m1"] },
      { _type: "emoji", _key: "e1", name: "wave" },
    ],
    markDefs: [{ _type: "link", _key: "m1", href: "https://example.org" }],
    future: { kept: [1] },
  },
  { _type: "image", _key: "i1", asset: { ref: "x" } },
];

Deno.test("check() of rich text keeps complete blocks, unknown ones and unknown members as they are", () => {
  const { value, details } = checkValue(body, complete);
  assertEquals(details, []);
  assertEquals(value, complete);
});

Deno.test("check() of rich text gives missing keys the same keys every time", () => {
  const span = { _type: "span", text: "a" };
  const block = { _type: "block", children: [span, span], markDefs: [{ _type: "link" }] };
  const first = checkValue(body, [block, block, { _type: "image" }]);
  const keys = [...JSON.stringify(first.value).matchAll(/"_key":"([^"]*)"/g)].map(([, key]) =>
    key!
  );

  assertEquals(first.details, []);
  assertEquals(keys.length, 9);
  for (const key of keys) assertMatch(key, /^[0-9a-f]{12}$/);
  assertEquals(new Set(keys).size, 9);
  assertEquals(checkValue(body, [block, block, { _type: "image" }]).value, first.value);
  assertEquals(checkValue(body, first.value).value, first.value);
});

Deno.test("check() of rich text gives a part whose key a sibling has a new key", () => {
  const value: Json = [{ _type: "image", _key: "a" }, { _type: "image", _key: "a" }];
  const checked = checkValue(body, value).value as { _key: string }[];
  assertEquals(checked[0]!._key, "a");
  assert(checked[1]!._key !== "a");
  assertEquals(checkValue(body, checked as Json).value, checked as Json);
});

Deno.test("check() of rich text names every flaw of the shape", () => {
  const refused: [Json, string[]][] = [
    ["text", ["f INVALID_TYPE"]],
    [{ _type: "block" }, ["f INVALID_TYPE"]],
    [["text", null, []], ["f.0 INVALID_TYPE", "f.1 INVALID_TYPE", "f.2 INVALID_TYPE"]],
    [[{}, { _type: "" }, { _type: 1 }], [
      "f.0._type REQUIRED",
      "f.1._type REQUIRED",
      "f.2._type INVALID_TYPE",
    ]],
    [[{ _type: "x", _key: 1 }], ["f.0._key INVALID_TYPE"]],
    [[{ _type: "x", _key: "k".repeat(129) }], ["f.0._key TOO_LONG"]],
    [[{ _type: "block" }], ["f.0.children REQUIRED"]],
    [[{ _type: "block", children: "no" }], ["f.0.children INVALID_TYPE"]],
    [[{ _type: "block", children: [], style: 1, level: 0, listItem: {}, markDefs: 1 }], [
      "f.0.level INVALID_TYPE",
      "f.0.listItem INVALID_TYPE",
      "f.0.markDefs INVALID_TYPE",
      "f.0.style INVALID_TYPE",
    ]],
    [[{ _type: "block", children: [{ _type: "span" }, { _type: "span", text: 1, marks: [1] }] }], [
      "f.0.children.0.text REQUIRED",
      "f.0.children.1.marks INVALID_TYPE",
      "f.0.children.1.text INVALID_TYPE",
    ]],
    [[{ _type: "block", children: [{ _type: "span", text: "\0" }] }], [
      "f.0.children.0.text INVALID_TYPE",
    ]],
    [[{ _type: "x", n: Infinity }], ["f.0 INVALID_TYPE"]],
  ];
  for (const [value, expected] of refused) {
    assertEquals(codes(checkValue(body, value).details), expected, JSON.stringify(value));
  }
});

Deno.test("check() of rich text lets links lead only to harmless schemes", () => {
  const link = (href: Json) =>
    codes(
      checkValue(body, [{ _type: "block", children: [], markDefs: [{ _type: "link", href }] }])
        .details,
    );
  const safe = ["https://a.b", "mailto:a@b.c", "tel:+1", "/about", "#top", "?q=a:b", "a/b:c", ""];
  for (const href of safe) assertEquals(link(href), [], href);
  const unsafe = [
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\tscript:alert(1)",
    "\u0001javascript:x",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc",
  ];
  for (const href of unsafe) {
    assertEquals(link(href), ["f.0.markDefs.0.href PATTERN_MISMATCH"], href);
  }
  assertEquals(link(1), ["f.0.markDefs.0.href INVALID_TYPE"]);
});

Deno.test("check() of rich text bounds depth and number of parts", () => {
  const deep = (levels: number): Json => levels === 0 ? 1 : [deep(levels - 1)];
  assertEquals(checkValue(body, [{ _type: "x", deep: deep(31) }]).details, []);
  assertEquals(codes(checkValue(body, [{ _type: "x", deep: deep(32) }]).details), [
    "f.0 TOO_LARGE",
  ]);
  const spans = Array.from({ length: 50_000 }, () => ({ _type: "span", text: "" }));
  assertEquals(codes(checkValue(body, [{ _type: "block", children: spans }]).details), [
    "f TOO_LONG",
  ]);
});
