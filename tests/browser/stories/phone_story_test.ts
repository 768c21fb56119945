/**
 * A phone: signing in, finding a document, writing and publishing with a thumb; and the site that it makes.
 */
import { devices } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import {
  colleague,
  findings,
  studioVisit,
  WIDTH_RULES,
} from "../../support/browser/studio_visit.ts";

const { defaultBrowserType: _, ...PHONE } = devices["iPhone SE (3rd gen)"]!;

browserTest("a phone is enough to write, to publish and to look at it", async (browser) => {
  await using visit = await studioVisit(browser);
  const { origin, test } = visit;
  await magazine(visit);
  await somePosts(visit);
  const editor = { email: "bea@example.org", displayName: "Bea Curie", roles: ["editor"] };
  const { context, page } = await colleague(visit, editor, PHONE);
  const wrong: string[] = [];
  const look = async (where: string) => {
    await page.evaluate("scrollTo(0, 0)");
    wrong.push(...(await findings(page, WIDTH_RULES)).map((found) => `${where}: ${found}`));
  };
  const ready = () => page.locator("html[data-ready]").waitFor();

  await look("overview");
  await page.getByRole("button", { name: "Navigation" }).tap();
  await look("navigation");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Posts" }).tap();
  await page.waitForURL("**/admin/content/posts");
  await ready();
  await look("list");
  await page.getByRole("link", { name: "A night at the lighthouse" }).tap();
  await page.waitForURL("**/admin/documents/*");
  await ready();
  await page.locator(".pt-text").waitFor();
  await look("document");

  await page.locator(".pt-text").tap();
  await page.keyboard.type("The lamp is lit.");
  await page.locator("[data-save-state]", { hasText: /^Saved/ }).waitFor();
  await page.getByRole("button", { name: "Publish …" }).tap();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByRole("button", { name: "Publish now" }).waitFor();
  await look("publishing");
  await dialog.getByRole("button", { name: "Publish now" }).tap();
  await page.locator(".editor-bar .badge.published").waitFor();
  await test.runner.drain();

  await page.goto(`${origin}/posts/a-night-at-the-lighthouse`);
  await page.getByText("The lamp is lit.").first().waitFor();
  await look("public page");
  await context.close();
  assertEquals(wrong, []);
});
