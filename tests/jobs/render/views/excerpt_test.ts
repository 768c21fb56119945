import { assert, assertEquals } from "@std/assert";
import { excerptOf, findLead, shorten } from "../../../../jobs/render/views/excerpt.ts";
import { collection, field, paragraph, published } from "../../../support/sites/site.ts";

Deno.test("shorten() cuts at a word, and counts characters rather than code units", () => {
  assertEquals(shorten("one  two\n three", 20), "one two three");
  assertEquals(shorten("one two three", 10), "one two…");
  assertEquals(shorten("onetwothreefour", 10), "onetwothr…");
  assertEquals([...shorten("🏮".repeat(300))].length, 200);
  assert(shorten("🏮".repeat(300)).isWellFormed());
});

Deno.test("excerptOf() prefers a summary, then the beginning of the text", () => {
  const fields = [field("body", "rich_text"), field("note", "text"), field("summary", "text")];
  const posts = collection("posts", fields);
  const body = [paragraph("First."), paragraph("Second.")];

  const withSummary = published("a", { summary: "  Short.  ", body });
  assertEquals(excerptOf(withSummary, posts), "Short.");
  assertEquals(findLead(withSummary, posts), { name: "summary", text: "Short." });
  assertEquals(excerptOf(published("b", { note: "A label", body }), posts), "First. Second.");
  assertEquals(excerptOf(published("c", { note: "A label", summary: 7 }), posts), "");
});

Deno.test("excerptOf() reads the paragraphs of a rich text, or other text if there are none", () => {
  const posts = collection("posts", [field("body", "rich_text")]);
  const heading = paragraph("A heading", { style: "h2" });
  const item = paragraph("An item", { listItem: "bullet" });
  const quote = paragraph("A quotation", { style: "blockquote" });

  const mixed = published("a", {
    body: [heading, paragraph("One."), item, quote, paragraph("Two.")],
  });
  assertEquals(excerptOf(mixed, posts), "One. Two.");
  assertEquals(excerptOf(published("b", { body: [heading, item] }), posts), "A heading An item");
});
