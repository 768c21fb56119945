/**
 * The history of a document as people use it: sittings, names, what was published, and single fields put
 * back.
 */
import type { Page } from "playwright-core";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

const saved = (page: Page, version: number) =>
  page.getByText(new RegExp(`^Saved \\d\\d:\\d\\d · version ${version}$`)).waitFor();

browserTest(
  "history shows sittings as one, names versions and puts back single fields",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    await ask("POST", "/collections", {
      slug: "notes",
      name: "Notes",
      fields: [{ name: "lead", label: "Lead", type: "text" }],
    });
    const note = { collection: "notes", title: "Light", lead: "First" };
    const { json: { id } } = await ask("POST", "/documents", note);
    await ask("POST", `/documents/${id}/publish`);
    await open(`/admin/documents/${id}`);
    for (const [n, words] of ["Second", "Third", "Fourth"].entries()) {
      await page.getByLabel("Lead", { exact: true }).fill(words);
      await page.keyboard.press("Control+s");
      await saved(page, 3 + n);
    }

    await open(`/admin/versions/document/${id}`);
    await page.getByText("3 versions").waitFor();
    const items = page.locator(".timeline > ol > li");
    assertEquals(await items.count(), 3);
    await items.nth(1).getByText("Published").first().waitFor();
    await page.getByRole("link", { name: "Show all 3" }).click();
    await page.getByRole("link", { name: /^Version 4/ }).waitFor();
    await inspect(page, "history-sitting");

    await page.getByRole("link", { name: /^Version 1/ }).click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("button", { name: "Name this version …" }).click();
    await page.getByRole("textbox", { name: /^Name/ }).fill("As it began");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByRole("heading", { name: "As it began · version 1" }).waitFor();

    await page.getByRole("link", { name: "Compared with now" }).click();
    await page.locator(".change", { hasText: "Lead" })
      .getByRole("button", { name: "Restore this field" }).click();
    await page.getByText("Lead is restored in the working copy").waitFor();
    const { json } = await ask("GET", `/documents/${id}`);
    assertEquals([json.lead, json.status, json.hasWorkingCopy], ["First", "published", false]);
    assertEquals(complaints, []);
  },
);

browserTest("a version that is chosen on a phone stands where the eye is", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await ask("POST", "/collections", {
    slug: "notes",
    name: "Notes",
    fields: [{ name: "lead", label: "Lead", type: "text" }],
  });
  const { json: { id } } = await ask("POST", "/documents", { collection: "notes", title: "Light" });
  for (let n = 2; n <= 25; n++) {
    await ask("POST", `/documents/${id}/${n % 2 === 0 ? "publish" : "unpublish"}`);
  }
  await page.setViewportSize({ width: 375, height: 720 });
  await open(`/admin/versions/document/${id}`);

  await page.getByRole("link", { name: /^Version 3/ }).click();

  const heading = page.getByRole("heading", { name: "Version 3", exact: true });
  await heading.waitFor();
  const { y, height } = (await heading.boundingBox())!;
  assert(y >= 0 && y + height <= 720, `its heading is ${y} px below the top of the window`);
  assertEquals(complaints, []);
});
