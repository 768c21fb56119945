/** The card of the settings that decides how the public site looks. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest(
  "studio gives the public site a color, a typeface and a menu, and takes them back",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, test } = visit;
    const card = page.locator("section.card", {
      has: page.getByRole("heading", { name: "Appearance", exact: true }),
    });
    const save = async () => {
      await loadedAnew(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
      await page.getByText("Saved. The pages are being rebuilt.").waitFor();
      for (let n = 0; n < 5; n++) {
        await test.runner.drain();
        test.context.advance(3_000);
      }
      return (await test.call("GET", "/")).text;
    };

    await open("/admin/design");
    await card.getByLabel("Accent color").fill("green");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await card.getByText("Must be a color such as #9a3412").waitFor();
    await card.getByLabel("Accent color").fill("#1e7f5c");
    await card.getByLabel("Typeface").selectOption("sans");
    await card.getByRole("button", { name: "Add to Menu" }).click();
    await card.getByLabel("Label").fill("Reads");
    await card.getByLabel("URL").fill("/articles");
    const own = await save();
    await open("/admin/design");
    assertEquals(await card.getByLabel("Label").inputValue(), "Reads");
    await card.getByRole("button", { name: "Remove row 1 of Menu" }).click();
    await card.getByLabel("Accent color").fill("");
    await card.getByLabel("Typeface").selectOption("");
    const plain = await save();

    assert(own.includes('href="/assets/look/1e7f5c-sans.css"'));
    assert(own.includes('<a href="/articles">Reads</a>'));
    assert(!plain.includes("/assets/look/") && !plain.includes("Reads"));
  },
);
