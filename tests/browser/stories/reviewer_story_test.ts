/**
 * A reviewer's day: an article and its French translation wait, one is returned with a note and corrected, and both go
 * public, each after a look at what changed.
 */
import type { Page } from "playwright-core";
import { assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { cursorRead, richText } from "../../support/browser/rich_text_visit.ts";
import { colleague, inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";

const BEA = { email: "bea@example.org", displayName: "Bea", roles: ["author"] };
const CEM = { email: "cem@example.org", displayName: "Cem", roles: ["french"] };
const LEAD = "Chaque nuit, la lampe est allumée.";

const ready = (page: Page) => page.locator("html[data-ready]").waitFor();
const bell = (page: Page) => page.getByRole("button", { name: /^Notifications/ });

/** Fills the lead, and waits until it is saved. */
async function writeLead(page: Page, text: string): Promise<void> {
  await page.locator("#c-lead").fill(text);
  await page.locator("[data-save-state]", { hasText: /^Saved/ }).waitFor();
}

/** Requests the review of the open form. */
async function askForReview(page: Page, note: string, reviewer?: string): Promise<void> {
  await page.getByRole("button", { name: /^Request review (again )?…$/ }).click();
  if (reviewer !== undefined) await page.getByRole("checkbox", { name: reviewer }).check();
  await page.getByRole("textbox", { name: "Note" }).fill(note);
  const request = page.getByRole("button", { name: "Request review", exact: true });
  await loadedAnew(page, () => request.click());
  await page.getByText(/requested a review/).waitFor();
  await ready(page);
}

browserTest(
  "a reviewer returns, comments, approves, and continues with a translation",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, origin, test, complaints } = visit;
    const id = await translatedSite(visit);
    await ask("POST", `/documents/${id}/publish`);
    const french = `/documents/${id}/translations/fr`;
    await ask("PUT", french, { title: "Le gardien du phare", lead: "La lampe." });
    const permissions = ["documents.read", "documents.write", "documents.publish"];
    await ask("POST", "/roles", { name: "french", permissions, languages: ["fr"] });
    const [bea, cem] = [await colleague(visit, BEA), await colleague(visit, CEM)];
    const author = bea.page;
    const publicly = async (path: string) => {
      await test.runner.drain();
      return (await test.call("GET", path)).text;
    };

    // In the morning Bea changes what is public, and asks about it and about the French translation.
    await author.goto(`${origin}/admin/documents/${id}`);
    await ready(author);
    await writeLead(author, "Every night the lamp is lit long before the sun has gone.");
    await askForReview(author, "How early it is.");
    await author.goto(`${origin}/admin${french}`);
    await ready(author);
    await writeLead(author, LEAD);
    await askForReview(author, "The first French text.", "Ada Lovelace");
    await inspect(author, "translation-review-author");

    // Ada finds both under the bell, one only hers, and compares the first with what readers see.
    await open("/admin");
    await bell(page).click();
    const panel = page.getByRole("region", { name: "Notifications" });
    await panel.getByRole("link", { name: /asks you to review Le gardien du phare · French/ })
      .waitFor();
    await cem.page.goto(`${origin}/admin`);
    await cem.page.getByRole("heading", { name: /^Good / }).waitFor();
    assertEquals(await cem.page.getByText("Waiting for your review").count(), 0);
    await panel.getByRole("link", { name: /asks you to review The lighthouse keeper/ }).click();
    await page.waitForURL(`**/admin/documents/${id}/changes`);
    await page.locator("ins", { hasText: "long" }).waitFor();
    await page.getByText("Next in the queue: Le gardien du phare · French").waitFor();

    // She comments on words of the text, and returns it with a note; the next review opens.
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.waitForURL(`**/admin/documents/${id}`);
    await ready(page);
    await richText(page).focus();
    await page.keyboard.press("Control+Home");
    for (let n = 0; n < 5; n++) await page.keyboard.press("Shift+ArrowRight");
    await cursorRead(page);
    await page.locator(".pt-selection .pt-comment-button").click();
    await page.getByLabel("Mention a user").selectOption({ label: "Bea" });
    await page.keyboard.type("is it every night?");
    await page.getByRole("button", { name: "Comment", exact: true }).last().click();
    await page.getByText("@Bea is it every night?").first().waitFor();
    await open(`/admin/documents/${id}/changes`);
    await page.getByRole("button", { name: "Request changes …" }).click();
    await page.getByLabel("What needs to change").fill("Stress how often.");
    await page.getByRole("button", { name: "Request changes", exact: true }).click();
    await page.waitForURL(`**/admin${french}`);
    await ready(page);

    // The translation stands beside the original; its changes have a page of their own.
    await page.getByText("The first French text.").waitFor();
    await inspect(page, "translation-review");
    await page.getByRole("link", { name: "View changes" }).click();
    await page.getByText("This translation has never been published").waitFor();
    await inspect(page, "translation-changes");
    await page.getByRole("button", { name: "Approve and publish" }).click();
    await page.getByText("requested a review").waitFor({ state: "detached" });
    assertStringIncludes(await publicly("/fr/articles/le-gardien-du-phare"), "Chaque nuit");
    assertEquals(
      (await publicly("/articles/the-lighthouse-keeper")).includes("long before"),
      false,
    );

    // Bea reads the note under her bell, and corrects the text.
    await author.goto(`${origin}/admin`);
    await author.getByRole("heading", { name: "Changes requested" }).waitFor();
    await author.waitForLoadState("networkidle");
    await bell(author).click();
    await author.getByRole("region", { name: "Notifications" })
      .getByRole("link", { name: /requested changes to The lighthouse keeper/ }).click();
    await author.waitForURL(`**/admin/documents/${id}`);
    await ready(author);
    await author.getByText("Stress how often.").waitFor();
    await writeLead(author, "Every single night the lamp is lit long before the sun has gone.");
    await askForReview(author, "Every night.");

    // In the evening Ada approves it from her overview, and nothing is left.
    await open("/admin");
    await page.getByRole("heading", { name: "Waiting for your review" }).waitFor();
    await page.getByRole("link", { name: "The lighthouse keeper", exact: true }).first().click();
    await page.locator("ins", { hasText: "single" }).waitFor();
    await ready(page);
    await page.getByRole("button", { name: "Approve and publish" }).click();
    await page.getByText("requested a review").waitFor({ state: "detached" });
    assertStringIncludes(await publicly("/articles/the-lighthouse-keeper"), "Every single night");
    await open("/admin");
    assertEquals(await page.getByText("Waiting for your review").count(), 0);
    await Promise.all([bea.context.close(), cem.context.close()]);
    assertEquals(complaints, []);
  },
);
