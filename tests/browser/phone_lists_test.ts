/** Lists on a phone: nothing is cut or out of sight, rows are selected by a thumb, what removes stands last. */
import { devices } from "playwright-core";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import { magazine, somePosts } from "../support/sites/studio_site.ts";
import { findings, picture, studioVisit, WIDTH_RULES } from "../support/browser/studio_visit.ts";

const { defaultBrowserType: _, ...PHONE } = devices["iPhone SE (3rd gen)"]!;
/** What a thumb hits, in pixels (WCAG 2.2, 2.5.5). */
const TARGET_PX = 44;

browserTest("a list on a phone shows whole statuses, and selects by a thumb", async (browser) => {
  await using visit = await studioVisit(browser, PHONE);
  const { page, open, complaints } = visit;
  await magazine(visit);
  await somePosts(visit);

  for (const path of ["/admin/content", "/admin/content/posts"]) {
    await open(path);
    const [frame, table] = await Promise.all([
      page.locator(".table-frame").evaluate(({ clientWidth }) => clientWidth),
      page.locator(".table-frame").evaluate(({ scrollWidth }) => scrollWidth),
    ]);
    assertEquals(table, frame, `${path} moves sideways`);
    for (const badge of await page.locator("tbody .badge").all()) {
      const { x, width } = (await badge.boundingBox())!;
      assert(x >= 0 && x + width <= 375, `${path}: ${await badge.innerText()} is cut`);
    }
    const cell = (await page.locator("tbody td.pick").first().boundingBox())!;
    assert(cell.width >= TARGET_PX && cell.height >= TARGET_PX, JSON.stringify(cell));
    // Beside the box, where a thumb lands.
    for (const row of [0, 1]) {
      const { x, y } = (await page.locator("tbody td.pick").nth(row).boundingBox())!;
      await page.touchscreen.tap(x + 4, y + 4);
    }
    const bar = page.getByRole("toolbar", { name: "Selected documents" });
    await bar.getByText("2 selected").waitFor();
    const shown = await bar.getByRole("button").filter({ visible: true }).allInnerTexts();
    assertEquals(shown.at(-1), "Move to trash");
    await picture(page, `phone-list-${path.split("/").at(-1)}`);
    assertEquals(await findings(page, WIDTH_RULES), [], path);
    await bar.getByRole("button", { name: "Clear selection" }).tap();
    await bar.waitFor({ state: "hidden" });
  }
  assertEquals(complaints, []);
});

browserTest("the overview, jobs and matrices cut nothing on a phone", async (browser) => {
  await using visit = await studioVisit(browser, PHONE);
  const { page, open, ask, test } = visit;
  await magazine(visit);
  const [, crane] = await somePosts(visit);
  await ask("PATCH", `/documents/${crane}`, { rating: 5 });
  await test.runner.drain();

  await open("/admin");
  const title = page.getByRole("link", { name: "The last steam crane of Bristol" });
  const card = page.locator(".card", {
    has: page.getByRole("heading", { name: "Recently published" }),
  });
  const shown = await card.locator(title).evaluate((link) => ({
    wide: link.scrollWidth <= link.clientWidth,
    high: link.scrollHeight <= link.clientHeight + 1,
  }));
  assertEquals(shown, { wide: true, high: true });

  await open("/admin/jobs");
  const frame = page.locator(".table-frame", { has: page.locator(".jobs") });
  const widths = await frame.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]);
  assertEquals(widths[0], widths[1]);
  assert(await frame.getByRole("columnheader", { name: "Changed" }).isVisible());

  for (const path of ["/admin/roles", "/admin/roles/new", "/admin/tokens/new"]) {
    await open(path);
    const frame = page.locator(".table-frame").last();
    await frame.evaluate((element) => element.scrollTo(1_000, 0));
    const [{ x: left }, { x }] = await Promise.all([
      frame.boundingBox(),
      frame.locator("tbody th").first().boundingBox(),
    ]) as [{ x: number }, { x: number }];
    assert(x >= left && x <= left + 2, `${path}: its first column is at ${x - left}`);
  }
});
