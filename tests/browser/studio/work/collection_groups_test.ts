/**
 * Collections in the navigation: the group of a collection, chosen in its settings.
 */
/// <reference lib="dom" />
import { assertMatch } from "@std/assert";
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
  await page.getByLabel("Position").fill("1");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  assertEquals((await links().allInnerTexts()).map((text) => text.trim()), ["products", "brands"]);
  await inspect(page, "collection-groups");

  // A group that a user has closed is closed on the pages that follow.
  const kept = await page.locator(".nav summary", { hasText: "Catalog" }).evaluate(
    (summary: HTMLElement) => {
      summary.click();
      return document.cookie;
    },
  );
  assertMatch(kept, /studio-closed=[^;]/, "the page may be left at once");
  await open("/admin/collections");
  assertEquals(await links().first().isVisible(), false);
  assertEquals(complaints, []);
});

browserTest("studio says a collection's singular name of a new document", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test, complaints } = visit;
  await test.collection({ slug: "authors", name: "Authors", fields: [] });
  const author = { name: "author", type: "reference", options: { collection: "authors" } };
  await test.collection({ slug: "articles", name: "Articles", fields: [author] });

  await open("/admin/collections/authors");
  await page.getByLabel("Singular").fill("Author");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await open("/admin/content/authors");
  assertEquals(await page.getByRole("link", { name: "New author" }).count(), 2);

  const { id } = (await ask("POST", "/documents", { collection: "articles", title: "One" })).json;
  await open(`/admin/documents/${id}`);
  await page.getByRole("button", { name: "Choose a document" }).click();
  const picker = page.getByRole("dialog", { name: "Choose from Authors" });
  await picker.getByRole("button", { name: "New author" }).waitFor();
  await picker.getByRole("searchbox").fill("Grace Hopper");
  await picker.getByRole("button", { name: "New author “Grace Hopper”" }).click();
  const sheet = page.getByRole("dialog", { name: "New author" });
  const frame = sheet.frameLocator("iframe");
  await frame.getByText(/^Saved/).waitFor();
  await page.setViewportSize({ width: 375, height: 800 });
  await inspect(page, "sheet-singular");
  await sheet.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "Grace Hopper" }).waitFor();
  assertEquals(complaints, []);
});
