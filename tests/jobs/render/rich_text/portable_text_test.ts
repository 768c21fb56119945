import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { Html } from "../../../../jobs/render/markup.ts";
import { markdownToPortableText } from "@portabletext/markdown";
import {
  portableTextHtml,
  portableTextMarkdown,
} from "../../../../jobs/render/rich_text/portable_text.ts";
import { paragraph } from "../../../support/sites/site.ts";

const html = (value: unknown) => portableTextHtml(value, () => null).markup;

/** Everything that the renderer may print of text without links: whole tags without attributes. */
const PLAIN_TAG =
  /<div class="table" tabindex="0">|<div class="callout \w+" role="note">|<p class="tone">|<th scope="col">|<pre tabindex="0">|<hr>|<\/?(?:div|pre|table|thead|tbody|tr|th|td|p|h[2-6]|blockquote|ul|ol|li|strong|em|code|u|del)>|<br\s*\/?>|<a href="(?:https?:|mailto:|tel:|\/)[^"<>]*"(?: rel="noopener")?>|<\/a>/g;

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
    fc.constantFrom("code", "table", "callout", "horizontal-rule", "embed", "note"),
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
        code: word,
        tone: word,
        rows: tie("value"),
        cells: tie("value"),
        content: tie("value"),
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

const MARKDOWN = `Before

\`\`\`ts
if (a < b) {
  return "\`\`\`";
}
\`\`\`

| Name | Built |
| --- | --- |
| **Old** Head | 1871 |
| a \\| b |  |

> [!WARNING]
> Mind the *step*.

---

After`;

Deno.test("portableTextHtml() shows code, tables, callouts and rules as Markdown's converter makes them", () => {
  assertEquals(
    html(markdownToPortableText(MARKDOWN)),
    "<p>Before</p>" +
      '<pre tabindex="0"><code class="language-ts">if (a &lt; b) {\n  return &quot;```&quot;;\n}</code></pre>' +
      '<div class="table" tabindex="0"><table><thead><tr><th scope="col">Name</th><th scope="col">Built</th></tr></thead>' +
      "<tbody><tr><td><strong>Old</strong> Head</td><td>1871</td></tr><tr><td>a | b</td><td></td></tr></tbody></table></div>" +
      '<div class="callout warning" role="note"><p class="tone">Warning</p><p>Mind the <em>step</em>.</p></div>' +
      "<hr><p>After</p>",
  );
});

Deno.test("portableTextMarkdown() writes code, tables, callouts and rules so that they read back", () => {
  const value = markdownToPortableText(MARKDOWN);
  const text = portableTextMarkdown(value, () => null);

  assertEquals(portableTextMarkdown(markdownToPortableText(text), () => null), text);
  assertEquals(html(markdownToPortableText(text)), html(value));
  assert(text.includes("````ts\n") && text.includes("> [!WARNING]") && text.includes("\n---\n"));
});

Deno.test("portableTextHtml() takes tables whose cells are text, and leaves out objects too deep or without form", () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? paragraph("deep") : { _type: "callout", tone: "x", content: [nested(depth - 1)] };

  assertEquals(
    html([{ _type: "table", rows: [{ cells: ["<b>", "2"] }] }]),
    '<div class="table" tabindex="0"><table><tbody><tr><td>&lt;b&gt;</td><td>2</td></tr></tbody></table></div>',
  );
  assert(html([nested(4)]).includes("deep"));
  assert(!html([nested(9)]).includes("deep"));
  assertEquals(
    html([{ _type: "table", rows: 7 }, { _type: "code" }, { _type: "html", html: "<b>" }]),
    "",
  );
});

Deno.test("a paragraph of several lines that are code throughout is a block of code", () => {
  const lines = (text: string, marks = ["code"]) =>
    paragraph("", { children: [{ _type: "span", text, marks }] });

  assertEquals(
    html([lines("a {\n\u00a0\u00a0b\n}")]),
    '<pre tabindex="0"><code>a {\n  b\n}</code></pre>',
  );
  assertEquals(html([lines("npm install")]), "<p><code>npm install</code></p>");
  assertEquals(html([lines("a\nb", ["code", "em"])]).startsWith("<p>"), true);
});

Deno.test("a kind of block of the site comes before an object of the same name", () => {
  const { markup } = portableTextHtml(
    [{ _type: "code", code: "1" }],
    () => new Html("<b>its own</b>"),
  );

  assertEquals(markup, "<b>its own</b>");
});

Deno.test("embedded players are frames of the allowed services with a link below, everything else is a link", () => {
  const nothing = () => null;
  const html = (embed: Record<string, unknown>) =>
    portableTextHtml([{ _type: "embed", ...embed }], nothing).markup;
  const url = "https://youtu.be/dQw4w9WgXcQ";
  assertEquals(
    html({ url, title: 'A "song"' }),
    '<figure class="embed video"><iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" ' +
      'title="A &quot;song&quot;" loading="lazy" allowfullscreen ' +
      'referrerpolicy="strict-origin-when-cross-origin" ' +
      'sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"></iframe>' +
      '<figcaption><a href="https://youtu.be/dQw4w9WgXcQ" rel="noopener">A &quot;song&quot;</a>' +
      "</figcaption></figure>",
  );
  assertEquals(
    html({ url: "https://example.org/film" }),
    '<p><a href="https://example.org/film" rel="noopener">https://example.org/film</a></p>',
  );
  const own = [{ _type: "embed", url: "https://player.example.org/v/1" }];
  const allowed = portableTextHtml(own, nothing, { embedHosts: ["player.example.org"] }).markup;
  assertStringIncludes(allowed, '<iframe src="https://player.example.org/v/1" title="player.exa');
  assertStringIncludes(allowed, '<a href="https://player.example.org/v/1" rel="noopener">');
  assert(!portableTextHtml(own, nothing).markup.includes("iframe"));
  assertEquals(html({ url: "javascript:alert(1)" }), "");
  assertEquals(html({}), "");
  assertEquals(
    portableTextMarkdown([{ _type: "embed", url, title: "A [song]" }], nothing).trim(),
    "[A \\[song\\]](https://youtu.be/dQw4w9WgXcQ)",
  );
});
