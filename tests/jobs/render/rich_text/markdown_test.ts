/** Pages as Markdown: the same content as the HTML, literal text, no link that runs code. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { renderDocument } from "../../../../jobs/render/pages/document_page.ts";
import { renderHome } from "../../../../jobs/render/pages/home_page.ts";
import { renderListing } from "../../../../jobs/render/pages/listing_page.ts";
import { renderLlms } from "../../../../jobs/render/feeds/llms.ts";
import { escapeMarkdown, markdownLink } from "../../../../jobs/render/rich_text/markdown.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { Page } from "../../../../kv/model/entities/page.ts";
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
} from "../../../support/sites/site.ts";

const markdownOf = ({ markdown }: Page) => new TextDecoder().decode(markdown!());

Deno.test("renderDocument() makes Markdown of every field that the page shows, in its order", () => {
  const quote = blockDefinition("quote", [nested("words", "text", { multiline: true })]);
  const posts = collection("posts", [
    field("summary", "text"),
    field("rating", "number"),
    field("tags", "multi_select"),
    field("homepage", "url"),
    field("author", "reference"),
    field("contact", "email"),
    field("cover", "media"),
    field("body", "rich_text"),
    field("gallery", "repeater", { fields: [nested("caption", "text")] }),
  ]);
  const document = published("hello", {
    summary: "About light",
    rating: 5,
    tags: ["lamps", "old_machines"],
    homepage: "https://example.org/a(b)",
    author: "ADA",
    contact: "ada@example.org",
    cover: "M",
    body: [
      paragraph("A heading", { style: "h2" }),
      paragraph("Text with <b> and *stars*"),
      { _type: "quote", _key: "q", words: "Quoted" },
    ],
    gallery: [{ caption: "One" }, { caption: "Two" }],
  }, { title: "Light & dark" });
  const page = renderDocument(rendering([posts], [quote]), document, posts, {
    medium: () => ({
      id: "M",
      mime: "image/png" as const,
      filename: "lamp.png",
      alt: "A lamp",
      width: 1,
      height: 1,
    }),
    document: () => published("ada", {}, { title: "Ada [L.]" }),
  });

  assertEquals(
    markdownOf(page),
    `# Light & dark

About light

- Page: <https://lantern.example/posts/hello>
- Collection: [Posts](https://lantern.example/posts.md)
- Published: 2026-05-28T20:26:40.000Z
- Updated: 2026-05-28T20:28:20.000Z
- Rating: 5
- Tags: lamps, old\\_machines
- Homepage: [https://example.org/a(b)](<https://example.org/a(b)>)
- Author: [Ada \\[L.\\]](https://lantern.example/posts/ada.md)

![A lamp](https://lantern.example/media/M/lamp.png)

## A heading

Text with \\<b> and \\*stars\\*

Quoted

## Gallery

- Caption: One

- Caption: Two
`,
  );
  assert(!markdownOf(page).includes("ada@example.org"));
});

Deno.test("a kind of block called image is that block, on the page and in its Markdown", () => {
  const image = blockDefinition("image", [nested("words", "text")]);
  const posts = collection("posts", [field("body", "rich_text")]);
  const document = published("hello", { body: [{ _type: "image", _key: "i", words: "A block" }] });

  const page = renderDocument(rendering([posts], [image]), document, posts, NOTHING);

  assertStringIncludes(bodyText(page), "A block");
  assertStringIncludes(markdownOf(page), "A block");
});

Deno.test("the caption of an image in a text stands below it, and with it in Markdown", () => {
  const posts = collection("posts", [field("body", "rich_text")]);
  const image = {
    _type: "image",
    _key: "i",
    media: "M",
    alt: "At dusk",
    caption: 'The "old" <lamp>',
  };
  const lamp = { id: "M", mime: "image/png" as const, filename: "lamp.png", alt: "A lamp" };
  const render = (body: Json) =>
    renderDocument(rendering([posts]), published("hello", { body }), posts, {
      ...NOTHING,
      medium: () => ({ ...lamp, width: 1, height: 1 }),
    });

  const page = render([image]);
  assertStringIncludes(
    bodyText(page),
    "<figcaption>The &quot;old&quot; &lt;lamp&gt;</figcaption></figure>",
  );
  assertStringIncludes(
    markdownOf(page),
    '![At dusk](https://lantern.example/media/M/lamp.png "The \\"old\\" <lamp>")',
  );
  assert(!bodyText(render([{ ...image, caption: "" }])).includes("figcaption"));
});

Deno.test("renderDocument() keeps links that run code out of the Markdown, and references that readers may not see", () => {
  const posts = collection("posts", [
    field("homepage", "url"),
    field("author", "reference"),
    field("body", "rich_text"),
  ]);
  const link = { _type: "link", _key: "l", href: "javascript:alert(1)" };
  const children = [{ _type: "span", text: "here", marks: ["l"] }];
  const document = published("hello", {
    homepage: "javascript:alert(1)",
    author: "SECRET",
    body: [paragraph("", { markDefs: [link], children })],
  });
  const text = markdownOf(renderDocument(rendering([posts]), document, posts, NOTHING));
  assert(!text.includes("javascript") && !text.includes("SECRET"), text);
  assertStringIncludes(text, "here");
});

Deno.test("listings and home have Markdown that leads to the Markdown of what they list", () => {
  const posts = collection("posts", [field("summary", "text")]);
  const facts = rendering([posts]);
  const documents = [published("one", { summary: "First" }), published("two")];
  const slice = { number: null, start: 0, end: 2 };
  const listing = renderListing(facts, { collection: posts, slice, documents, total: 90 });
  const lines = [
    "- [two](https://lantern.example/posts/two.md)",
    "- [one](https://lantern.example/posts/one.md): First",
  ];
  assertStringIncludes(markdownOf(listing), `# Posts\n\n${lines.join("\n")}`);
  assertStringIncludes(markdownOf(listing), "[Older](https://lantern.example/posts/page/");
  const home = renderHome(facts, [{ collection: posts, documents, total: 2 }]);
  assertStringIncludes(markdownOf(home), "# The Lantern\n\nNotes on light");
  assertStringIncludes(markdownOf(home), "## [Posts](https://lantern.example/posts.md)");
  assertStringIncludes(markdownOf(home), lines[1]!);
});

Deno.test("renderLlms() names the site, its collections and its newest documents", () => {
  const posts = { ...collection("posts", []), description: "What is new" };
  const empty = collection("drafts", []);
  const text = bodyText(renderLlms(rendering([posts, empty]), [
    { collection: posts, documents: [published("one")], total: 1 },
    { collection: empty, documents: [], total: 0 },
  ]));
  assert(text.startsWith("# The Lantern\n\n> Notes on light"), text);
  assertStringIncludes(text, "- [Posts](https://lantern.example/posts.md): What is new");
  assert(!text.includes("Drafts"), text);
  assertStringIncludes(text, "## Posts\n\n- [one](https://lantern.example/posts/one.md)");
});

Deno.test("escapeMarkdown() lets nothing pass for markup; markdownLink() ends where it should", () => {
  const lines = [
    "# no heading",
    "- no list",
    "1. no number",
    "*no* _marks_ `code` [a](b) &amp; <i>",
  ];
  assertEquals(
    escapeMarkdown(lines.join("\n")),
    "\\# no heading\n\\- no list\n1\\. no number\n" +
      "\\*no\\* \\_marks\\_ \\`code\\` \\[a\\](b) \\&amp; \\<i\\>",
  );
  assertEquals(markdownLink("a]\nb", "/x>y\\ z"), "[a\\] b](/x%3Ey%5C%20z)");
});
