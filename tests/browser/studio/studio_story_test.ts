/**
 * A change on its whole way: prepared by an author whose connection breaks and whose browser crashes, shared,
 * reviewed, returned, and published by an editor in a release at its time, which is taken back.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { reviewSite, saved } from "../../support/sites/review_site.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

const OLD = "The sea is dark at night.";
const NEW = "By the lighthouse it is never dark.";

browserTest(
  "a change goes from the author to the public in a release, and back",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, origin, test, complaints } = visit;
    await using site = await reviewSite(visit);
    const { context, id } = site;
    const address = `${origin}/admin/documents/${id}`;
    const lead = (of: typeof page) => of.getByLabel("Lead", { exact: true });

    // The author writes while the connection is gone, and goes on when it is back.
    await site.author.goto(address);
    await site.author.locator("html[data-ready]").waitFor();
    await context.setOffline(true);
    await lead(site.author).fill("It is never dark.");
    await site.author.getByText("Offline: your changes are kept in this tab").waitFor();
    await context.setOffline(false);
    await saved(site.author);

    // What was acknowledged outlives a crash of the browser.
    await lead(site.author).fill("It is never dark at the lighthouse.");
    const settled = "[data-save-state][aria-busy=false]";
    await site.author.locator(settled, { hasText: /^Saved/ }).waitFor();
    const crashed = new Promise((done) => site.author.once("crash", done));
    const devtools = await context.newCDPSession(site.author);
    void devtools.send("Page.crash").catch(() => {});
    await crashed;
    const author = await context.newPage();
    await author.goto(address);
    await author.locator("html[data-ready]").waitFor();
    await eventually(
      "the text of before the crash is in the form",
      async () => (await lead(author).inputValue()) === "It is never dark at the lighthouse.",
    );
    assertEquals((await site.publicly()).includes(OLD), true);

    // It is shown to somebody without an account, and an editor is asked.
    await author.getByRole("button", { name: "More actions" }).click();
    await author.getByRole("button", { name: "Share a preview …" }).click();
    await author.getByRole("button", { name: "Create link" }).click();
    await author.locator("#share-url", { hasText: "/preview/" }).waitFor();
    const link = (await author.locator("#share-url").textContent())!;
    await author.keyboard.press("Escape");
    const guest = await browser.newPage();
    await eventually("the guest reads what was typed", async () => {
      await guest.goto(link);
      return (await guest.content()).includes("It is never dark at the lighthouse.");
    });
    await author.getByRole("button", { name: "Request review …" }).click();
    await author.getByRole("button", { name: "Request review", exact: true }).click();
    await author.getByText("Bea requested a review").waitFor();

    // The editor sends it back, the author changes it, and it is good.
    await open(`/admin/documents/${id}/changes`);
    await page.getByRole("button", { name: "Request changes …" }).click();
    await page.getByLabel("What needs to change").fill("Turn it round.");
    await page.getByRole("button", { name: "Request changes", exact: true }).click();
    await page.getByText("requested changes").waitFor();
    await author.reload();
    await author.getByText("Turn it round.").waitFor();
    await author.locator("html[data-ready]").waitFor();
    await lead(author).fill(NEW);
    await saved(author);
    await author.getByRole("button", { name: "Request review again …" }).click();
    await author.getByRole("button", { name: "Request review", exact: true }).click();
    await author.getByText("Bea requested a review").waitFor();

    // The editor takes it from the list into a release with a time.
    const release = (await ask("POST", "/releases", { name: "Nights" })).json.id;
    await open("/admin/content/notes?review=asked&workingCopy=true");
    await page.getByLabel("Select Light").check();
    await page.getByLabel("Release", { exact: true }).selectOption("Nights");
    await inspect(page, "list-add-to-release");
    await page.getByRole("button", { name: "Add to release" }).click();
    await page.locator("dialog[open]").getByRole("button", { name: "Add to release" }).click();
    await page.getByText("Add to release: 1 document").waitFor();
    await open(`/admin/releases/${release}`);
    await page.getByRole("button", { name: "Schedule" }).click();
    const at = new Date(test.context.now() + 600_000).toISOString().slice(0, 16);
    await page.getByLabel("Date and time").fill(at);
    await page.locator("dialog[open]").getByRole("button", { name: "Schedule" }).click();
    await page.getByText(/Publish on /).waitFor();

    // From then on it is not the author's to change.
    await lead(author).fill("Something else.");
    await author.getByText(/Not saved/).waitFor();
    assertEquals((await site.publicly()).includes(OLD), true);
    test.context.advance(660_000);
    assertEquals((await site.publicly()).includes(NEW), true);
    assertEquals((await guest.goto(link))!.status(), 200);

    await open(`/admin/releases/${release}`);
    await page.getByRole("button", { name: "Revert" }).click();
    await page.locator("dialog[open]").getByRole("button", { name: "Revert" }).click();
    await page.getByText("The release is being reverted.").waitFor();
    await test.runner.drain();
    await page.getByText("Reverted", { exact: true }).first().waitFor();
    assertEquals((await site.publicly()).includes(OLD), true);
    assertEquals((await ask("GET", `/documents/${id}/working-copy`)).json.lead, NEW);
    await guest.close();
    assertEquals(complaints, []);
  },
);
