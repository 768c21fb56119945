/**
 * Every screen of the studio, by the table of screens: nothing that an accessibility checker finds, nothing
 * that moves while it loads, nothing wider than the window, no complaint of the browser.
 * `SCREENS=document,field` looks at these alone.
 */
import type { Page } from "playwright-core";
import { type ScreenId, screenList } from "../../../routes/studio/screens.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { type LayoutShift, WATCH_SHIFTS } from "../../support/browser/layout_shifts.ts";
import { SCREEN_PATHS, shownSite } from "../../support/sites/shown_site.ts";
import { findings, studioVisit, WIDTH_RULES } from "../../support/browser/studio_visit.ts";

const SIGNED_OUT: ReadonlySet<ScreenId> = new Set([
  "signIn",
  "reset",
  "choosePassword",
  "confirmAddress",
]);
/** What browsers call a good page is below 0.1; here nothing moves that anybody could see. */
const SHIFT_MAX = 0.005;
/** How long after its code has started a page is watched. */
const SETTLED_MS = 250;

/** What a checker finds on the page, and what has moved since it began to load and for a while after. */
async function inspected(page: Page, rules?: string[]): Promise<string[]> {
  const [found] = await Promise.all([findings(page, rules), page.waitForTimeout(SETTLED_MS)]);
  return [...found, ...await shifts(page)];
}

async function shifts(page: Page): Promise<string[]> {
  const found = await page.evaluate<LayoutShift[]>("shifts");
  const sum = found.reduce((all, [value]) => all + value, 0);
  return sum <= SHIFT_MAX ? [] : [`moves by ${sum.toFixed(3)}: ${JSON.stringify(found)}`];
}

browserTest("no screen has a finding, moves, or is too wide", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, complaints } = visit;
  const site = await shownSite(visit);
  await page.addInitScript(WATCH_SHIFTS);
  const cookies = await page.context().cookies();

  const wrong: Record<string, string[]> = {};
  const only = Deno.env.get("SCREENS")?.split(",");
  for (const [id] of screenList()) {
    const path = SCREEN_PATHS[id]?.(site);
    if (path === undefined || only?.includes(id) === false) continue;
    if (SIGNED_OUT.has(id)) await page.context().clearCookies();
    const found: string[] = [];
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await open(`/admin${path}`);
    found.push(...await inspected(page));
    await page.setViewportSize({ width: 375, height: 812 });
    await page.emulateMedia({ colorScheme: "dark" });
    await open(`/admin${path}`);
    found.push(...await inspected(page, WIDTH_RULES));
    // Pages of the public site are framed without their scripts, which the browser mentions.
    found.push(...complaints.splice(0).filter((text) => !text.includes("is sandboxed")));
    if (found.length > 0) wrong[id] = found;
    if (SIGNED_OUT.has(id)) await page.context().addCookies(cookies);
  }

  assertEquals(wrong, {});
});
