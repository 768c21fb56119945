/** Dialogs open in the middle of the window, and on a phone at its lower edge, wherever they stand in a page. */
import { assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import { studioVisit } from "../support/browser/studio_visit.ts";

browserTest(
  "a dialog in the middle of a page opens in the middle of the window",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open } = visit;
    const gaps = async () => {
      const { y, height } = (await page.locator("dialog[open]").boundingBox())!;
      const { height: window } = page.viewportSize()!;
      return [Math.round(y), Math.round(window - y - height)];
    };

    await open("/admin/releases");
    await page.getByRole("button", { name: "New release" }).first().click();
    const [above, below] = await gaps();
    assertEquals(Math.abs(above! - below!) <= 1, true, `${above} above, ${below} below`);
    await page.setViewportSize({ width: 375, height: 812 });
    assertEquals((await gaps())[1], 0);
  },
);

browserTest("what a long dialog leads to is in sight from the beginning", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open } = visit;
  await page.setViewportSize({ width: 1280, height: 600 });
  await open("/admin/collections");
  await page.getByRole("button", { name: "New collection" }).first().click();
  const { y, height } = (await page.getByRole("button", { name: "Create" }).boundingBox())!;
  assertEquals(y + height < 600, true, `the button ends at ${y + height}`);
});
