/** What blocks and rows look like that the theme has no template for: known by what they hold, else field by field. */
import { DayFormat, momentView } from "../../../jobs/render/views/date_view.ts";
import { renderDocument } from "../../../jobs/render/pages/document_page.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import {
  blockDefinition,
  bodyText,
  collection,
  field,
  nested,
  NOTHING,
  paragraph,
  published,
  rendering,
} from "../../support/sites/site.ts";

const MEDIUM = { id: "M", mime: "image/png" as const, filename: "a.png", alt: "A lamp" };
const LOOKUP = { ...NOTHING, medium: () => ({ ...MEDIUM, width: 900, height: 600 }) };

/** The article with a block, or (no name) with rows of a repeater. */
function articleWith(
  name: string | null,
  fields: NestedField[],
  ...values: Record<string, unknown>[]
): string {
  const parts = name === null ? field("parts", "repeater", { fields }) : field("parts", "block");
  const posts = collection("posts", [parts]);
  const blocks = values.map((data, n) => ({ type: name, id: `${n}`, data }));
  const document = published("p", { parts: (name === null ? values : blocks) as never });
  const site = rendering([posts], name === null ? [] : [blockDefinition(name, fields)]);
  const page = bodyText(renderDocument(site, document, posts, LOOKUP));
  return page.slice(
    page.indexOf("</header>\n<", page.indexOf("<article")),
    page.indexOf("</article>"),
  )
    .replaceAll(/\n+/g, "");
}

Deno.test("a picture with a line of text is a figure with a caption, as a block and in rows", () => {
  const fields = [nested("image", "media"), nested("caption", "text")];
  for (const name of ["picture", null]) {
    const article = articleWith(name, fields, { image: "M", caption: "At <night>" });

    assertStringIncludes(article, '<figure class="bare"><img src="/media/M/a.png"');
    assertStringIncludes(article, "<figcaption>At &lt;night&gt;</figcaption></figure>");
    assert(!article.includes("<dl"), article);
  }
});

Deno.test("a block called quote is a quotation, with or without its speaker", () => {
  const fields = [nested("words", "text", { multiline: true }), nested("speaker", "text")];

  const said = articleWith("quote", fields, { words: "Oil!", speaker: "Ada" });
  const anonymous = articleWith("quote", fields, { words: "Oil!" });
  const other = articleWith("answer", fields, { words: "Oil!", speaker: "Ada" });

  const quote = '<blockquote><p class="plain">Oil!</p></blockquote>';
  assertStringIncludes(said, `${quote}<figcaption>Ada</figcaption></figure>`);
  assertStringIncludes(anonymous, `${quote}</figure>`);
  assertStringIncludes(other, "<dt>Speaker</dt><dd>Ada</dd>");
});

Deno.test("a text of a kind is a notice, and a named address a link", () => {
  const notice = [nested("kind", "select"), nested("body", "rich_text")];
  const link = [nested("name", "text"), nested("address", "url")];
  const to = { name: "Archive", address: "https://archive.example/a" };

  const warned = articleWith("notice", notice, { kind: "warning", body: [paragraph("Hot")] });
  const linked = articleWith(null, link, to);
  const named = articleWith(null, link, { name: "Archive" });

  assertStringIncludes(warned, '<p class="tone">Warning</p><div class="prose"><p>Hot</p></div>');
  assertStringIncludes(
    linked,
    '<li><a href="https://archive.example/a" rel="noopener">Archive</a>',
  );
  assertStringIncludes(named, "<li>Archive</li>");
});

Deno.test("rows of two values stand side by side, questions above their answers, others with names", () => {
  const pair = [nested("time", "text"), nested("what", "text")];
  const faq = [nested("question", "text"), nested("answer", "text", { multiline: true })];
  const three = [...pair, nested("where", "text")];

  const line = articleWith(null, pair, { time: "18:00", what: "Doors" });
  const asked = articleWith(null, faq, { question: "Why?", answer: "Oil." });
  const many = articleWith(null, three, { time: "18:00", what: "Doors", where: "Pier" });
  const block = articleWith("line", pair, { time: "18:00", what: "Doors" });

  assertStringIncludes(line, '<p class="pair"><span>18:00</span> <span>Doors</span></p>');
  assertStringIncludes(asked, '<h3>Why?</h3><p class="plain">Oil.</p>');
  assertStringIncludes(many, "<dt>Where</dt><dd>Pier</dd>");
  assertStringIncludes(block, "<dt>Time</dt><dd>18:00</dd>");
});

Deno.test("momentView() includes the minute, except at midnight, which means a day", () => {
  const format = new DayFormat({ language: "en", timezone: "Europe/Paris" });
  const at = (text: string) => momentView(Date.parse(text) / 1000, format).moment;

  assertEquals(at("2027-03-10T17:00:00Z"), "March 10, 2027 at 6:00 PM");
  assertEquals(at("2027-03-09T23:00:00Z"), "March 10, 2027");
});
