/**
 * What the screens look like, at three widths and in both colors, held against pictures that are kept:
 * `deno task pictures` makes them anew.
 */
import type { Locator, Page } from "playwright-core";
import type { ScreenId } from "../../routes/studio/screens.ts";
import { assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import {
  comparePicture,
  keptPictures,
  SCHEMES,
  takePicture,
  VIEWPORTS,
  waitForFonts,
} from "../support/browser/pictures.ts";
import { SHOWN_PAGES, shownPages } from "../support/browser/shown_pages.ts";
import { translatedSite } from "../support/browser/translated_site.ts";
import { SCREEN_PATHS, shownSite } from "../support/sites/shown_site.ts";
import { type StudioVisit, studioVisit } from "../support/browser/studio_visit.ts";

const SCREENS: ScreenId[] = [
  "overview",
  "documents",
  "collectionDocuments",
  "board",
  "document",
  "documentChanges",
  "versions",
  "schedule",
  "releases",
  "release",
  "media",
  "medium",
  "collections",
  "collection",
  "field",
  "settings",
  "design",
  "users",
  "role",
  "tokens",
  "activity",
  "timeTravel",
  "redirects",
  "transfers",
];

/** The parts of the page of components, in their order there. */
const COMPONENTS = ["type", "buttons", "fields", "marks", "overlays", "lists", "icons"];
/** What lies over a page. */
const OVERLAYS = ["menu", "dialog", "palette"];

/**
 * Every picture of a page that is open, or of a part of it. `load` loads the page again in each window, because an image
 * of a page that is open may keep the source that it had in the window before.
 */
async function pictures(
  { page }: StudioVisit,
  name: string,
  part: Page | Locator = page,
  load: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string[]> {
  const wrong: string[] = [];
  for (const viewport of VIEWPORTS) {
    await page.setViewportSize(viewport);
    await load();
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => scrollTo(0, 0));
      const taken = await takePicture(page, part);
      wrong.push(
        await comparePicture(`${name}-${viewport.width}-${colorScheme}`, taken) ?? "",
      );
    }
  }
  return wrong.filter((text) => text !== "");
}

browserTest("the components look as they did, in every state", async (browser) => {
  await using visit = await studioVisit(browser, { steady: true });
  const { page, open } = visit;
  await waitForFonts(page);

  await open("/admin/components");
  const sections = page.locator("main section.card");
  assertEquals(await sections.count(), COMPONENTS.length);
  const wrong: string[] = [];
  for (const [index, name] of COMPONENTS.entries()) {
    wrong.push(...await pictures(visit, `components-${name}`, sections.nth(index)));
  }

  assertEquals(wrong, []);
});

browserTest("what lies over a page looks as it did", async (browser) => {
  await using visit = await studioVisit(browser, { steady: true });
  const { page, open } = visit;
  await waitForFonts(page);
  const openings: Record<string, () => Promise<void>> = {
    menu: () => page.getByRole("button", { name: "Open a menu" }).click(),
    dialog: () => page.getByRole("button", { name: "Open a dialog" }).click(),
    palette: () => page.keyboard.press("Control+k"),
  };

  const wrong: string[] = [];
  for (const name of OVERLAYS) {
    await open("/admin/components");
    await openings[name]!();
    wrong.push(...await pictures(visit, name));
  }

  assertEquals(wrong, []);
});

browserTest("the screens look as they did", async (browser) => {
  await using visit = await studioVisit(browser, { steady: true });
  const site = await shownSite(visit);
  await waitForFonts(visit.page);
  await visit.page.clock.setFixedTime(visit.test.context.now());

  const wrong: string[] = [];
  for (const screen of SCREENS) {
    await visit.open(`/admin${SCREEN_PATHS[screen]!(site)}`);
    wrong.push(...await pictures(visit, screen));
  }

  assertEquals(wrong, []);
});

browserTest("the form of a translation looks as it did", async (browser) => {
  await using visit = await studioVisit(browser, { steady: true });
  const { ask, page, open, test } = visit;
  const id = await translatedSite(visit);
  await waitForFonts(page);
  await ask("PUT", `/documents/${id}/translations/ar`, { title: "حارس المنارة", lead: "كل ليلة" });
  await ask("PATCH", `/documents/${id}`, { lead: "Every night the great lamp is lit." });
  await page.clock.setFixedTime(test.context.now());

  await open(`/admin/documents/${id}/translations/ar`);

  assertEquals(await pictures(visit, "translation"), []);
});

browserTest("the public site looks as it did", async (browser) => {
  await using visit = await studioVisit(browser, { steady: true });
  const { page, origin } = visit;
  await shownPages(visit);

  const wrong: string[] = [];
  for (const [name, path] of Object.entries(SHOWN_PAGES)) {
    const load = async () => {
      await page.goto(origin + path);
      if (name === "site-search") await page.locator("[data-search-results] li").first().waitFor();
    };
    wrong.push(...await pictures(visit, name, page, load));
  }
  const load = () => page.goto(origin + SHOWN_PAGES["site-article"]);
  wrong.push(...await pictures(visit, "site-related", page.locator("aside.related"), load));

  assertEquals(wrong, []);
});

Deno.test("every picture that is kept is of a screen", async () => {
  const parts = COMPONENTS.map((name) => `components-${name}`);
  const pages = [...Object.keys(SHOWN_PAGES), "site-related"];
  const names = [...parts, ...OVERLAYS, ...SCREENS, "translation", ...pages].flatMap((name) =>
    VIEWPORTS.flatMap(({ width }) => SCHEMES.map((scheme) => `${name}-${width}-${scheme}`))
  );
  assertEquals(await keptPictures(), names.sort());
});
