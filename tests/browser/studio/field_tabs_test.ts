/**
 * Fields on tabs: by mouse and keys, with what waits on one that is not shown, and kept in the address.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { saved } from "../../support/sites/review_site.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

const FIELDS = [
  { name: "lead", label: "Lead", type: "text" },
  { name: "summary", label: "Summary", type: "text", options: { tab: "Search" } },
  { name: "link", label: "Link", type: "url", options: { tab: "Search", group: "Elsewhere" } },
  { name: "notes", label: "Notes", type: "text", required: true, options: { tab: "Planning" } },
  { name: "color", label: "Color", type: "text", options: { tab: "Search", side: true } },
];

browserTest("studio shows fields on tabs, and leads to what waits on one", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await ask("POST", "/collections", { slug: "events", name: "Events", fields: FIELDS });
  const { id } = (await ask("POST", "/documents", { collection: "events", title: "Moor" })).json;
  await open(`/admin/documents/${id}`);
  const tab = (name: string) => page.getByRole("tab", { name });
  const shown = async () => {
    const labels = FIELDS.map(({ label }) => label);
    const seen = await Promise.all(
      labels.map((label) =>
        page.getByRole("textbox", { name: new RegExp(`^${label}`) }).isVisible()
      ),
    );
    return labels.filter((_, n) => seen[n]);
  };
  assertEquals(await page.getByRole("tab").allInnerTexts(), ["Content", "Search", "Planning"]);
  assertEquals(await shown(), ["Lead", "Color"]);
  await inspect(page, "fields-on-tabs");

  await tab("Search").click();
  assertEquals(await shown(), ["Summary", "Link", "Color"]);
  await page.getByLabel("Summary").fill("In short");
  await tab("Search").press("ArrowRight");
  assertEquals(await shown(), ["Notes", "Color"]);
  await page.keyboard.press("Home");
  assertEquals(await shown(), ["Lead", "Color"]);
  await page.keyboard.press("End");
  await saved(page);
  await page.reload();
  await page.locator("html[data-ready]").waitFor();
  assertEquals(await shown(), ["Notes", "Color"], "the address keeps the tab");
  assertEquals((await ask("GET", `/documents/${id}`)).json.summary, "In short");

  await tab("Search").click();
  await page.getByRole("textbox", { name: "Link" }).fill("no address");
  await tab("Content").click();
  await page.getByRole("tab", { name: "Search 1 to fix" }).waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("textbox", { name: "Link" }).and(page.locator(":focus")).waitFor();
  assertEquals(await shown(), ["Summary", "Link", "Color"], "saving leads to the failure");
  await page.getByRole("textbox", { name: "Link" }).fill("");
  await page.locator("[data-save-state][aria-busy=false]").waitFor();

  await page.locator("[data-publish]").click();
  await page.locator("#publish").getByRole("button", { name: "Notes" }).click();
  await page.getByLabel("Notes").and(page.locator(":focus")).waitFor();
  assertEquals(await shown(), ["Notes", "Color"], "what is missing is led to");

  await page.setViewportSize({ width: 375, height: 800 });
  const { scrollWidth, clientWidth } = await page.evaluate(
    "({ scrollWidth: document.documentElement.scrollWidth, clientWidth: innerWidth })",
  ) as { scrollWidth: number; clientWidth: number };
  assertEquals(scrollWidth <= clientWidth, true, "a phone scrolls in one direction");
  assertEquals(complaints, []);
});
