/**
 * What interactions of the studio cost, in counts of the browser: computed styles, layouts, nodes, scripts and
 * requests. They are the same on every machine. The bounds may only go down.
 */
import type { Page } from "playwright-core";
import { assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import {
  interactionCounter,
  type InteractionCounts,
} from "../support/browser/interaction_counts.ts";
import { studioVisit } from "../support/browser/studio_visit.ts";
import { magazine, somePosts } from "../support/sites/studio_site.ts";

/** Turns of an interaction: the first may load code, and the cheapest counts for the rest. */
const TURNS = 3;

/** The bounds: styles, layouts, nodes, scripts, their bytes, and other requests. */
const BOUNDS = {
  "choose a row": [1, 1, 0, 0, 0, 0],
  "go to the next row": [2, 0, 0, 0, 0, 0],
  "open a panel": [4, 5, 1, 0, 0, 0],
  "open the palette": [5, 2, 1, 0, 0, 1],
  "type into the palette": [4, 4, 0, 0, 0, 1],
  "collapse the navigation": [4, 2, 0, 0, 0, 0],
  "open the publish dialog": [6, 4, 1, 2, 800, 2],
  "open a picker": [6, 4, 1, 0, 0, 1],
  "type into the title": [3, 3, 0, 0, 0, 0],
  "type into the text": [3, 2, 0, 0, 0, 0],
  "open the menu of blocks": [3, 2, 0, 0, 0, 0],
} as const;

type Interaction = keyof typeof BOUNDS;

/** A click in the middle of an element, found before it is measured. */
async function clickOn(page: Page, selector: string): Promise<() => Promise<void>> {
  const element = page.locator(selector).first();
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await element.boundingBox())!;
  return () => page.mouse.click(x + width / 2, y + height / 2);
}

/** Measures interactions one after the other. */
async function counted(page: Page) {
  const count = await interactionCounter(page);
  const costs: Partial<Record<Interaction, number[]>> = {};
  const measure = async (
    name: Interaction,
    act: () => Promise<unknown>,
    undo: () => Promise<unknown> = () => page.keyboard.press("Escape"),
  ) => {
    const turns: InteractionCounts[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      turns.push(await count(act));
      await undo();
    }
    const least = (key: keyof InteractionCounts) => Math.min(...turns.map((one) => one[key]));
    const sum = (key: keyof InteractionCounts) => turns.reduce((all, one) => all + one[key], 0);
    costs[name] = [
      least("styles"),
      least("layouts"),
      least("nodes"),
      sum("scripts"),
      sum("scriptBytes"),
      least("requests"),
    ];
  };
  return { costs, measure };
}

browserTest("interactions cost the browser as little as they did", async (browser) => {
  await using visit = await studioVisit(browser, { viewport: { width: 1440, height: 900 } });
  const { page, open } = visit;
  await magazine(visit);
  const [id] = await somePosts(visit);
  const { costs, measure } = await counted(page);
  const press = (key: string) => () => page.keyboard.press(key);
  const nothing = () => Promise.resolve();

  await open("/admin/content/posts");
  const row = await clickOn(page, "tbody input[type=checkbox]");
  await measure("choose a row", row, row);
  await measure("go to the next row", press("j"), nothing);
  await measure("open a panel", await clickOn(page, "main button:has-text('Columns')"));
  await measure("open the palette", press("Control+k"));
  await press("Control+k")();
  await measure("type into the palette", press("l"), press("Backspace"));
  await press("Escape")();
  await measure("collapse the navigation", await clickOn(page, "[data-collapse]"), async () => {
    await (await clickOn(page, "[data-collapse]"))();
  });
  await open(`/admin/documents/${id}`);
  await page.locator(".pt-text").waitFor();
  await measure("open the publish dialog", await clickOn(page, "[data-publish]"));
  await measure("open a picker", await clickOn(page, "button:has-text('Choose an image')"));
  await (await clickOn(page, "#c-title"))();
  await measure("type into the title", press("x"), nothing);
  await (await clickOn(page, ".pt-text"))();
  await measure("type into the text", press("x"), nothing);
  await measure("open the menu of blocks", press("/"), async () => {
    await press("Escape")();
    await press("Backspace")();
  });

  if (Deno.env.get("COUNTS")) console.log(costs);
  const above = Object.entries(costs).filter(([name, seen]) =>
    seen.some((one, index) => one > BOUNDS[name as Interaction][index]!)
  );
  assertEquals(above, []);
  assertEquals(Object.keys(costs).sort(), Object.keys(BOUNDS).sort());
});
