import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { Html } from "../../../jobs/render/markup.ts";
import { portableTextHtml } from "../../../jobs/render/portable_text.ts";
import { paragraph } from "../../support/site.ts";

const html = (value: unknown) => portableTextHtml(value, () => null).markup;

/** Everything that the renderer may print of text without links: whole tags without attributes. */
const PLAIN_TAG =
  /<\/?(?:p|h[2-6]|blockquote|ul|ol|li|strong|em|code|u|del)>|<br\s*\/?>|<a href="(?:https?:|mailto:|tel:|\/)[^"<>]*"(?: rel="noopener")?>|<\/a>/g;

Deno.test("portableTextHtml() renders styles, lists, decorators and links", () => {
  const value = [
    paragraph("Title", { style: "h1" }),
    paragraph("Quote", { style: "blockquote" }),
    paragraph("One", { listItem: "bullet", level: 1 }),
    paragraph("Two", { listItem: "number", level: 1 }),
    {
      _type: "block",
      markDefs: [{ _key: "m1", _type: "link", href: "https://example.org/?a=1&b=2" }],
      children: [{ _type: "span", text: "there", marks: ["strong", "m1", "underline"] }],
    },
  ];

  assertEquals(
    html(value),
    "<h2>Title</h2><blockquote>Quote</blockquote><ul><li>One</li></ul><ol><li>Two</li></ol>" +
      '<p><a href="https://example.org/?a=1&amp;b=2" rel="noopener"><strong><u>there</u></strong></a></p>',
  );
});

Deno.test("portableTextHtml() escapes text and drops links that could run code", () => {
  const value = [
    paragraph("<script>alert(1)</script>"),
    {
      _type: "block",
      markDefs: [{ _key: "m", _type: "link", href: "java\nscript:alert(1)" }],
      children: [{ _type: "span", text: "click", marks: ["m"] }],
    },
  ];

  assertEquals(html(value), "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p><p>click</p>");
});

Deno.test("portableTextHtml() skips what it does not know, names of object members included", () => {
  const value = [
    { _type: "constructor" },
    { _type: "@list", children: [paragraph("x")], listItem: "bullet", level: 1, mode: "html" },
    { _type: "__proto__", children: [] },
    paragraph("kept", { style: "constructor", listItem: "valueOf", markDefs: "none" }),
    {
      _type: "block",
      markDefs: [{ _key: "m", _type: "toString" }, null, { _key: 7, _type: "link" }],
      children: [
        { _type: "span", text: "a", marks: ["constructor", "m", null, "__proto__"] },
        { _type: "span", text: 7 },
        { _type: "@text", text: "<b>" },
        null,
      ],
    },
    null,
    "text",
    { _type: "block", children: "none" },
  ];

  assertEquals(html(value), "<p>kept</p><p>a</p><p></p>");
  assertEquals(html("text"), "");
  assertEquals(html({ _type: "block" }), "");
});

Deno.test("portableTextHtml() gives blocks that are not text to the theme", () => {
  const value = [{ _type: "quote", text: "Wise" }, { _type: "custom", text: "Unwise" }];

  const { markup } = portableTextHtml(
    value,
    (node) => node._type === "quote" ? new Html(`<q>${node.text}</q>`) : null,
  );

  assertEquals(markup, "<q>Wise</q>");
});

Deno.test("portableTextHtml() prints no markup of its input, whatever the input is", () => {
  const word = fc.oneof(
    fc.constantFrom("block", "span", "link", "bullet", "number", "strong", "m", "h1", "@list"),
    fc.constantFrom("constructor", "__proto__", '"><img src=x onerror=alert(1)>', "javascript:x"),
    fc.string(),
  );
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      word,
      fc.constant(null),
      fc.integer(),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.record({
        _type: word,
        _key: word,
        style: word,
        listItem: word,
        level: fc.oneof(fc.integer(), word),
        markDefs: tie("value"),
        children: tie("value"),
        marks: tie("value"),
        text: tie("value"),
        href: word,
      }, { requiredKeys: ["_type"] }),
    ),
  }));

  fc.assert(
    fc.property(fc.array(anything, { maxLength: 4 }), (value) => {
      const rest = html(value).replace(PLAIN_TAG, "");
      assert(!/[<>]/.test(rest), rest);
    }),
    { numRuns: 500 },
  );
});
