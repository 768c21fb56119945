/** A color of the site's design: chosen in the browser's own way, or spelled. */
import { assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import { inspect, loadedAnew, studioVisit } from "../support/browser/studio_visit.ts";

browserTest(
  "a color and its spelling follow one another, and what is none is said there",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    await open("/admin/design");
    const text = page.getByLabel("Accent color");
    const choice = page.getByLabel("Choose a color");
    const field = page.locator("[data-island=color]");
    const save = async () => {
      await loadedAnew(
        page,
        () => page.getByRole("button", { name: "Save", exact: true }).click(),
      );
      await page.getByText("Saved. The pages are being rebuilt.").waitFor();
    };
    const samples = () => field.locator("[data-paper] > span").allInnerTexts();

    await choice.fill("#0055aa");
    assertEquals(await text.inputValue(), "#0055aa");
    assertEquals(await samples(), ["7.1 : 1 on light", "4.6 : 1 on dark, lightened"]);
    await inspect(page, "color-field");
    await text.fill("9C3");
    await text.blur();
    assertEquals([await text.inputValue(), await choice.inputValue()], ["#99cc33", "#99cc33"]);

    await text.fill("reddish");
    await text.blur();
    await field.getByText("Must be a color such as #9a3412").waitFor();
    assertEquals(await text.getAttribute("aria-invalid"), "true");
    assertEquals(await field.locator("[data-color-samples]").isVisible(), false);
    await choice.fill("#9a3412");
    assertEquals(await field.locator(".error").count(), 0);
    await save();
    assertEquals((await ask("GET", "/settings")).json["site.accent"], "#9a3412");

    await field.getByRole("button", { name: "Clear" }).click();
    assertEquals(await text.inputValue(), "");
    await save();
    assertEquals((await ask("GET", "/settings")).json["site.accent"] ?? null, null);
    assertEquals(complaints, []);
  },
);
