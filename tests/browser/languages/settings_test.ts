/** The languages of the content, set up and changed in a browser. */
import { assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";
import { photograph } from "../../support/sites/shown_site.ts";

browserTest(
  "languages are added as rows, and a wrong code is shown at its row",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    const languages = async () => (await ask("GET", "/settings")).json.languages;
    const save = page.getByRole("button", { name: "Save", exact: true });

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
    await loadedAnew(page, () => save.click());
    assertEquals((await ask("GET", "/settings")).json["translation.glossary"], [
      { term: "The Lantern", note: "Never translated" },
    ]);
    await inspect(page, "language-settings");
    // The wrong code is the only request that was refused.
    assertEquals(complaints.length, 1);
  },
);

browserTest("the site has a title, a description and a menu in each language", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test, complaints } = visit;
  await translatedSite(visit);
  // A language that was taken out keeps its texts.
  const kept = { de: { "site.title": "Die Laterne" } };
  await ask("PATCH", "/settings", { "site.texts": kept });

  await open("/admin/settings");
  const card = page.locator("section", {
    has: page.getByRole("heading", { name: "Site in other languages" }),
  });
  await card.getByText("French", { exact: true }).click();
  const save = page.getByRole("button", { name: "Save", exact: true });
  const french = card.locator('[data-name="fr"]');
  await french.getByLabel("Title").fill("La Lanterne");
  await french.getByRole("button", { name: "Add entry" }).click();
  await french.getByLabel("Label", { exact: true }).fill("À propos");
  await inspect(page, "site-texts");
  await french.getByLabel("URL").fill("about");
  await save.click();
  await french.getByText(/Must be a path that begins with/).waitFor();
  await french.getByLabel("URL").fill("/fr/about");
  await loadedAnew(page, () => save.click());

  const menu = [{ label: "À propos", url: "/fr/about" }];
  assertEquals((await ask("GET", "/settings")).json["site.texts"], {
    ...kept,
    fr: { "site.title": "La Lanterne", "site.menu": menu },
  });
  await test.runner.drain();
  const home = (await test.call("GET", "/fr")).text;
  assertStringIncludes(home, "La Lanterne");
  assertStringIncludes(home, '<a href="/fr/about"');

  // An empty text is that of the site again.
  await french.getByLabel("Title").fill("");
  await loadedAnew(page, () => save.click());
  assertEquals((await ask("GET", "/settings")).json["site.texts"].fr, { "site.menu": menu });
  // The wrong address is the only request that was refused.
  assertEquals(complaints.length, 1);
});

browserTest("an image has an alternative text in each language", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await translatedSite(visit);
  const id = await photograph(visit);
  await ask("PATCH", `/media/${id}`, { alt: "The sea", alts: { de: "Das Meer" } });

  await open(`/admin/media/${id}`);
  await page.getByText("Alt text in other languages").click();
  const arabic = page.getByRole("textbox", { name: "Arabic" });
  assertEquals([await arabic.getAttribute("dir"), await arabic.getAttribute("lang")], [
    "rtl",
    "ar",
  ]);
  await page.getByRole("textbox", { name: "French" }).fill("La mer");
  await inspect(page, "alt-texts");
  await loadedAnew(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
  const { alt, alts } = (await ask("GET", `/media/${id}`)).json;
  assertEquals([alt, alts], ["The sea", { de: "Das Meer", fr: "La mer" }]);
  assertEquals(complaints, []);
});
