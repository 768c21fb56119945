/**
 * The work on what is public: an author prepares a change, shares it and asks for a review; an editor reads
 * what differs, comments, returns and publishes it.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { reviewSite, saved } from "../../support/sites/review_site.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest(
  "a change is prepared, shared, commented, reviewed, returned and published",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, origin, complaints } = visit;
    await using site = await reviewSite(visit);
    const { author, id } = site;

    await author.goto(`${origin}/admin/documents/${id}`);
    await author.locator("html[data-ready]").waitFor();
    await author.getByLabel("Lead", { exact: true }).fill("The sea is never dark at night.");
    await saved(author);
    await author.getByText("Readers see the version from").waitFor();
    assertEquals(await author.getByRole("button", { name: /^Publish/ }).count(), 0);

    await author.getByRole("button", { name: "More actions" }).click();
    await author.getByRole("button", { name: "Share a preview …" }).click();
    await author.getByRole("button", { name: "Create link" }).click();
    await author.locator("#share-url", { hasText: "/preview/" }).waitFor();
    const link = (await author.locator("#share-url").textContent())!;
    await inspect(author, "share-preview");
    const guest = await browser.newPage();
    await guest.goto(link);
    await guest.getByText("The sea is never dark at night.").waitFor();
    await author.getByRole("button", { name: "Revoke" }).click();
    await author.getByText("None", { exact: true }).waitFor();
    assertEquals((await guest.goto(link))!.status(), 404);
    await guest.close();
    await author.keyboard.press("Escape");

    await author.getByRole("button", { name: "Request review …" }).click();
    await author.getByRole("textbox", { name: "Note" }).fill("Is it really never dark?");
    await inspect(author, "ask-for-review");
    await author.getByRole("button", { name: "Request review", exact: true }).click();
    await author.getByText("Bea requested a review").waitFor();
    assertEquals((await site.publicly()).includes("never"), false);

    await open("/admin");
    await page.getByRole("heading", { name: "Waiting for your review" }).waitFor();
    await inspect(page, "overview-review");
    await page.getByRole("link", { name: "Light", exact: true }).first().click();
    await page.locator("ins", { hasText: "never" }).waitFor();
    await inspect(page, "changes");
    await page.getByRole("link", { name: "Edit" }).click();
    await page.locator("html[data-ready]").waitFor();
    await page.getByRole("button", { name: "Comment on Lead" }).click();
    await page.getByLabel("Mention a user").selectOption({ label: "Bea" });
    await page.keyboard.type("is “never” meant?");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByText("@Bea is “never” meant?").waitFor();
    await inspect(page, "comments");
    // It reaches the author's open form by itself.
    await author.getByRole("button", { name: "1 comment on Lead" }).click();
    await author.getByLabel("Reply").fill("Yes, by the lighthouse.");
    await author.getByRole("button", { name: "Reply" }).click();
    await page.getByText("Yes, by the lighthouse.").waitFor();
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("No comments yet.").waitFor();
    await page.getByRole("button", { name: "Close comments" }).click();

    await page.getByRole("button", { name: "Request changes …" }).click();
    await page.getByLabel("What needs to change").fill("Say where.");
    await page.getByRole("button", { name: "Request changes", exact: true }).click();
    await page.getByText("requested changes").waitFor();
    await author.reload();
    await author.getByText("Say where.").waitFor();
    await author.locator("html[data-ready]").waitFor();
    await author.getByLabel("Lead", { exact: true }).fill("By the lighthouse it is never dark.");
    await saved(author);
    await author.getByRole("button", { name: "Request review again …" }).click();
    await author.getByRole("button", { name: "Request review", exact: true }).click();
    // That she asked was to be read while it was returned, too.
    await author.getByRole("button", { name: "Withdraw" }).waitFor();

    await open("/admin/content?review=asked&workingCopy=true");
    await page.getByRole("link", { name: "Light" }).waitFor();
    await inspect(page, "list-review");
    await open(`/admin/documents/${id}/changes`);
    await page.getByRole("button", { name: "Publish changes" }).click();
    // The comparison leads back to the document.
    await page.waitForURL(`**/admin/documents/${id}`);
    await page.locator("html[data-ready]").waitFor();
    assertEquals((await site.publicly()).includes("By the lighthouse it is never dark."), true);
    assertEquals(await page.getByText("requested a review").count(), 0);
    assertEquals(complaints, []);
  },
);
