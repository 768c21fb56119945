/**
 * What the studio may cost a browser: the time of its main thread for what people do, on a machine that is
 * four times slower, and the editor only where there is something to edit.
 */
import type { Page } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";

/** How many times slower the machine is made. */
const SLOWER = 4;
/** Milliseconds of the main thread that an interaction may take there, drawing included. */
const INTERACTION_MS_MAX = 100;
/**
 * Milliseconds of the same that the work below takes on the machine that the bound is for. Where others slow the
 * processor down while an interaction is measured, it takes more, and so may the interaction.
 */
const WORK_MS = 33;
/** Draws 400 paragraphs, and takes them away. */
const WORK = `{
  const drawn = document.createElement("div");
  for (let n = 0; n < 400; n++) {
    drawn.append(Object.assign(document.createElement("p"), { textContent: "Lamp " + n }));
  }
  document.body.append(drawn);
  drawn.offsetHeight;
  drawn.remove();
}`;
/** Resolves when what the page looks like now is on the screen. */
const PAINTED = "new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))";
/**
 * An interaction counts by the best of so many turns, at the most: other processes take turns on the same
 * processor.
 */
const TURNS = 12;
/** How long a page may go on with what an interaction before began: saving, asking the server. */
const SETTLED_MS = 600;

/** Measures what the main thread does; its own time, so that other processes do not count. */
async function mainThread(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const busy = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")!.value * 1_000;
  };
  return {
    slower: (rate: number) => devtools.send("Emulation.setCPUThrottlingRate", { rate }),
    /** Milliseconds that it takes until the answer to a key or a click is on the screen. */
    costOf: async (act: () => Promise<unknown>): Promise<number> => {
      await page.waitForTimeout(SETTLED_MS);
      const before = await busy();
      await act();
      await page.evaluate(PAINTED);
      return await busy() - before;
    },
  };
}

/** A click in the middle of an element, found before it is measured. */
async function clickOn(page: Page, selector: string): Promise<() => Promise<void>> {
  const element = page.locator(selector).first();
  await element.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await element.boundingBox())!;
  return () => page.mouse.click(x + width / 2, y + height / 2);
}

browserTest("lists and texts answer in time on a slow machine", async (browser) => {
  await using visit = await studioVisit(browser, { viewport: { width: 1440, height: 900 } });
  const { page, open } = visit;
  await magazine(visit);
  const [id] = await somePosts(visit);
  const thread = await mainThread(page);
  const costs: Record<string, string> = {};
  const tooSlow: string[] = [];
  /** Measures until it was quick enough once, for the pace that the machine has just before and after it. */
  const measure = async (
    name: string,
    act: () => Promise<unknown>,
    undo: () => Promise<unknown> = () => page.keyboard.press("Escape"),
  ) => {
    const work = () => thread.costOf(() => page.evaluate(WORK));
    let best = Infinity;
    for (let turn = 0; turn < TURNS && best >= 1; turn++) {
      if (turn > 0) await undo();
      await thread.slower(SLOWER);
      const before = await work();
      const cost = await thread.costOf(act);
      const pace = Math.min(before, await work());
      await thread.slower(1);
      const share = cost / (INTERACTION_MS_MAX * Math.max(1, pace / WORK_MS));
      if (share < best) costs[name] = `${cost.toFixed(0)} (${pace.toFixed(0)})`;
      best = Math.min(best, share);
    }
    if (best >= 1) tooSlow.push(`${name}: ${costs[name]}`);
  };
  const press = (key: string) => () => page.keyboard.press(key);
  const nothing = () => Promise.resolve();

  await open("/admin/content/posts");
  await measure("nothing", nothing);
  const row = await clickOn(page, "tbody input[type=checkbox]");
  await measure("choose a row", row, row);
  await measure("open a panel", await clickOn(page, "main button:has-text('Columns')"));
  await page.keyboard.press("Escape");
  await measure("open the palette", press("Control+k"));
  await measure("type into the palette", press("l"), press("Backspace"));
  await page.keyboard.press("Escape");
  const collapse = await clickOn(page, "[data-collapse]");
  await measure("collapse the navigation", collapse, async () => {
    await (await clickOn(page, "[data-collapse]"))();
  });
  await open(`/admin/documents/${id}`);
  await page.locator(".pt-text").waitFor();
  await measure("open the publish dialog", await clickOn(page, "[data-publish]"));
  await page.keyboard.press("Escape");
  await (await clickOn(page, "#c-title"))();
  await measure("type into the title", press("x"), nothing);
  await (await clickOn(page, ".pt-text"))();
  await measure("type into the text", press("x"), nothing);
  await measure("open the menu of blocks", press("/"), async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Backspace");
  });
  await page.keyboard.press("Escape");

  if (Deno.env.get("TIMES")) console.log(costs);
  assertEquals(tooSlow, []);
});

browserTest(
  "the editor is loaded where there is something to edit, and nowhere else",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open } = visit;
    await magazine(visit);
    const [id] = await somePosts(visit);
    const loaded: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("portable_text_editor")) loaded.push(new URL(page.url()).pathname);
    });

    for (const path of ["", "/content/posts", "/media", "/collections/posts", "/settings"]) {
      await open(`/admin${path}`);
    }
    assertEquals(loaded, []);
    await open(`/admin/documents/${id}`);
    await page.locator(".pt-text").waitFor();
    assertEquals(loaded.length, 1);
  },
);
