import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { renderFeeds } from "../../../support/sites/feeds.ts";
import { renderRobots } from "../../../../jobs/render/feeds/robots.ts";
import {
  renderSitemap,
  renderSitemapIndex,
  sitemapPartPath,
} from "../../../../jobs/render/feeds/sitemap.ts";
import {
  bodyText,
  collection,
  field,
  paragraph,
  published,
  rendering,
  SITE,
} from "../../../support/sites/site.ts";
import { childrenOf, parseXml, textOf } from "../../../support/harness/xml.ts";

const posts = collection("posts", [field("summary", "text"), field("body", "rich_text")]);
const HOSTILE = `]]> <script>alert("1")</script> & \u0000\u0008\ud800 é 日本`;

/** Ids as they are: what is no ULID has no UUID. */
const ID = "01KAZ6Q0000000000000000000";

Deno.test("renderFeeds() are well-formed and say what the documents say, hostile or not", () => {
  const document = published("hello", { summary: HOSTILE, body: [paragraph(HOSTILE)] }, {
    title: HOSTILE,
    id: ID,
  });

  const [rss, json] = renderFeeds(rendering([posts]), [document], null);

  const channel = childrenOf(parseXml(bodyText(rss!)), "channel")[0]!;
  const [item] = childrenOf(channel, "item");
  const title = `]]> <script>alert("1")</script> & \ufffd é 日本`;
  assertEquals(textOf(item!, "title"), title);
  assertEquals(textOf(item!, "link"), "https://lantern.example/posts/hello");
  assertEquals(textOf(item!, "guid"), ID);
  assertEquals(textOf(item!, "pubDate"), "Thu, 28 May 2026 20:26:40 GMT");
  assertStringIncludes(textOf(item!, "description"), "&lt;script&gt;");
  assertStringIncludes(textOf(item!, "content:encoded"), "&lt;script&gt;");
  assert(!bodyText(rss!).includes("<script"));
  const feed = JSON.parse(bodyText(json!));
  assertEquals(feed.version, "https://jsonfeed.org/version/1.1");
  assertEquals(feed.items[0].title, title);
  assertEquals(feed.items[0].date_published, "2026-05-28T20:26:40.000Z");
  assert(!feed.items[0].content_html.includes("<script"));
});

Deno.test("renderFeeds() of a collection have their own address and at most twenty documents", () => {
  const documents = Array.from({ length: 25 }, (_, n) => published(`p${n}`, {}, { id: ID }));

  const [rss, json] = renderFeeds(rendering([posts]), documents, {
    collection: posts,
    tag: null,
  });

  const channel = childrenOf(parseXml(bodyText(rss!)), "channel")[0]!;
  assertEquals([rss!.path, json!.path], ["/posts/feed.xml", "/posts/feed.json"]);
  assertEquals(rss!.tags, ["aggregates", "collection-posts", "site"]);
  assertEquals(
    childrenOf(channel, "atom:link")[0]!.attributes.href,
    "https://lantern.example/posts/feed.xml",
  );
  assertEquals(childrenOf(channel, "item").length, 20);
  assertEquals(textOf(channel, "link"), "https://lantern.example/posts");
  assertEquals(JSON.parse(bodyText(json!)).items.length, 20);
});

const authored = collection("posts", [
  field("author", "reference"),
  field("editor", "reference"),
  field("cover", "media"),
]);
const people = { ...collection("people", [field("portrait", "media")]), id: "people" };
const ADA = published("ada", { portrait: "F" }, {
  id: "ADA",
  collectionId: "people",
  title: "Ada <Byron>",
});
const MEDIUM = { id: "M", mime: "image/webp" as const, filename: "a.webp", alt: "A & B" };
const SHOWN = {
  document: (id: string) => id === "ADA" ? ADA : null,
  medium: (id: string) => ({ ...MEDIUM, id, width: 1800, height: 1200 }),
};

