/** The site beside the form of its design: it follows what one changes, and nothing is saved. */
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { shownPages } from "../../support/browser/shown_pages.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("the site beside the form of its design follows, without a save", async (browser) => {
  await using visit = await studioVisit(browser, { viewport: { width: 1440, height: 900 } });
  const { page, open, ask, complaints } = visit;
  await shownPages(visit);
  const before = (await ask("GET", "/settings")).text;
  await open("/admin/design");
  const site = page.frameLocator("iframe[data-design-preview]");
  // From the window around it: nothing runs in the frame.
  const accent = () =>
    page.evaluate(
      "getComputedStyle(document.querySelector('iframe[data-design-preview]').contentDocument" +
        ".documentElement).getPropertyValue('--accent').trim()",
    ) as Promise<string>;
  const until = async (probe: () => Promise<string>, expected: string) => {
    const end = performance.now() + 10_000;
    while (await probe() !== expected && performance.now() < end) await page.waitForTimeout(10);
    assertEquals(await probe(), expected);
  };
  await site.getByRole("heading", { name: "The Lantern", level: 1 }).waitFor();

  await page.getByLabel("Accent color").fill("#0055aa");
  await until(accent, "#0055aa");
  await page.getByLabel("Accent color").fill("#00");
  await page.getByLabel("Typeface").selectOption("mono");
  await site.locator('link[href$="/theme-mono.css"]').waitFor({ state: "attached" });
  await page.getByRole("button", { name: /^Add/ }).first().click();
  await page.getByLabel("Label", { exact: true }).fill("About us");
  await page.getByLabel("URL", { exact: true }).fill("/stories");
  await site.getByRole("link", { name: "About us" }).first().click();
  await site.getByRole("heading", { name: "Stories", level: 1 }).waitFor();
  await site.getByRole("link", { name: "About us" }).first().waitFor();
  await inspect(page, "design-preview");

  // The site as phones show it, and in dark colors, which the frame decides if nothing overrides it.
  await page.emulateMedia({ colorScheme: null });
  const width = () =>
    page.locator("iframe[data-design-preview]").evaluate((one) => one.clientWidth);
  const paper = () =>
    page.evaluate(
      "getComputedStyle(document.querySelector('iframe[data-design-preview]').contentDocument.body)" +
        ".backgroundColor",
    ) as Promise<string>;
  await page.setViewportSize({ width: 1440, height: 900 });
  await until(async () => String(await width() > 600), "true");
  const light = await paper();
  const stage = page.getByRole("region", { name: "Preview" });
  await stage.getByRole("radio", { name: "Phone" }).check();
  await until(async () => String(await width() <= 392), "true");
  await stage.getByRole("radio", { name: "Dark" }).check();
  await until(async () => String(await paper() === light), "false");
  await inspect(page, "design-preview-dark-phone");

  assertEquals((await ask("GET", "/settings")).text, before);
  assertEquals(complaints, []);
});

browserTest("a built-in theme is seen before it is activated with one click", async (browser) => {
  await using visit = await studioVisit(browser, { viewport: { width: 1440, height: 900 } });
  const { page, open, ask, test, complaints } = visit;
  await shownPages(visit);
  const active = async () => (await ask("GET", "/settings")).json["theme.active"];
  await open("/admin/design");
  const site = page.frameLocator("iframe[data-design-preview]");
  await site.locator(".masthead").waitFor();
  // Each card has a picture: the home page, drawn small.
  const pictures = page.locator(".theme-picture iframe");
  assertEquals(await pictures.count(), 2);
  await pictures.nth(1).contentFrame().locator(".rail").waitFor();
  const [picture, paper] = await pictures.nth(1).evaluate((frame) => [
    frame.getBoundingClientRect().width,
    (frame as HTMLIFrameElement).contentWindow!.innerWidth,
  ]);
  assert(picture! < 250 && paper! > 1000, `${picture} of ${paper}`);

  await page.getByRole("radio", { name: "Ledger" }).check();
  await site.locator(".rail").waitFor();
  await page.getByLabel("Accent color").fill("#0055aa");
  await site.locator('link[href$="/0055aa-newsreader.css"]').waitFor({ state: "attached" });
  await site.getByRole("link", { name: "Stories" }).first().click();
  await site.getByRole("heading", { name: "Stories", level: 1 }).waitFor();
  await site.locator(".rail").waitFor();
  const stage = page.getByRole("region", { name: "Preview" });
  await stage.getByRole("radio", { name: "Phone" }).check();
  await stage.getByRole("radio", { name: "Dark" }).check();
  await inspect(page, "design-theme");
  assertEquals(await active(), null);
  await page.getByLabel("Accent color").fill("");

  await page.getByRole("button", { name: "Activate Ledger" }).click();
  await page.getByText("Ledger is active").waitFor();
  await page.locator("html[data-ready]").waitFor();
  assertEquals(await active(), "ledger");
  await page.locator(".theme-card", { hasText: "Ledger" }).getByText("Active", { exact: true })
    .waitFor();
  for (let round = 0; round < 3; round++) {
    await test.runner.drain();
    test.context.advance(3_000);
  }
  assertStringIncludes((await test.call("GET", "/")).text, '<header class="rail">');
  assertEquals(complaints, []);
});
