import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { SNIPPET_CHARS_MAX } from "../../../../kv/limits/requests.ts";
import { NormalizedText } from "../../../../kv/search/analysis/normalized_text.ts";
import { parseQuery } from "../../../../kv/search/query/search_query.ts";
import { Highlighter, shownText } from "../../../../kv/search/analysis/snippet.ts";

function snippet(query: string, ...texts: string[]): string {
  return new Highlighter(parseQuery(query), new NormalizedText()).snippet(
    "The title",
    texts.map(shownText),
  );
}

/** What a reader sees. */
function plain(html: string): string {
  return html.replace(/<\/?mark>/g, "").replace(/&lt;/g, "<").replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&amp;/g, "&");
}

Deno.test("snippet() marks whole words, and words that begin with the last one", () => {
  assertEquals(snippet("art", "Art artful heart"), "<mark>Art</mark> <mark>artful</mark> heart");
  assertEquals(
    snippet("art x", "Art artful heart xy"),
    "<mark>Art</mark> artful heart <mark>xy</mark>",
  );
  assertEquals(snippet('"art"', "Art artful"), "<mark>Art</mark> artful");
});

Deno.test("snippet() marks words as they are written", () => {
  for (
    const [query, text, marked] of [
      ["strasse", "Die Straße", "Die <mark>Straße</mark>"],
      ["cafe", "Le CAFÉ", "Le <mark>CAFÉ</mark>"],
      ["cafe", "Le cafe\u0301 noir", "Le <mark>café</mark> noir"],
      ["dont", "I don’t", "I <mark>don’t</mark>"],
      ["観光", "東京観光局", "東京<mark>観光</mark>局"],
      ["ไทย", "ภาษาไทย", "ภาษา<mark>ไทย</mark>"],
      ["deno", "deno日本", "<mark>deno</mark>日本"],
      ["ferry", "ｆｅｒｒｙ", "<mark>ｆｅｒｒｙ</mark>"],
    ] as const
  ) assertEquals(snippet(query, text), marked, query);
});

Deno.test("snippet() escapes everything but its marks", () => {
  assertEquals(
    snippet("alert", `<script>alert("1")</script> & 'x' </mark>`),
    "&lt;script&gt;<mark>alert</mark>(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; &lt;/mark&gt;",
  );
});

Deno.test("snippet() shows the place with the most different words", () => {
  const filler = "lorem ipsum dolor ".repeat(40);
  const text = `apple ${filler} apple apple ${filler} apple with pear ${filler} pear`;
  const html = snippet("apple pear", text);
  assertStringIncludes(html, "<mark>apple</mark> with <mark>pear</mark>");
  assert(html.startsWith("…") && html.endsWith("…"));
  assertEquals(snippet("apple", "nothing", "an apple"), "an <mark>apple</mark>");
});

Deno.test("snippet() puts the title first when nothing else matches", () => {
  assertEquals(snippet("title", "Some text"), "The <mark>title</mark> – Some text");
  assertEquals(snippet("title"), "The <mark>title</mark>");
});

Deno.test("snippet() tells nothing that is the title again", () => {
  assertEquals(snippet("title", "The title", "A title of mine"), "A <mark>title</mark> of mine");
  assertEquals(snippet("title", "The  title", "The text"), "The <mark>title</mark> – The text");
  assertEquals(snippet("title", "The title"), "The <mark>title</mark>");
});

Deno.test("snippet() is short, well-formed and taken from the text, whatever the text", () => {
  const piece = fc.constantFrom(
    "apple",
    "pear",
    " ",
    "\n",
    "<",
    "&",
    "é",
    "東京",
    "𝐀",
    "\ud800",
    "🎉",
    "-",
    "x",
  );
  const text = fc.array(piece, { maxLength: 400, size: "max" }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.constantFrom("apple", "apple pear", "x", "東京", "e"), (text, query) => {
      const html = snippet(query, text);
      const shown = plain(html);
      assert(shown.length <= SNIPPET_CHARS_MAX, `${shown.length}`);
      assertEquals(html.replace(/<mark>[^<>]+<\/mark>/g, "").match(/[<>"']/), null);
      const source = `${shownText(text).text}\nThe title – ${shownText(text).text}`;
      assert(source.includes(shown.replace(/^…|…$/g, "")), shown);
      const cutsPair = /[\ud800-\udbff]…$/.test(shown) && !text.includes("\ud800");
      assert(!cutsPair);
    }),
  );
});
