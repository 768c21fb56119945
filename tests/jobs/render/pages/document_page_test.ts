import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { renderDocument } from "../../../../jobs/render/pages/document_page.ts";
import { Theme } from "../../../../jobs/render/theme/theme.ts";
import { referencesOf } from "../../../../jobs/render/views/view.ts";
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

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;

Deno.test("renderDocument() names the page, its address, its feeds and its surrogate keys", () => {
  const posts = collection("posts", [field("summary", "text")]);
  const document = published("hello", { summary: "About light" }, { title: "Light & dark" });

  const page = renderDocument(rendering([posts]), document, posts, NOTHING);

  const text = bodyText(page);
  assertEquals(page.path, "/posts/hello");
  assertEquals(page.documentId, "HELLO");
  assertEquals(page.contentType, "text/html; charset=utf-8");
  assertEquals(page.tags, ["doc-HELLO", "collection-posts", "site"]);
  assertStringIncludes(text, "<title>Light &amp; dark – The Lantern</title>");
  assertStringIncludes(text, '<link rel="canonical" href="https://lantern.example/posts/hello">');
  assertStringIncludes(text, '<meta property="og:title" content="Light &amp; dark">');
  assertStringIncludes(text, '<meta name="description" content="About light">');
  assertStringIncludes(text, '<time datetime="2026-05-28T20:26:40.000Z">May 28, 2026</time>');
  for (
    const path of ["/feed.xml", "/feed.json", "/feed.atom", "/posts/feed.xml", "/posts/feed.atom"]
  ) {
    assertStringIncludes(text, `href="${path}">`);
  }
});

