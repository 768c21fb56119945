/** From the sign-in to the public page by keys alone: nothing on the way needs a pointer. */
import { assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import { magazine } from "../support/sites/studio_site.ts";
import { ADA, studioVisit } from "../support/browser/studio_visit.ts";

browserTest("a document is written and published by keys alone", async (browser) => {
  await using visit = await studioVisit(browser);
  await magazine(visit);
  const { page, origin, test, complaints } = visit;
  await page.context().clearCookies();
  await page.clock.install();
  const { keyboard } = page;
  const ready = () => page.locator("html[data-ready]").waitFor();
  /** Presses Tab until a control has the focus. */
  const tabTo = async (selector: string, { key = "Tab", tries = 10 } = {}) => {
    for (let n = 0; n < tries; n++) {
      if (await page.locator(selector).and(page.locator(":focus")).count() > 0) return;
      await keyboard.press(key);
    }
    throw new Error(`${key} does not lead to ${selector}`);
  };

  await page.goto(`${origin}/admin/sign-in`);
  await ready();
  await keyboard.type(ADA.email);
  await keyboard.press("Tab");
  await keyboard.type(ADA.password);
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: /^Good / }).waitFor();
  await ready();
  await keyboard.press("Control+k");
  await keyboard.type("new in posts");
  await page.getByRole("option", { name: "New in Posts", selected: true }).waitFor();
  await keyboard.press("Enter");
  await page.waitForURL("**/content/posts/new");
  await ready();
  await keyboard.type("By keys alone");
  await tabTo("#c-teaser");
  await keyboard.type("Nobody touched a mouse.");
  await keyboard.press("Control+Enter");
  await page.locator("dialog#publish:modal").getByText("Ready to publish.").waitFor();
  await keyboard.press("Control+Enter");
  await page.getByText("Published. The pages are being built").waitFor();
  await test.runner.drain();
  await page.getByText("The page is live.").waitFor();
  // The focus is where the text is written on. Toasts come last, which is before the beginning of the page.
  await tabTo("#toasts button", { key: "Shift+Tab", tries: 60 });
  // A message stays while its action has the focus.
  await page.clock.fastForward(60_000);
  assertEquals(await page.locator("#toasts button:focus").count(), 1);
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    keyboard.press("Enter"),
  ]);
  await opened.getByRole("heading", { name: "By keys alone" }).waitFor();
  assertEquals(new URL(opened.url()).pathname, "/posts/by-keys-alone");
  // The clock of the test is a script, which the sandboxed frame of the card refuses.
  assertEquals(complaints.filter((text) => !text.startsWith("Blocked script execution")), []);
});
