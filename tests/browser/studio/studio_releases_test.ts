/** Releases in a real browser: made, filled, looked at, scheduled, published and reverted. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("a release is made, filled, scheduled, published and reverted", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, open: go, test } = visit;
  await ask("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "body", label: "Body", type: "text", required: true }],
  });
  const ids: string[] = [];
  const posts = { "First news": "x", "Second news": "y", "Not ready": null };
  for (const [title, body] of Object.entries(posts)) {
    const { json } = await ask("POST", "/documents", { collection: "posts", title, body });
    ids.push(json.id);
  }
  await go("/admin/releases");
  await inspect(page, "releases_empty");
  await page.getByRole("button", { name: "New release" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Spring");
  await page.getByRole("button", { name: "Create release" }).click();
  await page.waitForURL(/\/admin\/releases\/[0-9A-Z]{26}$/);
  for (const title of ["First news", "Not ready"]) {
    await page.getByRole("button", { name: `Add ${title}` }).click();
    await page.getByRole("button", { name: `Remove ${title} from the release` }).waitFor();
  }
  for (const action of ["unpublish", "publish"]) {
    const reloaded = page.waitForEvent("load");
    await page.getByLabel("Action for First news").selectOption(action);
    await reloaded;
    assertEquals(await page.getByLabel("Action for First news").inputValue(), action);
  }
  assert(await page.getByText("body is missing").isVisible());
  assert(await page.getByRole("button", { name: "Publish now" }).isDisabled());
  await inspect(page, "release_refused");
  await page.getByRole("button", { name: "Remove Not ready from the release" }).click();
  await page.getByRole("button", { name: "Add Not ready" }).waitFor();
  await page.getByRole("button", { name: "Add Second news" }).click();
  await page.getByRole("button", { name: "Remove Second news from the release" }).waitFor();
  await page.getByRole("button", { name: "Schedule" }).click();
  await page.getByLabel("Date and time").fill("2031-05-01T09:00");
  await page.locator("dialog[open]").getByRole("button", { name: "Schedule" }).click();
  // The page has come anew: its documents say "Publish" before.
  await page.getByText(/Publish on .*2031/).waitFor();
  await go("/admin/releases");
  await inspect(page, "releases");
  await page.getByRole("link", { name: "Spring" }).click();
  await page.getByRole("button", { name: "Publish now" }).click();
  await page.locator("dialog[open]").getByRole("button", { name: "Publish" }).click();
  await page.getByText("Its documents are being published.").waitFor();
  await test.runner.drain();
  await page.getByRole("button", { name: "Revert" }).waitFor();
  await inspect(page, "release_published");
  for (const id of ids.slice(0, 2)) {
    assertEquals((await ask("GET", `/documents/${id}`)).json.status, "published");
  }
  await page.getByRole("button", { name: "Revert" }).click();
  await page.locator("dialog[open]").getByRole("button", { name: "Revert" }).click();
  await page.getByText("The release is being reverted.").waitFor();
  await test.runner.drain();
  await page.getByText("Reverted", { exact: true }).first().waitFor();
  assertEquals((await ask("GET", `/documents/${ids[0]}`)).json.status, "draft");
});