Deno.test("renderDocument() renders hostile text harmless in every type of field", () => {
  const quote = blockDefinition("quote", [nested("text", "text"), nested("more", "block")]);
  const posts = collection("posts", [
    field("summary", "text"),
    field("note", "text", { multiline: true }),
    field("body", "rich_text"),
    field("link", "url"),
    field("mail", "email"),
    field("pick", "select"),
    field("picks", "multi_select"),
    field("raw", "json"),
    field("group", "group", { fields: [nested("text", "text"), nested("link", "url")] }),
    field("rows", "repeater", { fields: [nested("text", "text"), nested("body", "rich_text")] }),
    field("blocks", "block"),
    field("image", "media"),
    field("other", "reference"),
  ]);
  posts.name = HOSTILE;
  const block = { type: "quote", id: "1", data: { text: HOSTILE } };
  const document = published("hello", {
    summary: HOSTILE,
    note: HOSTILE,
    body: [paragraph(HOSTILE), { _type: "quote", text: HOSTILE }, { _type: HOSTILE }],
    link: "javascript:alert(1)",
    mail: HOSTILE,
    pick: HOSTILE,
    picks: [HOSTILE, HOSTILE],
    raw: { [HOSTILE]: HOSTILE },
    group: { text: HOSTILE, link: "data:text/html,x" },
    rows: [{ text: HOSTILE, body: [paragraph(HOSTILE)] }],
    blocks: [block, { ...block, type: HOSTILE }, { type: "quote" }, null],
    image: "M",
    other: "D",
  }, { title: HOSTILE, blocks: [block, HOSTILE] });
  const lookup = {
    medium: () => ({
      id: "M",
      mime: "image/png" as const,
      filename: HOSTILE,
      alt: HOSTILE,
      width: 10,
      height: 20,
    }),
    document: () => published("d", {}, { title: HOSTILE }),
  };

  const whole = bodyText(renderDocument(rendering([posts], [quote]), document, posts, lookup));

  const data = [...whole.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)];
  const [article, breadcrumbs] = data.map(([, json]) => JSON.parse(json!));
  assertEquals([article.headline, breadcrumbs.itemListElement.at(-1).name], [HOSTILE, HOSTILE]);
  const text = data.reduce((rest, [element]) => rest.replace(element, ""), whole);
  assert(!/<script|<img src=x|javascript:|data:text|onerror=alert\(1\)>(?!&#39;)/.test(text), text);
  for (const [tag] of text.matchAll(/<[a-z][^>]*>/g)) {
    assertMatch(tag, /^<[a-z0-9]+(?: [a-zA-Z-]+(?:="[^"]*")?)*\/?>$/);
  }
  assert(text.split("&lt;script&gt;alert(1)").length > 12);
});

Deno.test("renderDocument() prints blocks with the theme's own partials, and skips unknown ones", () => {
  const quote = blockDefinition("quote", [nested("text", "text")]);
  const posts = collection("posts", [field("body", "rich_text"), field("parts", "block")]);
  const theme = new Theme({
    templates: { "blocks/quote": "<q>{{ block.fields.text }}</q>" },
    assets: {},
  });
  const document = published("hello", {
    body: [{ _type: "quote", text: "in <text>" }, { _type: "unknown", text: "lost" }],
    parts: [{ type: "quote", id: "1", data: { text: "in a field" } }],
  }, { blocks: [{ type: "quote", id: "2", data: { text: "in the tree" } }] });

  const page = renderDocument({ ...rendering([posts], [quote]), theme }, document, posts, NOTHING);

  const text = bodyText(page);
  for (const quoted of ["in &lt;text&gt;", "in a field", "in the tree"]) {
    assertStringIncludes(text, `<q>${quoted}</q>`);
  }
  assert(!text.includes("lost"));
});

Deno.test("renderDocument() bounds blocks that hold blocks", () => {
  const box = blockDefinition("box", [nested("text", "text"), nested("inner", "block")]);
  const posts = collection("posts", [field("parts", "block")]);
  let block = { type: "box", id: "1", data: { text: "deepest" } as Record<string, unknown> };
  for (let depth = 0; depth < 40; depth++) {
    block = { type: "box", id: "1", data: { text: `level ${depth}`, inner: [block] } };
  }
  const document = published("hello", { parts: [block] as never });

  const text = bodyText(renderDocument(rendering([posts], [box]), document, posts, NOTHING));

  assertStringIncludes(text, "level 39");
  assert(!text.includes("deepest"));
});

Deno.test("renderDocument() follows references that the lookup knows and leaves out the others", () => {
  const posts = collection("posts", [
    field("cover", "media"),
    field("related", "reference"),
    field("hidden", "reference"),
  ]);
  const [cover, related, hidden] = ["M", "R", "H"].map((end) => end.padStart(26, "0"));
  const document = published("hello", { cover: cover!, related: related!, hidden: hidden! });
  const facts = { rendering: rendering([posts]) };
  const medium = {
    id: cover!,
    mime: "image/png" as const,
    filename: "a b.png",
    alt: "A lamp",
    width: 800,
    height: 400,
  };

  const references = referencesOf(document, posts, facts.rendering);
  const page = renderDocument(facts.rendering, document, posts, {
    medium: (id) => id === cover ? medium : null,
    document: (id) => id === related ? published("other", {}, { id, title: "Other" }) : null,
  });

  const text = bodyText(page);
  assertEquals(references, { media: [cover], documents: [related, hidden] });
  assertEquals(page.references, [hidden, cover, related]);
  assertStringIncludes(
    text,
    `<img src="/media/${cover}/a%20b.png" alt="A lamp" width="800" height="400" fetchpriority="high">`,
  );
  assertStringIncludes(
    text,
    `<meta property="og:image" content="https://lantern.example/media/${cover}/a%20b.png">`,
  );
  assertStringIncludes(text, '<a href="/posts/other">Other</a>');
  assert(!text.includes("Hidden"));
});

Deno.test("renderDocument() shows fields by their role: no mail address, no flag, nothing for machines", () => {
  const fields = [
    field("contact", "email"),
    field("featured", "boolean"),
    field("raw", "json"),
    field("seo", "group", { fields: [nested("title", "text"), nested("address", "email")] }),
    field("seoTitle", "text"),
    field("metaDescription", "text", { multiline: true }),
    field("price", "number"),
    field("person", "group", { fields: [nested("mail", "email"), nested("room", "text")] }),
  ];
  const posts = collection("posts", fields);
  const document = published("hello", {
    contact: "mary@example.org",
    featured: true,
    raw: { secret: 1 },
    seo: { title: "For machines", address: "seo@example.org" },
    seoTitle: "For machines",
    metaDescription: "For machines",
    price: 42,
    person: { mail: "grace@example.org", room: "B 12" },
  });
  const theme = new Theme({
    templates: { document: "{{ document.fields.contact }}" },
    assets: {},
  });

  const text = bodyText(renderDocument(rendering([posts]), document, posts, NOTHING));
  const asked = renderDocument({ ...rendering([posts]), theme }, document, posts, NOTHING);

  const shown = text.slice(text.indexOf("<body>"));
  assert(!/@example|For machines|secret|Featured/i.test(shown), shown);
  assertStringIncludes(text, "<dd>42</dd>");
  assertStringIncludes(text, "<dd>B 12</dd>");
  assertEquals(bodyText(asked), "mary@example.org");
});

Deno.test("renderDocument() names who made a document, its topics, and the image in several widths", () => {
  const posts = collection("posts", [
    field("author", "reference"),
    field("topics", "multi_select"),
    field("cover", "media"),
    field("body", "rich_text"),
  ]);
  const document = published("hello", {
    author: "A",
    topics: ["light", "storms"],
    cover: "M",
    body: [paragraph("Words")],
  });
  const medium = {
    id: "M",
    mime: "image/png" as const,
    filename: "a.jpg",
    alt: "A lamp",
    width: 1300,
    height: 800,
  };
  const lookup = {
    medium: () => medium,
    document: () => published("mary", {}, { title: "Mary Anning" }),
  };
  const plain = rendering([posts]);
  const resizing = { ...plain, site: { ...plain.site, imageTransforms: true } };

  const text = bodyText(renderDocument(resizing, document, posts, lookup));
  const once = bodyText(renderDocument(plain, document, posts, lookup));

  assertStringIncludes(text, '<span>By <a rel="author" href="/posts/mary">Mary Anning</a></span>');
  assertStringIncludes(text, "<li>light</li>\n<li>storms</li>");
  assertStringIncludes(
    text,
    'srcset="/media/M/a.jpg?w=480 480w, /media/M/a.jpg?w=640 640w, /media/M/a.jpg?w=960 960w, ' +
      '/media/M/a.jpg?w=1280 1280w, /media/M/a.jpg 1300w"',
  );
  assert(!once.includes("srcset"));
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text)![1]!;
  assertEquals(JSON.parse(json).author, [
    { "@type": "Person", name: "Mary Anning", url: "https://lantern.example/posts/mary" },
  ]);
});
