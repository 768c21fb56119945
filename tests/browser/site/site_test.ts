/**
 * The public site as a visitor sees it, in each built-in theme: at three widths, in light and dark, checked for accessibility.
 * `SCREENSHOTS=<folder>` keeps pictures of what was checked.
 */
import { assert, assertEquals } from "@std/assert";
import axe from "axe-core";
import { Hono } from "@hono/hono";
import type { Browser, Page as BrowserPage } from "playwright-core";
import { renderDocument } from "../../../jobs/render/pages/document_page.ts";
import { renderHome } from "../../../jobs/render/pages/home_page.ts";
import { renderListing } from "../../../jobs/render/pages/listing_page.ts";
import { newestSlice, olderSlice } from "../../../jobs/render/pages/listing_plan.ts";
import { renderSearch } from "../../../jobs/render/pages/search_page.ts";
import { builtInTheme } from "../../../jobs/render/theme/built_in_themes.ts";
import { BUILT_IN_THEMES, type BuiltInThemeId } from "../../../kv/packages/built_in_themes.ts";
import { renderNotFound } from "../../../jobs/render/pages/not_found_page.ts";
import { readListPath } from "../../../jobs/publishing/lists/list_paths.ts";
import { packPage, putPage } from "../../../kv/pages/pages.ts";
import { SchemaSource } from "../../../kv/sources/schema_source.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { siteRoutes } from "../../../routes/site/site.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { testContext } from "../../support/harness/context.ts";
import {
  blockDefinition,
  collection,
  field,
  nested,
  paragraph,
  published,
  rendering as renderingOf,
} from "../../support/sites/site.ts";

const LAMP =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 600"><rect width="1200" height="600" fill="#3b5b6d"/><circle cx="760" cy="250" r="120" fill="#ffd9a0"/><path d="M0 600 500 330 800 480 1200 360V600z" fill="#1d2f3a"/></svg>`;

const TITLES = [
  "How a lighthouse finds its rhythm",
  "Fog, and the sound of it",
  "The keeper’s hours",
  "A short history of the Fresnel lens, with notes on grinding, framing and cleaning it",
  "Winter oil",
  "What the weather book does not say",
];
const SUMMARY =
  "Every light has a character of its own: so many flashes, so many seconds. Sailors read it like a name.";

/** A small site with something of everything. */
function exampleSite(theme: BuiltInThemeId) {
  const posts = collection("posts", [
    field("summary", "text"),
    field("cover", "media"),
    field("body", "rich_text"),
    field("parts", "block"),
    field("places", "repeater", {
      fields: [nested("name", "text"), nested("built", "number")],
    }),
    field("rating", "number"),
    field("topics", "multi_select", { choices: ["Light", "Sea"] }),
    field("website", "url"),
    field("related", "reference"),
    field("raw", "json"),
  ]);
  posts.description = "Essays, longer notes and the occasional drawing.";
  const pages = collection("pages", [field("body", "rich_text")]);
  const quote = blockDefinition("quote", [
    nested("text", "text", { multiline: true }),
    nested("source", "text"),
  ]);
  const rendering = { ...renderingOf([pages, posts], [quote]), theme: builtInTheme(theme) };
  const documents = Array.from(
    { length: 45 },
    (_, n) =>
      published(`post-${n}`, { summary: SUMMARY }, {
        title: TITLES[n % TITLES.length]!,
        publishedAt: 1_760_000_000 + n * 86_400,
      }),
  );
  const about = published("about", { body: [paragraph("We keep three lights.")] }, {
    collectionId: "pages",
    title: "About the lights",
  });
  return { rendering, posts, pages, documents, about };
}

function longBody() {
  return [
    paragraph(
      "A lamp that only burns is a fire. What makes it a lighthouse is the pause: the dark between two flashes is measured as carefully as the flashes are.",
    ),
    paragraph("Counting seconds", { style: "h2" }),
    {
      _type: "block",
      markDefs: [{ _key: "m", _type: "link", href: "https://example.org/lists" }],
      children: [
        { _type: "span", text: "The " },
        { _type: "span", text: "List of Lights", marks: ["m"] },
        { _type: "span", text: " gives each one a line. " },
        { _type: "span", text: "Fl(2) 10s", marks: ["code"] },
        { _type: "span", text: " means two flashes every ten seconds, and " },
        { _type: "span", text: "nothing", marks: ["em"] },
        { _type: "span", text: " else on that coast may do the same." },
      ],
    },
    paragraph("Two flashes, ten seconds", { listItem: "bullet", level: 1 }),
    paragraph("One long flash, fifteen seconds", { listItem: "bullet", level: 1 }),
    paragraph("A steady light, which is rare now", { listItem: "bullet", level: 1 }),
    paragraph("The sea is not cruel. It is only busy.", { style: "blockquote" }),
    paragraph("Grinding", { style: "h3" }),
    paragraph("Glass was ground by hand for a century, ring after ring."),
    {
      _type: "quote",
      text: "I have never been as awake as at four in the morning.",
      source: "A keeper",
    },
  ];
}

