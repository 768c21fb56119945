/** The panel with a document's search result and card: fields are added to the collection, filled, and followed. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("the panel shows what search engines get, and follows each save", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, open, complaints } = visit;
  await ask("PATCH", "/settings", { "site.url": "https://lantern.example" });
  await ask("POST", "/collections", { slug: "posts", name: "Posts" });
  const fields = { name: "summary", label: "Summary", type: "text" };
  await ask("POST", "/collections/posts/fields", fields);
  const made = await ask("POST", "/documents", {
    collection: "posts",
    title: "Fog",
    summary: "Where fog comes from.",
  });
  assertEquals(made.status, 201, made.text);

  await open(`/admin/documents/${made.json.id}`);
  const panel = page.locator(".search-panel");
  await panel.locator("summary").click();
  await panel.getByText("https://lantern.example/posts/fog").first().waitFor();
  await panel.getByText("Description: 21 of about 160 characters").waitFor();
  await panel.getByText("No image for shared links").waitFor();
  assertEquals(await panel.getByRole("button", { name: /^Edit/ }).count(), 0, "no fields yet");
  await panel.getByRole("button", { name: "Add SEO fields" }).click();
  const title = page.getByLabel("Title for search engines");
  await title.waitFor();
  await page.locator("html[data-ready]").waitFor();

  await panel.locator("summary").click();
  await panel.getByRole("button", { name: "Edit: Title" }).click();
  assert(await title.evaluate((input) => input === document.activeElement));
  await page.keyboard.type("Fog, mist and haze: how to tell them apart, from the shore and at sea");
  await panel.locator(".search-title", { hasText: /^Fog, mist and haze.* …$/ }).waitFor();
  await panel.getByText("Title: 69 characters, results show about 60").waitFor();
  await page.getByLabel("Hide from search engines").check();
  await panel.getByText("Hidden from search engines").waitFor();
  await page.getByLabel("Canonical URL", { exact: true }).fill("https://elsewhere.example/fog");
  await panel.getByText("Canonical URL: https://elsewhere.example/fog").waitFor();
  await inspect(page, "search-panel");
  assertEquals(complaints, []);
});
