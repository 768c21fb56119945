import { assertEquals } from "@std/assert";
import { type HeadFacts, headMarkup } from "../../../jobs/render/head_markup.ts";
import { Html } from "../../../jobs/render/markup.ts";

const ICON = { path: "/icon.svg", type: "image/svg+xml", sizes: "any", touch: null };
const LEAST: HeadFacts = {
  site: { title: "Notes", icon: ICON },
  kind: "home",
  title: "Notes",
  description: "",
  canonical: null,
  markdown: null,
  feeds: [],
  share: null,
  topics: [],
  authors: [],
  profile: false,
  times: null,
  structured: null,
  breadcrumbs: null,
};

const lines = (facts: Partial<HeadFacts>) => headMarkup({ ...LEAST, ...facts }).markup.split("\n");

Deno.test("headMarkup describes a page without a URL by the known facts only, and excludes it from search engines", () => {
  assertEquals(lines({}), [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    "<title>Notes</title>",
    '<meta name="robots" content="noindex">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml" sizes="any">',
    '<meta property="og:site_name" content="Notes">',
    '<meta property="og:title" content="Notes">',
    '<meta property="og:type" content="website">',
    '<meta name="twitter:card" content="summary">',
  ]);
});

Deno.test("headMarkup says all of a document, escaped", () => {
  const whole = lines({
    site: { title: "A & B", icon: { ...ICON, touch: "/touch.png" } },
    kind: "document",
    title: '"Quoted" <b>',
    description: "What it says",
    canonical: "https://example.org/posts/quoted",
    markdown: "/posts/quoted.md",
    feeds: [{ type: "application/rss+xml", title: "A & B", path: "/feed.xml" }],
    share: {
      url: "https://example.org/a.jpg?w=1&h=2",
      width: 600,
      height: 300,
      alt: "A lamp",
      mime: "image/jpeg",
    },
    topics: ["light & dark"],
    authors: ["Ada & Bo"],
    times: { published: "2026-11-21T08:30:00.000Z", updated: "2026-11-22T08:30:00.000Z" },
    structured: new Html('{"name":"<"}'),
  });
  assertEquals(whole.slice(2), [
    "<title>&quot;Quoted&quot; &lt;b&gt; – A &amp; B</title>",
    '<meta name="description" content="What it says">',
    '<meta name="author" content="Ada &amp; Bo">',
    '<link rel="canonical" href="https://example.org/posts/quoted">',
    '<meta name="robots" content="max-image-preview:large">',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml" sizes="any">',
    '<link rel="apple-touch-icon" href="/touch.png">',
    '<link rel="alternate" type="text/markdown" href="/posts/quoted.md">',
    '<link rel="alternate" type="application/rss+xml" title="A &amp; B" href="/feed.xml">',
    '<meta property="og:site_name" content="A &amp; B">',
    '<meta property="og:title" content="&quot;Quoted&quot; &lt;b&gt;">',
    '<meta property="og:type" content="article">',
    '<meta property="og:url" content="https://example.org/posts/quoted">',
    '<meta property="og:description" content="What it says">',
    '<meta property="og:image" content="https://example.org/a.jpg?w=1&amp;h=2">',
    '<meta property="og:image:width" content="600">',
    '<meta property="og:image:height" content="300">',
    '<meta property="og:image:alt" content="A lamp">',
    '<meta name="twitter:card" content="summary_large_image">',
    '<meta property="article:published_time" content="2026-11-21T08:30:00.000Z">',
    '<meta property="article:modified_time" content="2026-11-22T08:30:00.000Z">',
    '<meta property="article:tag" content="light &amp; dark">',
    '<script type="application/ld+json">{"name":"<"}</script>',
  ]);
});

Deno.test("headMarkup calls a page about a person a profile, without times", () => {
  const times = { published: "2026", updated: "2026" };
  const types = lines({ kind: "document", profile: true, times }).filter((line) =>
    /og:type|article:/.test(line)
  );
  assertEquals(types, ['<meta property="og:type" content="profile">']);
});
