/**
 * The components on one page, and a frame that remembers how it was left.
 */
import type { Locator } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { inspect, studioVisit, WIDTHS } from "../../support/browser/studio_visit.ts";

browserTest("studio's components have no finding in any state", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, complaints } = visit;

  await open("/admin/components");
  await inspect(page, "components");
  await page.getByRole("button", { name: "Open a menu" }).click();
  const [button, menu] = await Promise.all([
    page.getByRole("button", { name: "Open a menu" }).boundingBox(),
    page.locator("#example-menu").boundingBox(),
  ]);
  assertEquals(menu!.y >= button!.y + button!.height, true, "the menu covers its button");
  assertEquals(Math.abs(menu!.x - button!.x) < 4, true, "the menu opens elsewhere");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Open a dialog" }).click();
  await inspect(page, "components-dialog");
  assertEquals(complaints, []);
});

browserTest(
  "studio's navigation takes many collections, and remembers how it was left",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask } = visit;
    for (let n = 1; n <= 30; n++) {
      await ask("POST", "/collections", { slug: `kind-${n}`, name: `Kind ${n}`, fields: [] });
    }

    await open("/admin");
    await inspect(page, "navigation-thirty");
    const navigation = page.getByRole("navigation", { name: "Main" });
    await open("/admin/content/kind-30");
    const current = navigation.locator(".nav [aria-current]");
    await eventually(
      "the present collection is in sight",
      async () => await isWithin(current, navigation.locator(".nav")),
    );
    const before = await navigation.locator(".nav").evaluate((list) => list.scrollTop);
    await open("/admin/content/kind-29");
    await eventually(
      "the present collection is in sight",
      async () => await isWithin(current, navigation.locator(".nav")),
    );
    assertEquals(await navigation.locator(".nav").evaluate((list) => list.scrollTop), before);
    await page.setViewportSize({ width: 375, height: 812 });
    await open("/admin/content/kind-30");
    await page.getByRole("button", { name: "Navigation", exact: true }).click();
    await eventually(
      "the present collection is in sight",
      async () => await isWithin(current, navigation.locator(".nav")),
    );
    await page.keyboard.press("Escape");
    await page.setViewportSize(WIDTHS.wide);
    await open("/admin");
    await navigation.getByRole("searchbox", { name: "Filter content" }).fill("Kind 27");
    assertEquals(await navigation.getByRole("link", { name: /^Kind/ }).allInnerTexts(), [
      "Kind 27",
    ]);
    await navigation.locator("summary", { hasText: "Content" }).click();
    await navigation.getByRole("button", { name: "Collapse navigation" }).click();
    await open("/admin/media");

    assertEquals(await navigation.getByRole("link", { name: /^Kind/ }).count(), 0);
    assertEquals((await navigation.boundingBox())!.width < 80, true);
    await inspect(page, "navigation-collapsed");
    await navigation.getByRole("button", { name: "Collapse navigation" }).click();
    assertEquals((await navigation.boundingBox())!.width > 200, true);
  },
);

browserTest(
  "studio keeps the left edge of its pages, and the density of its lists",
  async (browser) => {
    await using visit = await studioVisit(browser, { viewport: { width: 1440, height: 900 } });
    const { page, open } = visit;
    await magazine(visit);
    const ids = await somePosts(visit);
    const edges = new Set<number>();
    const addresses = [
      "",
      "/content/posts",
      `/documents/${ids[0]}`,
      "/settings",
      "/users",
      "/media",
    ];
    for (const path of addresses) {
      await open(`/admin${path}`);
      const box = await page.locator(path.startsWith("/documents") ? "#c-title" : "main h1")
        .boundingBox();
      edges.add(Math.round(box!.x));
    }
    assertEquals(edges.size, 1, [...edges].join(", "));

    const title = "What the keeper of the lighthouse wrote into the log before the storm came";
    await visit.ask("PATCH", `/documents/${ids[0]}`, { title });
    await open("/admin/content/posts");
    const height = async () => (await page.locator("tbody tr").first().boundingBox())!.height;
    const comfortable = await height();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("radio", { name: "Compact" }).check();
    const compact = await height();
    await open("/admin/content/posts");

    assertEquals(compact < comfortable, true);
    assertEquals(await height(), compact);
    const rows = await page.locator("tbody tr").evaluateAll((rows) =>
      rows.map((row) => Math.round(row.getBoundingClientRect().height))
    );
    assertEquals(Math.max(...rows) - Math.min(...rows) <= 1, true, rows.join(", "));
  },
);

/** Whether all of an element's height is in sight inside of another. */
async function isWithin(inner: Locator, outer: Locator): Promise<boolean> {
  const [one, around] = [(await inner.boundingBox())!, (await outer.boundingBox())!];
  return one.height > 0 && one.y >= around.y - 1 &&
    one.y + one.height <= around.y + around.height + 1;
}
