/**
 * What an interaction costs a browser, counted by the browser itself: none of it depends on how fast the machine is.
 *
 * @module
 */
import type { Page } from "playwright-core";

/** The counts of one interaction. */
export interface InteractionCounts {
  /** Times that styles were computed. */
  styles: number;
  /** Times that the page was laid out. */
  layouts: number;
  /** Nodes that the page has more than before. */
  nodes: number;
  /** Scripts that were loaded, and their bytes. */
  scripts: number;
  scriptBytes: number;
  /** Other requests. */
  requests: number;
}

/** What the page looks like now is on the screen, and what follows at once from it, too. */
const PAINTED = "new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => " +
  "setTimeout(shown))))";
/** How long a page may go on with an interaction: loading code, asking the server, saving. */
const SETTLED_MS = 500;

/** Counts what the interactions of a page cost. */
export async function interactionCounter(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const read = async () => {
    // Nodes that are no longer in the page count until they are collected.
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? NaN;
    return { styles: of("RecalcStyleCount"), layouts: of("LayoutCount"), nodes: of("Nodes") };
  };
  let scriptBytes = 0;
  let scripts = 0;
  let requests = 0;
  page.on("requestfinished", async (request) => {
    if (request.resourceType() !== "script") return void requests++;
    scripts++;
    scriptBytes += (await request.sizes()).responseBodySize;
  });
  return async (act: () => Promise<unknown>): Promise<InteractionCounts> => {
    await page.waitForTimeout(SETTLED_MS);
    const before = await read();
    [scripts, scriptBytes, requests] = [0, 0, 0];
    await act();
    await page.evaluate(PAINTED);
    await page.waitForTimeout(SETTLED_MS);
    const after = await read();
    return {
      styles: after.styles - before.styles,
      layouts: after.layouts - before.layouts,
      nodes: after.nodes - before.nodes,
      scripts,
      scriptBytes,
      requests,
    };
  };
}
