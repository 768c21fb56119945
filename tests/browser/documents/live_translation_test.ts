/** Translations that are edited together, beside the original that is open at the same time. */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";

browserTest(
  "two translators see each other's changes, and the original none of them",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints, origin } = visit;
    const id = await translatedSite(visit);
    const path = `/documents/${id}`;
    await ask("PUT", `${path}/translations/fr`, { title: "Le gardien", lead: "Bonjour" });
    await ask("POST", `${path}/publish`);

    const [original, second] = [await page.context().newPage(), await page.context().newPage()];
    for (const [one, at] of [[original, path], [second, `${path}/translations/fr`]] as const) {
      await one.goto(`${origin}/admin${at}`);
      await one.locator("html[data-ready]").waitFor();
    }
    const changes = () => original.locator("[data-changes]:not([hidden])").count();
    const before = await changes();
    await open(`/admin${path}/translations/fr`);
    await page.locator("#c-lead").fill("Bonsoir");
    await eventually(
      "the second translator sees it",
      async () => await second.locator("#c-lead").inputValue() === "Bonsoir",
    );
    await second.locator("#c-title").fill("Le gardien du phare");
    await eventually(
      "and the first the other's change",
      async () => await page.locator("#c-title").inputValue() === "Le gardien du phare",
    );
    await eventually("both are stored", async () => {
      const { json } = await ask("GET", `${path}/translations/fr`);
      return `${json.title} ${json.lead}` === "Le gardien du phare Bonsoir";
    });
    assertEquals(await changes(), before);
    assertEquals(await original.locator("#c-title").inputValue(), "The lighthouse keeper");
    assertEquals(complaints, []);
  },
);