/** Serves the example site on a free port. */
async function serveSite(theme: BuiltInThemeId) {
  const context = await testContext();
  const { rendering, posts, pages, documents, about } = exampleSite(theme);
  const story = published("rhythm", {
    summary: SUMMARY,
    cover: "M",
    body: longBody(),
    parts: [{ type: "quote", id: "1", data: { text: "Out of a block field.", source: "The log" } }],
    places: [{ name: "North Rock", built: 1871 }, { name: "Saltholm", built: 1902 }],
    rating: 5,
    topics: ["Light", "Sea"],
    website: "https://example.org/a/rather/long/address/that/has/to/break/somewhere/on/a/phone",
    related: "OTHER",
    raw: { lens: { order: 1, focal: 920 } },
  }, { title: TITLES[0]! });
  const total = documents.length;
  const newest = newestSlice(total);
  const listing = { collection: posts, total };
  const stored = [
    renderHome(rendering, [
      { collection: posts, documents: documents.toReversed().slice(0, 5), total },
      { collection: pages, documents: [about], total: 1 },
    ]),
    renderListing(rendering, {
      ...listing,
      slice: newest,
      documents: documents.slice(newest.start, newest.end),
    }),
    renderListing(rendering, {
      ...listing,
      slice: olderSlice(1),
      documents: documents.slice(0, 20),
    }),
    renderDocument(rendering, story, posts, {
      medium: () => ({
        id: "M",
        mime: "image/png",
        filename: "lamp.svg",
        alt: "A lamp over hills",
        width: 1200,
        height: 600,
      }),
      document: () => published("fog", {}, { title: TITLES[1]! }),
    }),
    renderListing(rendering, {
      ...listing,
      slice: newestSlice(3),
      documents: documents.slice(0, 3),
      tag: { label: "Light", path: "/posts/topics/light", description: "", about: "/posts/rhythm" },
    }),
    renderSearch(rendering),
    renderNotFound(rendering),
    ...rendering.theme.assetPages(),
  ];
  const rendered = new Map(stored.map((page) => [page.path, packPage(page)]));
  for (const page of stored) {
    const operation = new Operation();
    await putPage(context, operation, page);
    await context.store.commit(operation);
  }
  const content = { context, schema: new SchemaSource(context) };
  const app = new Hono()
    .get("/media/*", (c) => c.body(LAMP, 200, { "content-type": "image/svg+xml" }))
    .route(
      "/",
      siteRoutes({
        content,
        lists: {
          isListPath: (path) => readListPath(path) !== null,
          find: (path) => Promise.resolve(rendered.get(path) ?? null),
          findAsset: (path) => Promise.resolve(rendered.get(path) ?? null),
        },
        render: () => Promise.reject(new Error("No Markdown is asked for")),
      }),
    );
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.fetch);
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await context[Symbol.asyncDispose]();
    },
  };
}

const PATHS = {
  home: "/",
  listing: "/posts",
  older: "/posts/page/1",
  page: "/posts/rhythm",
  tag: "/posts/topics/light",
  search: "/search",
  missing: "/no",
};
const WIDTHS = { phone: 375, tablet: 834, desktop: 1440 };

/** Every page on a phone and a tablet in the light and on a desktop in the dark; for pictures, the other way round too. */
async function eachView(
  browser: Browser,
  origin: string,
  options: { all: boolean },
  check: (page: BrowserPage, name: string) => Promise<void>,
): Promise<void> {
  const views: [keyof typeof WIDTHS, "light" | "dark"][] = [
    ["phone", "light"],
    ["tablet", "light"],
    ["desktop", "dark"],
  ];
  if (options.all) views.push(["phone", "dark"], ["tablet", "dark"], ["desktop", "light"]);
  for (const [device, colorScheme] of views) {
    const viewport = { width: WIDTHS[device], height: 800 };
    // The page's policy forbids the checker's own script; what it says is tested below.
    const tab = await browser.newContext({ colorScheme, viewport, bypassCSP: true });
    const page = await tab.newPage();
    for (const [name, path] of Object.entries(PATHS)) {
      await page.goto(origin + path);
      await check(page, `${name}_${device}_${colorScheme}`);
    }
    await tab.close();
  }
}

for (const { id } of BUILT_IN_THEMES) {
  browserTest(
    `the public site in ${id} passes an accessibility check at every width and in every light`,
    async (browser) => {
      await using site = await serveSite(id);
      const folder = Deno.env.get("SCREENSHOTS");
      let checked = 0;

      await eachView(browser, site.origin, { all: folder !== undefined }, async (page, name) => {
        if (folder) await page.screenshot({ path: `${folder}/${id}_${name}.png`, fullPage: true });
        await page.evaluate(axe.source);
        // deno-lint-ignore no-explicit-any
        const result: any = await page.evaluate("axe.run()");
        const faults = result.violations.map((one: { id: string; nodes: { html: string }[] }) =>
          `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`
        );
        assertEquals(faults, [], name);
        assert(result.passes.length > 15);
        const overflow = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        assertEquals(overflow, 0, `${name} scrolls sideways`);
        checked += 1;
      });

      assertEquals(checked, folder === undefined ? 21 : 42);
    },
  );

  browserTest(
    `the public site's policy lets its style in and keeps scripts out in ${id}`,
    async (browser) => {
      await using site = await serveSite(id);
      const page = await browser.newPage();
      const refused: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") refused.push(message.text());
      });

      await page.goto(`${site.origin}/posts/rhythm`);

      assertEquals(refused, []);
      const look = await page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth");
      assert(look !== "none", "The style was not applied");
      const shown = await page.evaluate("document.querySelector('.hero img').naturalWidth > 0");
      assertEquals(shown, true);
      await page.evaluate(`{
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
  }`);
      assertEquals(await page.evaluate("globalThis.ran === undefined"), true);
    },
  );

  browserTest(
    `the public site in ${id} can be walked through with the keyboard`,
    async (browser) => {
      await using site = await serveSite(id);
      const page = await browser.newPage();
      await page.goto(`${site.origin}/`);

      await page.keyboard.press("Tab");
      assertEquals(await page.evaluate("document.activeElement.className"), "skip");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");

      const inMain = await page.evaluate("document.activeElement.closest('main') !== null");
      assertEquals(inMain, true);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/posts");
    },
  );
}