Deno.test("renderFeeds() name who made a document, and its cover as it is shared", () => {
  const document = published("fog", { author: "ADA", editor: "GONE", cover: "M" }, {
    id: ID,
  });
  const plain = rendering([authored, people]);
  const site = { ...plain.site, imageTransforms: true };

  const [rss, json] = renderFeeds({ ...plain, site }, [document], null, SHOWN);
  const [whole] = renderFeeds(plain, [document], null, SHOWN);
  const [pageless] = renderFeeds(
    rendering([authored, { ...people, pageless: true }]),
    [document],
    null,
    SHOWN,
  ).slice(1);

  const itemOf = (page: typeof rss) => {
    const channel = childrenOf(parseXml(bodyText(page!)), "channel")[0]!;
    return childrenOf(channel, "item")[0]!;
  };
  const item = itemOf(rss);
  assertEquals(childrenOf(item, "dc:creator").map(({ text }) => text), ["Ada <Byron>"]);
  const [image] = childrenOf(item, "media:content");
  const url = "https://lantern.example/media/M/a.webp";
  assertEquals(image!.attributes, {
    url: `${url}?w=1280&h=720&format=jpeg`,
    medium: "image",
    type: "image/jpeg",
    width: "1280",
    height: "720",
  });
  assertEquals(textOf(image!, "media:description"), "A & B");
  assertEquals(childrenOf(itemOf(whole), "media:content")[0]!.attributes.type, "image/webp");
  const [entry] = JSON.parse(bodyText(json!)).items;
  assertEquals(entry.image, `${url}?w=1280&h=720&format=jpeg`);
  assertEquals(entry.authors, [{
    name: "Ada <Byron>",
    url: "https://lantern.example/people/ada",
    avatar: "https://lantern.example/media/F/a.webp?w=480&h=480",
  }]);
  assertEquals(JSON.parse(bodyText(pageless!)).items[0].authors, [{
    name: "Ada <Byron>",
    avatar: "https://lantern.example/media/F/a.webp",
  }]);
});

Deno.test("renderFeeds() say nothing of makers and covers that are not there", () => {
  const document = published("fog", { author: "GONE", cover: "M" }, { id: ID });

  const [rss, json] = renderFeeds(rendering([authored, people]), [document], null);

  assert(!bodyText(rss!).includes("<dc:creator") && !bodyText(rss!).includes("<media:content"));
  const [entry] = JSON.parse(bodyText(json!)).items;
  assertEquals(["image" in entry, "authors" in entry], [false, false]);
});

Deno.test("renderFeeds() makes links on the site absolute", () => {
  const body = [{
    _type: "block",
    markDefs: [{ _key: "m", _type: "link", href: "/posts/other" }],
    children: [{ _type: "span", text: "there", marks: ["m"] }],
  }];

  const [rss] = renderFeeds(rendering([posts]), [published("hello", { body }, { id: ID })], null);

  const item = childrenOf(childrenOf(parseXml(bodyText(rss!)), "channel")[0]!, "item")[0]!;
  assertStringIncludes(
    textOf(item, "content:encoded"),
    'href="https://lantern.example/posts/other"',
  );
});

Deno.test("renderFeeds() say of the same document what the site and its collection are now", () => {
  const document = published("hello", { summary: "Before", lead: "After" }, { id: ID });
  const renamed = collection("posts", [field("lead", "text")]);
  const here = rendering([posts]);
  const moved = { ...here, site: { ...SITE, url: "https://moved.example" } };

  const said = [here, moved, rendering([renamed]), here].map((one) => {
    const [, json] = renderFeeds(one, [document], null);
    const { url, summary } = JSON.parse(bodyText(json!)).items[0];
    return [new URL(url).host, summary];
  });

  const before = ["lantern.example", "Before"];
  const after = ["lantern.example", "After"];
  assertEquals(said, [before, ["moved.example", "Before"], after, before]);
});

