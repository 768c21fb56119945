/**
 * What waits for a person: an author chooses reviewers, and only they find the request on their overview.
 */
import type { Page } from "playwright-core";
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

browserTest(
  "the bell counts what waits for a person, and the overview begins with it",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, origin, complaints } = visit;
    await using site = await reviewSite(visit);
    const { author, id } = site;
    const bell = (of: Page) => of.getByRole("button", { name: /^Notifications/ });
    await author.goto(`${origin}/admin/documents/${id}`);
    await author.locator("html[data-ready]").waitFor();
    await author.getByLabel("Lead", { exact: true }).fill("The sea is never dark at night.");
    await saved(author);
    await author.getByRole("button", { name: "Request review …" }).click();
    await author.getByRole("textbox", { name: "Note" }).fill("Is it really never dark?");
    await author.getByRole("button", { name: "Request review", exact: true }).click();
    await author.getByText("Bea requested a review").waitFor();
    const { json: session } = await ask("GET", "/users");
    const bea = session.data.find(({ email }: { email: string }) => email === "bea@example.org").id;
    await ask("POST", `/documents/${id}/comments`, { text: "@Bea Say where.", mentions: [bea] });

    await open("/admin");
    await page.getByRole("button", { name: "Notifications: 1 unread" }).waitFor();
    await page.getByRole("heading", { name: "My work" }).waitFor();
    await inspect(page, "my-work-review");
    await bell(page).click();
    const panel = page.getByRole("region", { name: "Notifications" });
    await panel.getByRole("link", { name: /Bea asks you to review Light/ }).waitFor();
    await page.getByRole("button", { name: "Notifications", exact: true }).waitFor();
    await inspect(page, "bell");
    await open("/admin/content");
    await page.waitForLoadState("networkidle");
    await bell(page).click();
    await panel.getByRole("link", { name: /Bea asks you to review Light/ }).click();
    await page.waitForURL(`**/admin/documents/${id}/changes`);
    await page.locator("html[data-ready]").waitFor();
    await page.getByRole("button", { name: "Request changes …" }).click();
    await page.getByLabel("What needs to change").fill("Say where.");
    await page.getByRole("button", { name: "Request changes", exact: true }).click();
    await page.getByText("requested changes").waitFor();

    await author.goto(`${origin}/admin`);
    await author.getByRole("button", { name: "Notifications: 2 unread" }).waitFor();
    await author.getByRole("heading", { name: "Changes requested" }).waitFor();
    await inspect(author, "my-work-author");
    await author.goto(`${origin}/admin/notifications`);
    await inspect(author, "notifications");
    await author.getByRole("link", { name: /Ada Lovelace mentioned you/ }).click();
    await author.getByText("@Bea Say where.").waitFor();
    assertEquals(await author.getByLabel("Reply").isVisible(), true);
    assertEquals(complaints, []);
  },
);
