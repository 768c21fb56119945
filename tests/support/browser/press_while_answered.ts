/**
 * Somebody who presses what a list holds in the moment in which the server's answer draws it anew.
 *
 * @module
 */
import type { Locator, Page } from "playwright-core";

/** The same, step by step. */
interface Press {
  /** The address of the request that is held back. */
  request: RegExp;
  /** Has the page ask. */
  ask: () => Promise<void>;
  /** What is pressed before the answer comes, and let go behind it. */
  row: Locator;
  /** Looked at while it is pressed. */
  pressed?: () => Promise<void>;
}

/** Presses a row, lets the answer come, and lets the row go. */
export async function pressWhileAnswered(
  page: Page,
  { request, ask, row, pressed }: Press,
): Promise<void> {
  const answered = Promise.withResolvers<void>();
  await page.route(request, async (route) => {
    await answered.promise;
    await route.continue();
  });
  const [asked, reply] = [page.waitForRequest(request), page.waitForResponse(request)];
  await ask();
  await asked;
  await row.hover();
  await page.mouse.down();
  await pressed?.();
  answered.resolve();
  await (await reply).finished();
  // The page has read it at this point.
  await page.evaluate("new Promise((told) => setTimeout(told, 100))");
  await page.mouse.up();
  await page.unroute(request);
}
