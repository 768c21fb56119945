/**
 * The order of collections: dragged, or moved by buttons, within groups and between them.
 */
import type { Page } from "playwright-core";
import { assertEquals } from "../../../support/harness/assert.ts";
import { browserTest } from "../../../support/browser/chromium.ts";
import { inspect, type StudioVisit, studioVisit } from "../../../support/browser/studio_visit.ts";

async function shop({ test, open }: StudioVisit): Promise<void> {
  const groups = { brands: "Catalog", products: "Catalog", articles: "", authors: "", pages: "" };
  for (const [slug, group] of Object.entries(groups)) {
    await test.collection({ slug, name: slug, fields: [], ...(group && { group }) });
  }
  await open("/admin/collections");
}

/** Headings and collections in the builder. */
const rowsOf = async (page: Page) =>
  (await page.locator(".collection-list :is(h2, a)").allInnerTexts()).map((text) => text.trim());

/** Sections and collections in the navigation, without those of the site. */
const navigationOf = async (page: Page) =>
  (await page.locator(".nav summary > span, .nav a[href*='/content/'] > span").allInnerTexts())
    .filter((text) => !["Structure", "Site", "System"].includes(text));

async function versionsOf({ ask }: StudioVisit): Promise<number> {
  const { data } = (await ask("GET", "/collections")).json;
  const counts = await Promise.all(
    data.map(async ({ id }: { id: string }) =>
      (await ask("GET", `/versions/collection/${id}`)).json.data.length
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

browserTest(
  "studio orders collections by buttons, and saves only what changed",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, complaints } = visit;
    await shop(visit);
    const first = ["Content", "articles", "authors", "pages", "Catalog", "brands", "products"];
    assertEquals(await rowsOf(page), first);
    const before = await versionsOf(visit);
    assertEquals(await page.getByRole("button", { name: "Move articles up" }).count(), 0);

    const saved = () => page.waitForResponse((reply) => reply.request().method() === "PATCH");
    await page.getByRole("button", { name: "Move products up" }).focus();
    await Promise.all([saved(), page.keyboard.press("Enter")]);
    await page.getByRole("status").getByText("products: 1 of 2 in Catalog").waitFor();
    const swapped = ["Content", "articles", "authors", "pages", "Catalog", "products", "brands"];
    await page.waitForFunction(
      ([last]) =>
        document.querySelectorAll(".nav a[href*='/content/']").item(4)?.textContent === last,
      ["brands"],
    );
    assertEquals(await navigationOf(page), swapped);

    // Into the group above, as its last one.
    await Promise.all([saved(), page.keyboard.press("Enter")]);
    await page.getByRole("status").getByText("products: 4 of 4 in Content").waitFor();
    const out = ["Content", "articles", "authors", "pages", "products", "Catalog", "brands"];
    assertEquals(await rowsOf(page), out);
    await page.locator(".collection-list[aria-busy]").waitFor({ state: "detached" });
    assertEquals((await visit.ask("GET", "/collections/products")).json.group, undefined);
    await visit.open("/admin/collections");
    assertEquals(await rowsOf(page), out);
    assertEquals(await navigationOf(page), out);
    assertEquals(await versionsOf(visit) - before <= 5, true);
    await inspect(page, "collection-order");
    assertEquals(complaints, []);
  },
);

browserTest("studio drags a collection into a group: one version", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  await shop(visit);
  const before = await versionsOf(visit);
  const boxOf = async (name: string) =>
    (await page.locator(".collection-list li", { has: page.getByRole("link", { name }) })
      .boundingBox())!;

  const row = await boxOf("pages");
  const target = await boxOf("products");
  await page.mouse.move(row.x + 12, row.y + row.height / 2);
  await page.mouse.down();
  await page.mouse.move(target.x + 12, target.y + 4, { steps: 5 });
  const saved = page.waitForResponse((reply) => reply.request().method() === "PATCH");
  await page.mouse.up();
  await saved;
  await page.getByRole("status").getByText("pages: 2 of 3 in Catalog").waitFor();
  await page.locator(".collection-list[aria-busy]").waitFor({ state: "detached" });

  await visit.open("/admin/collections");
  assertEquals(await navigationOf(page), [
    "Content",
    "articles",
    "authors",
    "Catalog",
    "brands",
    "pages",
    "products",
  ]);
  assertEquals(await versionsOf(visit) - before, 1);
  assertEquals(complaints, []);
});
