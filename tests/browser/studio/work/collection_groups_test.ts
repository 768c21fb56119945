/**
 * Collections in the navigation: the group of a collection, chosen in its settings.
 */
import { assertEquals } from "../../../support/harness/assert.ts";
import { browserTest } from "../../../support/browser/chromium.ts";
import { inspect, studioVisit } from "../../../support/browser/studio_visit.ts";

browserTest("studio lists a collection under the group that its settings name", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, test, complaints } = visit;
  for (const slug of ["articles", "brands", "products"]) {
    const group = slug === "brands" ? { group: "Catalog" } : {};
    await test.collection({ slug, name: slug, fields: [], ...group });
  }
  const links = () => page.locator(".nav details", { hasText: "Catalog" }).locator("a");

  await open("/admin/collections/products");
  await page.getByLabel("Group").fill("Catalog");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  assertEquals((await links().allInnerTexts()).map((text) => text.trim()), ["brands", "products"]);
  await inspect(page, "collection-groups");

  // A group that a user has closed is closed on the pages that follow.
  await page.locator(".nav summary", { hasText: "Catalog" }).click();
  await open("/admin/collections");
  assertEquals(await links().first().isVisible(), false);
  assertEquals(complaints, []);
});
