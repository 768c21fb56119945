/**
 * Removing and renaming parts of the schema: what it touches is said before it is done.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest(
  "studio says what a removal or a new name touches, before it is done",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    await magazine(visit);
    const [id] = await somePosts(visit);
    await ask("POST", "/tokens", { name: "the website", scopes: ["posts:read"] });
    await ask("POST", "/blocks", {
      name: "callout",
      label: "Callout",
      fields: [{ name: "words", type: "text" }],
    });
    const blocks = [{ type: "callout", data: { words: "Look here" } }];
    assertEquals((await ask("PATCH", `/documents/${id}`, { blocks })).status, 200);

    await open("/admin/blocks/callout");
    await page.getByLabel("Name in the API").first().fill("hint");
    await page.getByRole("button", { name: "Save" }).click();
    const question = page.getByRole("dialog");
    await question.getByText(/1 document has it, \d of them public: “A night at the lighthouse”/)
      .waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await question.getByText(/1 document has it.*Documents keep their blocks/).waitFor();
    await inspect(page, "block-removal");
    await question.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Callout is deleted").waitFor();

    // The block stays where it is while others are changed.
    await open(`/admin/documents/${id}`);
    await page.getByText("Unknown block callout").waitFor();
    await open("/admin/collections/posts");
    await page.getByRole("button", { name: "Remove Teaser" }).click();
    await question.getByText(/1 token was created for this collection: the website/).waitFor();
    await inspect(page, "field-removal");
    await question.getByRole("button", { name: "Remove field" }).click();
    await page.getByText("Teaser is removed").waitFor();
    assertEquals(complaints, []);
  },
);
