/** Labels of collections, fields and choices in the languages of the content. */
import { assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";

browserTest("a collection is called by its own name in each language", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test, complaints } = visit;
  const id = await translatedSite(visit);
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien", lead: "Bonjour" });
  await ask("POST", `/documents/${id}/publish`, { languages: ["fr"] });

  await open("/admin/collections/articles");
  await page.getByText("Name in other languages").click();
  await page.getByRole("textbox", { name: "French" }).fill("Récits");
  await loadedAnew(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
  assertEquals((await ask("GET", "/collections/articles")).json.labels, { fr: "Récits" });
  await test.runner.drain();
  assertStringIncludes((await test.call("GET", "/fr/articles")).text, "Récits");

  await page.getByText("Name in other languages").click();
  await page.getByRole("textbox", { name: "French" }).fill("");
  await loadedAnew(page, () => page.getByRole("button", { name: "Save", exact: true }).click());
  assertEquals((await ask("GET", "/collections/articles")).json.labels, undefined);
  assertEquals(complaints, []);
});

browserTest("a field and its choices have labels in each language", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await translatedSite(visit);
  const field = async () => {
    const { json } = await ask("GET", "/collections/articles");
    // deno-lint-ignore no-explicit-any
    const found = json.fields.find(({ name }: any) => name === "light");
    return [found.labels, found.options.choices, found.options.choiceLabels];
  };

  await open("/admin/collections/articles/fields/new?type=select");
  await page.getByLabel("Label", { exact: true }).fill("Light");
  await page.getByText("Label in other languages").click();
  await page.locator('[data-name="labels"]').getByLabel("French").fill("Feu");
  const choices = page.getByLabel("Choices, one per line");
  await choices.fill("red\nwhite");
  await page.getByText("Choices in other languages").click();
  const labelsOf = (choice: string) => page.getByRole("group", { name: choice, exact: true });
  await labelsOf("red").getByLabel("French").fill("rouge");
  await labelsOf("white").getByLabel("French").fill("blanc");
  await labelsOf("white").getByLabel("Arabic").fill("أبيض");
  await inspect(page, "choice-labels");
  await page.getByRole("button", { name: "Create field" }).click();
  await page.waitForURL("**/admin/collections/articles");
  assertEquals(await field(), [
    { fr: "Feu" },
    ["red", "white"],
    { red: { fr: "rouge" }, white: { ar: "أبيض", fr: "blanc" } },
  ]);

  // A choice that is spelled in another way keeps its labels, wherever it stands; others have rows of their own.
  await open("/admin/collections/articles/fields/light");
  await choices.fill("bright red\nwhite");
  await choices.fill("white\nbright red\ngreen");
  await page.getByText("Choices in other languages").click();
  assertEquals(await page.locator("[data-choice-rows] legend").allInnerTexts(), [
    "white",
    "bright red",
    "green",
  ]);
  await labelsOf("green").getByLabel("French").fill("vert");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL("**/admin/collections/articles");
  assertEquals(await field(), [{ fr: "Feu" }, ["white", "bright red", "green"], {
    "bright red": { fr: "rouge" },
    green: { fr: "vert" },
    white: { ar: "أبيض", fr: "blanc" },
  }]);
  assertEquals(complaints, []);
});