Deno.test("renderFeeds() say the same in Atom, with what it must have", () => {
  const fields = { author: "ADA", cover: "M", summary: HOSTILE, body: [paragraph(HOSTILE)] };
  const written = collection("posts", [
    field("author", "reference"),
    field("cover", "media"),
    field("summary", "text"),
    field("body", "rich_text"),
  ]);
  const document = published("fog", fields, { title: HOSTILE, id: ID });

  const [, , page] = renderFeeds(rendering([written, people]), [document], null, SHOWN);
  const [, , empty] = renderFeeds(rendering([{ ...written, updatedAt: 60 }]), [], {
    collection: { ...written, updatedAt: 60 },
    tag: null,
  });

  const feed = parseXml(bodyText(page!));
  assertEquals([page!.path, page!.contentType], [
    "/feed.atom",
    "application/atom+xml; charset=utf-8",
  ]);
  assertEquals(feed.attributes.xmlns, "http://www.w3.org/2005/Atom");
  assertEquals(textOf(feed, "id"), "https://lantern.example/feed.atom");
  assertEquals(textOf(feed, "updated"), "2026-05-28T20:28:20.000Z");
  assertEquals(
    childrenOf(feed, "link").map(({ attributes }) => [attributes.rel, attributes.href]),
    [["self", "https://lantern.example/feed.atom"], ["alternate", "https://lantern.example/"]],
  );
  assertEquals(textOf(childrenOf(feed, "author")[0]!, "name"), SITE.title);
  const [entry] = childrenOf(feed, "entry");
  assertEquals(textOf(entry!, "id"), "urn:uuid:019abe6b-8000-0000-0000-000000000000");
  assertEquals(textOf(entry!, "title"), `]]> <script>alert("1")</script> & \ufffd é 日本`);
  assertEquals(childrenOf(entry!, "link")[0]!.attributes.href, "https://lantern.example/posts/fog");
  const [author] = childrenOf(entry!, "author");
  assertEquals([textOf(author!, "name"), textOf(author!, "uri")], [
    "Ada <Byron>",
    "https://lantern.example/people/ada",
  ]);
  assertEquals(childrenOf(entry!, "media:content").length, 1);
  assertStringIncludes(textOf(entry!, "summary"), "<script>");
  assertEquals(childrenOf(entry!, "content")[0]!.attributes.type, "html");
  assertStringIncludes(textOf(entry!, "content"), "&lt;script&gt;");
  assertEquals(empty!.path, "/posts/feed.atom");
  assertEquals(textOf(parseXml(bodyText(empty!)), "updated"), "1970-01-01T00:01:00.000Z");
});

Deno.test("renderSitemap() lists absolute addresses with the time of their last change", () => {
  const page = renderSitemap(SITE, "/sitemap.xml", [
    { path: "/" },
    { path: "/posts/hello", updatedAt: 1_780_000_000 },
  ]);

  const [home, document] = childrenOf(parseXml(bodyText(page)), "url");
  assertEquals(page.path, "/sitemap.xml");
  assertEquals(textOf(home!, "loc"), "https://lantern.example/");
  assertEquals(textOf(document!, "loc"), "https://lantern.example/posts/hello");
  assertEquals(textOf(document!, "lastmod"), "2026-05-28T20:26:40Z");
});

Deno.test("renderSitemapIndex() leads to the parts, each as old as its newest address", () => {
  const [first, second] = ["", "01KV0000000000000000000000"].map(sitemapPartPath);

  const page = renderSitemapIndex(SITE, [
    { path: first! },
    { path: second!, updatedAt: 1_780_000_000 },
  ]);

  const parts = childrenOf(parseXml(new TextDecoder().decode(page.body)), "sitemap");
  assertEquals(page.path, "/sitemap.xml");
  assertEquals(parts.map((part) => textOf(part, "loc")), [
    "https://lantern.example/sitemap/first.xml",
    "https://lantern.example/sitemap/01kv0000000000000000000000.xml",
  ]);
  assertEquals(textOf(parts[1]!, "lastmod"), "2026-05-28T20:26:40Z");
  assertEquals(childrenOf(parts[0]!, "lastmod"), []);
});

Deno.test("renderRobots() tells where the sitemap is", () => {
  assertStringIncludes(
    bodyText(renderRobots(SITE)),
    "\nSitemap: https://lantern.example/sitemap.xml\n",
  );
});
