/**
 * A day of a translator: an article with rich text, a repeater and blocks, from English into French and, on a
 * telephone, into Arabic.
 */
import type { Page } from "playwright-core";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";

const LEAD = "Chaque nuit, la lampe est allumée avant le coucher du soleil.";

/** The note below a field. */
const note = (page: Page, field: string) => page.locator(`#note-${field}`);

async function saved(page: Page): Promise<void> {
  await page.locator("[data-save-state]", { hasText: /^Saved/ }).waitFor();
}

browserTest(
  "a translator works beside the original, and publishes one language",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, test, complaints } = visit;
    const id = await translatedSite(visit);
    const translations = async () => {
      const { json } = await ask("GET", `/documents/${id}/translations`);
      // deno-lint-ignore no-explicit-any
      return json.data.map(({ language, status, state }: any) => [language, status, state]);
    };

    // The original leads to its languages; a translation starts with its title.
    await open(`/admin/documents/${id}`);
    await page.getByRole("navigation", { name: "Languages" }).getByRole("link", { name: "French" })
      .click();
    await page.getByLabel("Title in French").fill("Le gardien du phare");
    await loadedAnew(page, () => page.getByRole("button", { name: "Start translating" }).click());

    // Each field stands beside the original's, at the same height.
    const lead = page.locator("#c-lead");
    const [own, original] = [await lead.boundingBox(), await page.locator("#o-lead").boundingBox()];
    assertEquals(own!.y, original!.y);
    assert(own!.x > original!.x);
    assertEquals(
      await lead.getAttribute("placeholder"),
      "Every night the lamp is lit before the sun has gone.",
    );
    assertStringIncludes(await note(page, "lead").innerText(), "Falls back");
    assertEquals(await lead.getAttribute("lang"), "fr");

    // What is typed is saved as French alone, and the note follows.
    await lead.fill(LEAD);
    await saved(page);
    await note(page, "lead").getByText("Translated").waitFor();
    const { json } = await ask("GET", `/documents/${id}/translations/fr`);
    assertEquals([json.lead, json.body, json.rating], [LEAD, undefined, undefined]);
    await loadedAnew(
      page,
      () => note(page, "facts").getByRole("button", { name: "Copy from English" }).click(),
    );
    await page.locator("#c-facts-0-name").fill("Hauteur");
    await saved(page);

    // So are the rich text and the blocks, each of which keeps its place.
    const body = page.locator('[data-field="body"] .translation-side:not(.original) .ProseMirror');
    await body.click();
    await page.keyboard.type("Toutes les quatre heures.");
    await saved(page);
    await loadedAnew(
      page,
      () => note(page, "blocks").getByRole("button", { name: "Copy from English" }).click(),
    );
    await page.locator("#c-blocks-0-words").fill("La mer ne se tait jamais.");
    await saved(page);
    // What is kept becomes a version after a pause.
    const stored = async () => (await ask("GET", `/documents/${id}/translations/fr`)).json;
    const words = async () => (await stored()).blocks?.[0]?.data.words;
    await eventually("it is stored", async () => await words() === "La mer ne se tait jamais.");
    const french = await stored();
    assertEquals(french.body[0].children[0].text, "Toutes les quatre heures.");
    assertEquals(french.facts[0], { name: "Hauteur", value: "31 meters" });
    assertEquals(french.blocks[0].data, { words: "La mer ne se tait jamais." });
    await inspect(page, "translation");

    // The original changes: its change is shown word by word, and the translation still holds.
    await ask("PATCH", `/documents/${id}`, {
      lead: "Every night the great lamp is lit before the sun has gone.",
    });
    await open(`/admin/documents/${id}/translations/fr`);
    assertEquals(await note(page, "lead").locator("ins").allInnerTexts(), ["great "]);
    await loadedAnew(
      page,
      () => note(page, "lead").getByRole("button", { name: "Mark as up to date" }).click(),
    );
    await note(page, "lead").getByText("Translated").waitFor();

    // Publishing names the language, and publishes no other.
    await page.getByRole("button", { name: "Publish French …" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish French" });
    await dialog.getByText("Ready to publish.").waitFor();
    await loadedAnew(page, () => dialog.getByRole("button", { name: "Publish now" }).click());
    assertEquals(await page.getByText("The unpublish date was not set").count(), 0);
    await test.runner.drain();
    assertStringIncludes((await test.call("GET", "/fr/articles/le-gardien-du-phare")).text, LEAD);
    assertEquals((await test.call("GET", "/articles/the-lighthouse-keeper")).status, 404);
    assertEquals(await translations(), [
      ["en", "draft", null],
      ["fr", "published", "complete"],
      ["ar", null, "missing"],
    ]);

    // A change of what is published waits in a working copy.
    await page.locator("#c-title").fill("Le gardien du vieux phare");
    await saved(page);
    await page.getByRole("button", { name: "Publish French changes …" }).waitFor();
    const published = (await ask("GET", `/documents/${id}/translations/fr`)).json;
    assertEquals(published.title, "Le gardien du phare");

    // Another translator changes another field meanwhile: neither overwrites the other.
    await ask("PATCH", `/documents/${id}/translations/fr/working-copy`, { lead: "Chaque soir." });
    await page.locator("#c-title").fill("Le gardien du grand phare");
    await page.waitForFunction(() =>
      document.querySelector<HTMLInputElement>("#c-lead")?.value === "Chaque soir."
    );
    await saved(page);
    const copied = async () => {
      const { json } = await ask("GET", `/documents/${id}/translations/fr/working-copy`);
      return [json.title, json.lead];
    };
    await eventually(
      "both changes are stored",
      async () => String(await copied()) === "Le gardien du grand phare,Chaque soir.",
    );
    assertEquals(complaints, []);
  },
);

