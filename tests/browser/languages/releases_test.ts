/** Languages of documents in releases, on the page of the release and in the forms of documents. */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";

browserTest("a release publishes chosen languages of a document", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test, complaints } = visit;
  const id = await translatedSite(visit);
  await ask("PUT", `/documents/${id}/translations/fr`, { title: "Le gardien", lead: "Bonjour" });
  await ask("PUT", `/documents/${id}/translations/ar`, { title: "حارس المنارة" });
  const { json: spring } = await ask("POST", "/releases", { name: "Spring" });
  const { json: autumn } = await ask("POST", "/releases", { name: "Autumn" });
  const plan = async (release: { id: string }) => {
    const [{ action, languages }] = (await ask("GET", `/releases/${release.id}`)).json.documents;
    return [action, languages];
  };

  // It is added with chosen languages.
  await open(`/admin/releases/${spring.id}`);
  await page.getByRole("button", { name: "Add The lighthouse keeper" }).click();
  const adding = page.getByRole("dialog", { name: "Add The lighthouse keeper" });
  await adding.getByLabel(/^Arabic/).uncheck();
  await adding.getByLabel(/^English/).uncheck();
  await loadedAnew(page, () => adding.getByRole("button", { name: "Add", exact: true }).click());
  assertEquals(await plan(spring), ["publish", ["fr"]]);

  // Another action keeps the languages.
  const action = page.getByLabel("Action for The lighthouse keeper");
  await loadedAnew(page, async () => void await action.selectOption("unpublish"));
  await loadedAnew(page, async () => void await action.selectOption("publish"));
  assertEquals(await plan(spring), ["publish", ["fr"]]);

  // The message names the language that cannot be published.
  await page.getByRole("button", { name: "Change languages of The lighthouse keeper" }).click();
  const changing = page.getByRole("dialog", { name: "Languages of The lighthouse keeper" });
  await changing.getByLabel(/^Arabic/).check();
  await loadedAnew(page, () => changing.getByRole("button", { name: "Save" }).click());
  assertEquals(await plan(spring), ["publish", ["fr", "ar"]]);
  await page.getByText("Arabic: Lead is missing").waitFor();
  await inspect(page, "release-languages");
  await page.getByRole("button", { name: "Change languages of The lighthouse keeper" }).click();
  await loadedAnew(
    page,
    () => changing.getByRole("button", { name: "All languages" }).click(),
  );
  assertEquals(await plan(spring), ["publish", "*"]);
  await page.getByText("All languages").first().waitFor();
  await page.getByRole("button", { name: "Change languages of The lighthouse keeper" }).click();
  await changing.getByLabel(/^Arabic/).uncheck();
  await changing.getByLabel(/^English/).uncheck();
  await loadedAnew(page, () => changing.getByRole("button", { name: "Save" }).click());

  // The form of a translation adds its language to another release.
  await open(`/admin/documents/${id}/translations/ar`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Add to release …" }).click();
  const form = page.getByRole("dialog", { name: "Add to release" });
  await form.getByText("Spring (has French)").waitFor({ state: "attached" });
  await form.getByLabel("Release").selectOption({ label: "Autumn" });
  await inspect(page, "add-to-release");
  await form.getByRole("button", { name: "Add to release" }).click();
  await form.getByText(/already in the release/).waitFor();
  await form.getByLabel(/^French/).uncheck();
  await loadedAnew(page, () => form.getByRole("button", { name: "Add to release" }).click());
  assertEquals([await plan(spring), await plan(autumn)], [
    ["publish", ["fr"]],
    ["publish", ["ar"]],
  ]);

  // Several documents of a list are added at once: those that are in the release keep their languages.
  await open("/admin/content/articles");
  await page.getByLabel("Select The lighthouse keeper").check();
  await page.getByLabel("Release", { exact: true }).selectOption("Spring");
  await page.getByRole("button", { name: "Add to release" }).click();
  await page.locator("dialog[open]").getByRole("button", { name: "Add to release" }).click();
  await page.getByText("Add to release: 1 document").waitFor();
  assertEquals(await plan(spring), ["publish", ["fr"]]);

  // The original is in neither, and can still be added.
  await open(`/admin/documents/${id}`);
  await page.getByRole("button", { name: "More actions" }).waitFor();
  assertEquals(await page.getByRole("link", { name: "Spring" }).count(), 0);
  await open(`/admin/releases/${spring.id}`);
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.locator("dialog[open]").getByRole("button", { name: "Publish" }).click();
  await page.getByText("Its documents are being published.").waitFor();
  await test.runner.drain();
  const { data } = (await ask("GET", `/documents/${id}/translations`)).json;
  // deno-lint-ignore no-explicit-any
  assertEquals(data.map(({ language, status }: any) => [language, status]), [
    ["en", "draft"],
    ["fr", "published"],
    ["ar", "draft"],
  ]);
  // The language that was taken is the only request that was refused.
  assertEquals(complaints.length, 1);
});
