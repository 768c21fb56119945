/**
 * What waits for a person: an author chooses reviewers, and only they find the request on their overview.
 */
import { assertEquals } from "../../../support/harness/assert.ts";
import { browserTest } from "../../../support/browser/chromium.ts";
import { colleague, inspect, studioVisit } from "../../../support/browser/studio_visit.ts";
import { reviewSite, saved } from "../../../support/sites/review_site.ts";

browserTest("an author chooses the reviewers of a document", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, origin, complaints } = visit;
  const cem = { email: "cem@example.org", displayName: "Cem Aydın", roles: ["editor"] };
  const editor = await colleague(visit, cem);
  await using site = await reviewSite(visit);
  const { author, id } = site;
  await author.goto(`${origin}/admin/documents/${id}`);
  await author.locator("html[data-ready]").waitFor();
  await author.getByLabel("Lead", { exact: true }).fill("The sea is never dark at night.");
  await saved(author);

  await author.getByRole("button", { name: "Request review …" }).click();
  await author.getByRole("checkbox", { name: "Cem Aydın" }).check();
  await inspect(author, "choose-reviewers");
  await author.getByRole("button", { name: "Request review", exact: true }).click();
  await author.getByText("Bea requested a review from Cem Aydın").waitFor();

  await open("/admin");
  assertEquals(await page.getByRole("heading", { name: "Waiting for your review" }).count(), 0);
  await editor.page.goto(`${origin}/admin`);
  await editor.page.getByRole("heading", { name: "Waiting for your review" }).waitFor();
  assertEquals(complaints, []);
  await editor.context.close();
});
