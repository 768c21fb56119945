/** The languages of the content, set up and changed in a browser. */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest(
  "languages are added as rows, and a wrong code is shown at its row",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    const languages = async () => (await ask("GET", "/settings")).json.languages;
    const save = page.getByRole("button", { name: "Save languages" });

    await open("/admin/settings");
    await page.getByRole("button", { name: "Add language" }).click();
    const row = page.locator('[data-rows="Languages"] li').nth(1);
    const code = row.getByLabel("Code", { exact: true });
    await code.fill("fr-ca");
    await row.getByLabel("Falls back to").fill("en");
    await save.click();
    await row.getByText(/canonical case/).waitFor();
    assertEquals(await languages(), undefined);

    await code.fill("fr-CA");
    await loadedAnew(page, () => save.click());
    const rest = { gaps: false, public: true, untranslated: "hide" };
    assertEquals(await languages(), [
      { code: "en", ...rest },
      { code: "fr-CA", fallback: ["en"], ...rest },
    ]);

    // Terms for translators are offered now.
    await page.getByRole("button", { name: "Add term" }).click();
    const term = page.locator('[data-rows="Glossary"] li').first();
    await term.getByLabel("Term").fill("The Lantern");
    await term.getByLabel("Note").fill("Never translated");
    await loadedAnew(page, () => page.getByRole("button", { name: "Save instructions" }).click());
    assertEquals((await ask("GET", "/settings")).json["translation.glossary"], [
      { term: "The Lantern", note: "Never translated" },
    ]);
    await inspect(page, "language-settings");
    // The wrong code is the only request that was refused.
    assertEquals(complaints.length, 1);
  },
);
