/**
 * Collections that a user pins in the navigation: with a mouse, keys and fingers.
 */
import { assertEquals } from "../../../support/harness/assert.ts";
import { browserTest } from "../../../support/browser/chromium.ts";
import { inspect, type StudioVisit, studioVisit } from "../../../support/browser/studio_visit.ts";

async function shop({ test, open }: StudioVisit): Promise<void> {
  for (const slug of ["articles", "products"]) {
    await test.collection({ slug, name: slug, fields: [] });
  }
  await open("/admin/content/articles");
}

const pinnedIn = ({ page }: StudioVisit) => page.locator("[data-nav-group=Pinned] a");

browserTest("studio pins a collection with the mouse and with keys", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, complaints } = visit;
  await shop(visit);
  const content = page.locator("[data-nav-group=Content]");
  const star = content.getByRole("button", { name: "Pin products" });
  const opacity = () => star.evaluate((one) => getComputedStyle(one).opacity);
  assertEquals(await opacity(), "0");
  await content.getByRole("link", { name: "products" }).hover();
  assertEquals(await opacity(), "1");
  await star.click();
  await pinnedIn(visit).getByText("products").waitFor();
  assertEquals(await star.getAttribute("aria-pressed"), "true");
  // The page stays what it is.
  assertEquals(await page.locator(".nav [aria-current]").innerText(), "articles");

  await content.getByRole("link", { name: "articles" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await pinnedIn(visit).getByText("articles").waitFor();
  assertEquals(
    await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
    "Pin articles",
  );
  await inspect(page, "pins");

  await open("/admin/content/products");
  assertEquals((await pinnedIn(visit).allInnerTexts()).map((text) => text.trim()), [
    "articles",
    "products",
  ]);
  await page.keyboard.press("Control+k");
  const first = page.locator(".palette-entry").first();
  await first.getByText("articles").waitFor();
  assertEquals(await page.locator(".palette-heading").first().innerText(), "Pinned");
  await page.keyboard.press("Escape");

  // Its star among the pins removes it; the focus stays with the collection.
  await page.locator("[data-nav-group=Pinned]").getByRole("button", { name: "Pin articles" })
    .press("Enter");
  await pinnedIn(visit).getByText("articles").waitFor({ state: "detached" });
  assertEquals(await pinnedIn(visit).count(), 1);
  assertEquals(
    await page.evaluate(() => document.activeElement?.getAttribute("aria-label")),
    "Pin articles",
  );
  assertEquals(complaints, []);
});

browserTest(
  "studio pins a collection with a finger, and says it if that fails",
  async (browser) => {
    await using visit = await studioVisit(browser, {
      viewport: { width: 375, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = visit;
    await shop(visit);
    await page.getByRole("button", { name: "Navigation" }).tap();
    const star = page.locator("[data-nav-group=Content]").getByRole("button", {
      name: "Pin products",
    });
    assertEquals(await star.evaluate((one) => getComputedStyle(one).opacity), "1");
    await page.route("**/admin/pins", (route) => route.abort());
    await star.tap();
    await page.getByText("The pin could not be saved. Try again.").waitFor();
    assertEquals(await star.getAttribute("aria-pressed"), "false");
    await page.unroute("**/admin/pins");
    await star.tap();
    await pinnedIn(visit).getByText("products").waitFor();
    assertEquals(
      await page.locator("#navigation").evaluate((one) => one.matches(":popover-open")),
      true,
    );
  },
);
