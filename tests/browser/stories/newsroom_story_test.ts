/**
 * A day of a newsroom: two authors and an editor, texts that they share and comment on, and one release that
 * makes all of it public at once.
 */
import type { Page } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { saved } from "../../support/sites/review_site.ts";
import { colleague, inspect, studioVisit } from "../../support/browser/studio_visit.ts";

const BEA = { email: "bea@example.org", displayName: "Bea Curie", roles: ["author"] };
const CEM = { email: "cem@example.org", displayName: "Cem Noether", roles: ["author"] };

/** Writes a note in the studio; answers its id. */
async function write(page: Page, origin: string, title: string, lead: string): Promise<string> {
  await page.goto(`${origin}/admin/content/notes/new`);
  await page.locator("html[data-ready]").waitFor();
  await page.getByLabel("Title", { exact: true }).fill(title);
  await page.getByLabel("Lead", { exact: true }).fill(lead);
  await page.waitForURL(/\/admin\/documents\/[0-9A-Z]{26}$/);
  await page.locator("[data-save-state]", { hasText: /^(Saved|All changes saved)/ }).waitFor();
  return page.url().split("/").at(-1)!;
}

async function askForReview(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Request review …" }).click();
  await page.getByRole("button", { name: "Request review", exact: true }).click();
  await page.getByText(/requested a review/).waitFor();
}

browserTest("three people fill one release, and it goes public at once", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, origin, test, complaints } = visit;
  const fields = [{ name: "lead", label: "Lead", type: "text" }];
  await ask("POST", "/collections", { slug: "notes", name: "Notes", fields });
  const [bea, cem] = [await colleague(visit, BEA), await colleague(visit, CEM)];
  const publicly = async () => {
    await test.runner.drain();
    return (await test.call("GET", "/notes")).text;
  };

  // In the morning the editor begins an edition.
  await open("/admin/releases");
  await page.getByRole("button", { name: "New release" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Evening edition");
  await page.getByRole("button", { name: "Create release" }).click();
  await page.waitForURL(/\/admin\/releases\/[0-9A-Z]{26}$/);
  const release = page.url();

  // Bea writes, and changes a sentence while Cem looks on from his own browser.
  const harbour = await write(bea.page, origin, "The harbour freezes", "It is cold.");
  await write(cem.page, origin, "A ferry waits", "Nobody leaves today.");
  await askForReview(bea.page);
  await askForReview(cem.page);

  // At noon the editor finds both on the overview, and looks at one beside its author.
  await open("/admin");
  await page.getByRole("heading", { name: "Waiting for your review" }).waitFor();
  await page.getByText("Requested by Bea Curie just now").waitFor();
  await page.getByText("Requested by Cem Noether just now").waitFor();
  await inspect(page, "newsroom-overview");
  await open(`/admin/documents/${harbour}`);
  await bea.page.getByLabel("Lead", { exact: true }).fill("It is colder than in any year.");
  await eventually(
    "the editor sees what Bea types",
    async () =>
      await page.getByLabel("Lead", { exact: true }).inputValue() ===
        "It is colder than in any year.",
  );
  await saved(bea.page);

  // In the evening both are in the edition, and nothing is public before it is.
  await page.goto(release);
  await page.locator("html[data-ready]").waitFor();
  for (const title of ["The harbour freezes", "A ferry waits"]) {
    await page.getByRole("button", { name: `Add ${title}` }).click();
    await page.getByRole("button", { name: `Remove ${title} from the release` }).waitFor();
  }
  assertEquals((await publicly()).includes("The harbour freezes"), false);
  await inspect(page, "newsroom-release");
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.locator("dialog[open]").getByRole("button", { name: "Publish" }).click();
  await page.getByText("Its documents are being published.").waitFor();
  const list = await publicly();
  assertEquals(["The harbour freezes", "A ferry waits"].map((title) => list.includes(title)), [
    true,
    true,
  ]);
  assertEquals(
    (await test.call("GET", "/notes/the-harbour-freezes")).text.includes("colder"),
    true,
  );

  // The authors read on their overview what has become of it.
  await bea.page.goto(`${origin}/admin`);
  await bea.page.getByRole("heading", { name: "Recently published" }).waitFor();
  await bea.page.getByRole("link", { name: "A ferry waits" }).first().waitFor();
  await Promise.all([bea.context.close(), cem.context.close()]);
  assertEquals(complaints, []);
});