browserTest(
  "on a telephone, one language is shown at a time, from right to left",
  async (browser) => {
    await using visit = await studioVisit(browser, { viewport: { width: 375, height: 812 } });
    const { page, open, ask, test, complaints } = visit;
    const id = await translatedSite(visit);

    await open(`/admin/documents/${id}/translations/ar`);
    await page.getByLabel("Title in Arabic").fill("حارس المنارة");
    await loadedAnew(page, () => page.getByRole("button", { name: "Start translating" }).click());

    const title = page.locator("#c-title");
    assertEquals(
      [await title.getAttribute("lang"), await title.getAttribute("dir")],
      ["ar", "rtl"],
    );
    assertEquals(await page.locator("#o-title").isVisible(), false);
    await page.getByRole("radio", { name: "English" }).check();
    assertEquals([await title.isVisible(), await page.locator("#o-title").isVisible()], [
      false,
      true,
    ]);

    // Languages that are ready are offered together; Arabic falls back for a required field.
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("button", { name: "Publish languages …" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish languages" });
    assert(await dialog.getByLabel(/^English/).isChecked());
    assert(await dialog.getByLabel(/^Arabic/).isDisabled());
    await dialog.getByText("Not ready: Lead is required.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 375);

    // The field is written in Arabic, and that language alone is published.
    await page.getByRole("radio", { name: "Arabic" }).check();
    await page.locator("#c-lead").fill("يُضاء المصباح كل ليلة.");
    await saved(page);
    await page.getByRole("button", { name: "Publish Arabic …" }).click();
    const publishing = page.getByRole("dialog", { name: "Publish Arabic" });
    await publishing.getByText("Ready to publish.").waitFor();
    await loadedAnew(page, () => publishing.getByRole("button", { name: "Publish now" }).click());
    await test.runner.drain();
    const { slug } = (await ask("GET", `/documents/${id}/translations/ar`)).json;
    const { text } = await test.call("GET", `/ar/articles/${encodeURIComponent(slug)}`);
    assertStringIncludes(text, '<html lang="ar" dir="rtl"');
    assertStringIncludes(text, "يُضاء المصباح كل ليلة.");
    assertEquals((await test.call("GET", "/articles/the-lighthouse-keeper")).status, 404);
    assertEquals(complaints, []);
  },
);

browserTest("one language is scheduled by itself, and becomes the original", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const id = await translatedSite(visit);
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien", lead: "Bonjour" });

  await open(`/admin/documents/${id}/translations/fr`);
  await page.getByRole("button", { name: "Publish French …" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish French" });
  await dialog.getByLabel("Schedule").check();
  await dialog.getByLabel("Date and time").fill("2027-01-02T10:00");
  await loadedAnew(page, () => dialog.getByRole("button", { name: "Schedule" }).click());
  await page.getByRole("button", { name: "Change schedule …" }).waitFor();
  const { json } = await ask("GET", `/documents/${id}/translations`);
  assertEquals([json.data[0].status, json.data[1].status], ["draft", "scheduled"]);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Make French the original" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Make French the original" }).click();
  await page.waitForURL(`**/admin/documents/${id}`);
  assertEquals(await page.locator("#c-title").inputValue(), "Le gardien");
  await page.getByRole("link", { name: "French Original" }).waitFor();
  assertEquals(complaints, []);
});
