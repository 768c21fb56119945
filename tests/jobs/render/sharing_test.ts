/** What a page says of itself where it is shared, searched and read by programs. */
import { renderDocument } from "../../../jobs/render/pages/document_page.ts";
import { renderFeeds } from "../../support/sites/feeds.ts";
import { renderHome } from "../../../jobs/render/pages/home_page.ts";
import { renderListing } from "../../../jobs/render/pages/listing_page.ts";
import { renderNotFound } from "../../../jobs/render/pages/not_found_page.ts";
import { renderSearch } from "../../../jobs/render/pages/search_page.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import {
  bodyText,
  collection,
  field,
  NOTHING,
  paragraph,
  published,
  rendering,
} from "../../support/sites/site.ts";
import { childrenOf, parseXml } from "../../support/harness/xml.ts";

const posts = collection("posts", [
  field("summary", "text"),
  field("topics", "multi_select", { choices: ["light", "storms"] }),
  field("cover", "media"),
  field("body", "rich_text"),
]);
const COVER = { id: "M", mime: "image/jpeg" as const, filename: "a.jpg", alt: "A lamp" };
const document = published("fog", {
  summary: "Grey",
  topics: ["light", "storms"],
  cover: "M",
  body: [paragraph("Words")],
}, { title: "Fog" });

function pageWith(size: { width: number; height: number }, imageTransforms: boolean): string {
  const plain = rendering([posts]);
  const site = { ...plain.site, imageTransforms };
  const lookup = { ...NOTHING, medium: () => ({ ...COVER, ...size }) };
  return bodyText(renderDocument({ ...plain, site }, document, posts, lookup));
}

function contentOf(page: string, property: string): string[] {
  return [...page.matchAll(new RegExp(`="${property}" content="([^"]*)"`, "g"))]
    .map(([, content]) => content!.replaceAll("&amp;", "&"));
}

Deno.test("a cover is shared as a JPEG in the shape and size that networks take", () => {
  const large = pageWith({ width: 3000, height: 2000 }, true);
  const small = pageWith({ width: 700, height: 900 }, true);
  const whole = pageWith({ width: 3000, height: 2000 }, false);

  const url = "https://lantern.example/media/M/a.jpg";
  assertEquals(contentOf(large, "og:image"), [`${url}?w=1280&h=720&format=jpeg`]);
  assertEquals(contentOf(large, "og:image:width"), ["1280"]);
  assertEquals(contentOf(large, "og:image:height"), ["720"]);
  assertEquals(contentOf(large, "twitter:card"), ["summary_large_image"]);
  assertEquals(contentOf(small, "og:image"), [`${url}?w=640&h=360&format=jpeg`]);
  assertEquals(contentOf(whole, "og:image"), [url]);
});

Deno.test("a logo that represents a page is shared uncropped, and a page without a picture as a summary", () => {
  const plain = rendering([posts]);
  const medium = { ...COVER, width: 400, height: 1000, alt: "" };
  const site = { ...plain.site, imageTransforms: true, logo: { id: "M", medium } };

  const home = bodyText(renderHome({ ...plain, site }, []));
  const bare = bodyText(renderHome(plain, []));

  assertEquals(contentOf(home, "og:image"), ["https://lantern.example/media/M/a.jpg"]);
  assertEquals(contentOf(home, "og:image:alt"), []);
  assertEquals(contentOf(home, "twitter:card"), ["summary"]);
  assertEquals(contentOf(bare, "og:image"), []);
  assertEquals(contentOf(bare, "twitter:card"), ["summary"]);
});

Deno.test("pages without a picture are shared with that of the site, or else its logo, or else its icon", () => {
  const plain = rendering([posts]);
  const medium = { ...COVER, width: 400, height: 400 };
  const sign = (id: string) => ({ id, medium: { ...medium, id } });
  const bare = published("bare", {});
  const drawn = (own: object) => {
    const one = { ...plain, site: { ...plain.site, ...own } };
    return [renderSearch(one), renderNotFound(one), renderDocument(one, bare, posts, NOTHING)]
      .map((page) => contentOf(bodyText(page), "og:image")[0]?.split("/").at(-2));
  };

  const [image, logo, icon] = [sign("IMAGE"), sign("LOGO"), sign("ICON")];
  assertEquals(drawn({ image, logo, icon }), ["IMAGE", "IMAGE", "IMAGE"]);
  assertEquals(drawn({ logo, icon }), ["LOGO", "LOGO", "LOGO"]);
  assertEquals(drawn({ icon }), ["ICON", "ICON", "ICON"]);
  assertEquals(drawn({}), [undefined, undefined, undefined]);
});

Deno.test("a page of several documents is shared with the site's picture, or else with the first cover that it shows", () => {
  const plain = rendering([posts]);
  const medium = { ...COVER, width: 1600, height: 900 };
  const lookup = { ...NOTHING, medium: () => medium };
  const bare = published("bare", {});
  const pictured = { ...plain.site, image: { id: "S", medium: { ...medium, id: "S" } } };
  const slice = { number: null, start: 0, end: 2 };
  const pages = [plain.site, pictured].flatMap((site) => [
    renderHome(
      { ...plain, site },
      [{ collection: posts, documents: [bare, document], total: 2 }],
      lookup,
    ),
    renderListing({ ...plain, site }, {
      collection: posts,
      slice,
      documents: [document, bare],
      total: 2,
      lookup,
    }),
  ]);

  assertEquals(pages.map((page) => contentOf(bodyText(page), "og:image")), [
    ["https://lantern.example/media/M/a.jpg"],
    ["https://lantern.example/media/M/a.jpg"],
    ["https://lantern.example/media/S/a.jpg"],
    ["https://lantern.example/media/S/a.jpg"],
  ]);
});

Deno.test("a document tells machines its topics, its language, its Markdown and where it stands", () => {
  const page = pageWith({ width: 3000, height: 2000 }, true);

  assertEquals(contentOf(page, "article:tag"), ["light", "storms"]);
  assertStringIncludes(
    page,
    '<link rel="alternate" type="text/markdown" href="https://lantern.example/posts/fog.md">',
  );
  const json = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)![1]!;
  const { description, keywords, inLanguage, mainEntityOfPage, image } = JSON.parse(json);
  assertEquals({ description, keywords, inLanguage, mainEntityOfPage }, {
    description: "Grey",
    keywords: ["light", "storms"],
    inLanguage: "en",
    mainEntityOfPage: { "@type": "WebPage", "@id": "https://lantern.example/posts/fog" },
  });
  assertEquals(image[0], "https://lantern.example/media/M/a.jpg?w=1280&h=720&format=jpeg");
  assert(!bodyText(renderNotFound(rendering([posts]))).includes("text/markdown"));
});

Deno.test("feeds name the topics of a document; an empty one was never built", () => {
  const [rss, json] = renderFeeds(rendering([posts]), [document], null);
  const [empty] = renderFeeds(rendering([posts]), [], null);

  const channel = childrenOf(parseXml(bodyText(rss!)), "channel")[0]!;
  const [item] = childrenOf(channel, "item");
  assertEquals(childrenOf(item!, "category").length, 2);
  assertEquals(JSON.parse(bodyText(json!)).items[0].tags, ["light", "storms"]);
  assertEquals(childrenOf(channel, "lastBuildDate").length, 1);
  const none = childrenOf(parseXml(bodyText(empty!)), "channel")[0]!;
  assertEquals(childrenOf(none, "lastBuildDate").length, 0);
});
