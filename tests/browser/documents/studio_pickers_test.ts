/**
 * Dates are chosen in a calendar, long lists are searched: by keys, by mouse, by touch, and without script.
 */
import type { Page } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { until } from "../../support/sites/webhooks.ts";
import { findings, inspect, pressKeys, studioVisit } from "../../support/browser/studio_visit.ts";

const calendarOf = (page: Page) => page.getByRole("dialog", { name: "Calendar" });

browserTest("studio chooses a date and a time in a calendar, by keys alone", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await magazine(visit);
  const [id] = await somePosts(visit);
  await open(`/admin/documents/${id}`);
  const control = page.getByLabel("Takes place");
  await control.fill("2027-01-31T10:20");
  await control.press("Alt+ArrowDown");
  const calendar = calendarOf(page);
  await calendar.getByText("January 2027").waitFor();
  await inspect(page, "date-picker");
  const focused = () => page.evaluate(() => document.activeElement!.getAttribute("data-day"));
  await pressKeys(page, "PageDown");
  assertEquals(await focused(), "2027-02-28");
  await pressKeys(page, "Home", "ArrowUp", "ArrowRight", "Enter");
  assertEquals(await control.inputValue(), "2027-02-16T10:20");
  await calendar.getByLabel("Hour").selectOption("18");
  await calendar.getByLabel("Minute").selectOption("45");
  assertEquals(await control.inputValue(), "2027-02-16T18:45");
  await pressKeys(page, "Escape");
  assertEquals(await calendar.isVisible(), false);
  await until(visit.test, async () => (await ask("GET", `/documents/${id}`)).json.eventAt !== null);
  await control.press("Alt+ArrowDown");
  await calendar.getByRole("button", { name: "Clear" }).click();
  assertEquals(await control.inputValue(), "");
  await until(visit.test, async () => (await ask("GET", `/documents/${id}`)).json.eventAt === null);
  assertEquals(await control.evaluate((input) => input === document.activeElement), true);
  assertEquals(complaints, []);
});

browserTest("studio narrows a list to days touched in a calendar", async (browser) => {
  await using visit = await studioVisit(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const { page, open, complaints } = visit;
  await magazine(visit);
  await somePosts(visit);
  await open("/admin/content/posts?from.eventAt=2026-07-10");
  await page.getByRole("button", { name: "Filter" }).tap();
  const event = page.getByRole("group", { name: "Takes place" });
  await event.getByRole("button", { name: "Open the calendar" }).first().tap();
  const calendar = calendarOf(page);
  await calendar.getByRole("button", { name: "Previous month" }).tap();
  await calendar.getByText("June 2026").waitFor();
  const day = calendar.getByRole("button", { name: /^Thursday,? 4 June 2026/ });
  const { width, height } = (await day.boundingBox())!;
  assertEquals([width >= 44, height >= 44], [true, true]);
  const box = (await calendar.boundingBox())!;
  assertEquals([box.x >= 0, box.x + box.width <= 390], [true, true]);
  assertEquals(await findings(page), []);
  await calendar.getByRole("button", { name: /^Thursday,? 4 June 2026/ }).tap();
  assertEquals(await calendar.isVisible(), false);
  assertEquals(await event.getByLabel("From").inputValue(), "2026-06-04");
  await page.getByRole("button", { name: "Show", exact: true }).tap();
  await page.getByText("Takes place from 2026-06-04").waitFor();
  assertEquals(complaints, []);
});

browserTest("studio searches long lists, and documents on the server", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const choices = ["Åland", ...Array.from({ length: 30 }, (_, n) => `Country ${n + 1}`)];
  const { json: people } = await ask("POST", "/collections", {
    slug: "people",
    name: "People",
    fields: [],
  });
  assertEquals(typeof people.id, "string");
  await ask("POST", "/collections", {
    slug: "trips",
    name: "Trips",
    fields: [
      { name: "country", label: "Country", type: "select", indexed: true, options: { choices } },
      {
        name: "guide",
        label: "Guide",
        type: "reference",
        indexed: true,
        options: { collection: "people" },
      },
    ],
  });
  for (let n = 1; n <= 101; n++) {
    await ask("POST", "/documents", { collection: "people", title: `Guide ${n}` });
  }
  const { json: last } = await ask("POST", "/documents", { collection: "people", title: "Zora" });
  const { json: trip } = await ask("POST", "/documents", {
    collection: "trips",
    title: "North",
    guide: last.id,
  });

  await open(`/admin/documents/${trip.id}`);
  const country = page.getByLabel("Country", { exact: true });
  await country.focus();
  await page.keyboard.type("y 2");
  const search = page.getByRole("combobox", { name: "Search: Country" });
  assertEquals(await search.inputValue(), "y 2");
  await inspect(page, "combobox");
  await pressKeys(page, "ArrowDown", "ArrowDown", "Enter");
  assertEquals(await country.inputValue(), "Country 21");
  assertEquals(await country.evaluate((select) => select === document.activeElement), true);
  await until(
    visit.test,
    async () => (await ask("GET", `/documents/${trip.id}`)).json.country === "Country 21",
  );
  await country.click();
  await search.fill("nowhere");
  await page.getByText("No matches.").waitFor();
  await pressKeys(page, "Enter", "Escape");
  assertEquals(await country.inputValue(), "Country 21");

  // What is searched for stays where it is, however little is found.
  await page.getByRole("button", { name: "Change", exact: true }).last().click();
  const dialog = page.getByRole("dialog", { name: "Choose from People" });
  await dialog.getByText("20 of 102 documents").waitFor();
  const field = dialog.getByRole("searchbox");
  const { y } = (await field.boundingBox())!;
  await field.fill("zora");
  await dialog.getByText("1 document", { exact: true }).waitFor();
  assertEquals((await field.boundingBox())!.y, y);
  await pressKeys(page, "Escape", "Escape");

  // The page has the first hundred; the server finds the others.
  await open("/admin/content/trips");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.locator("#filters").getByLabel("Guide").click();
  await page.getByRole("combobox", { name: "Search: Guide" }).fill("zor");
  await page.getByRole("option", { name: "Zora" }).click();
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Guide is Zora").waitFor();
  assertEquals(await page.locator("tbody tr").count(), 1);
  assertEquals(complaints, []);
});

browserTest("dates and lists are the browser's own without script", async (browser) => {
  await using visit = await studioVisit(browser);
  await magazine(visit);
  await somePosts(visit);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await visit.page.context().storageState(),
  });
  const page = await context.newPage();
  await page.goto(`${visit.origin}/admin/content/posts`);
  await page.getByRole("button", { name: "Filter" }).click();
  const event = page.getByRole("group", { name: "Takes place" });
  assertEquals(await event.getByRole("button").count(), 0);
  await event.getByLabel("From").fill("2026-07-01");
  await page.locator("#filters").getByLabel("Section").selectOption("Weather");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Takes place from 2026-07-01").waitFor();
  await context.close();
});
