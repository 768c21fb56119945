/** What the publish dialog shows before one confirms it, and the way from it into a release. */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("the publish dialog shows the card, the address and the webhooks", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const fields = [{ name: "summary", label: "Summary", type: "text" }];
  await ask("POST", "/collections", { slug: "posts", name: "Posts", fields });
  await ask("POST", "/webhooks", {
    name: "Front end",
    url: "https://example.org/hook",
    events: ["document.published"],
  });
  const { json: release } = await ask("POST", "/releases", { name: "Autumn issue" });
  const { json } = await ask("POST", "/documents", { collection: "posts", title: "A beacon" });
  await open(`/admin/documents/${json.id}`);
  await page.getByLabel("Summary").fill("Four hours of light from <one> lamp.");
  const publish = page.getByRole("button", { name: "Publish …" });
  const dialog = page.locator("dialog#publish");
  await publish.click();
  // What was typed last is in it: the dialog saves before it asks.
  const card = dialog.getByRole("figure");
  await card.getByText("Four hours of light from <one> lamp.").waitFor();
  assertEquals(await card.locator(".share-title").innerText(), "A beacon");
  assertEquals(
    new URL(await card.locator(".share-address").innerText()).pathname,
    "/posts/a-beacon",
  );
  await dialog.getByText("Notifies Front end.").waitFor();
  await inspect(page, "publish-dialog");

  await dialog.getByRole("button", { name: "Add to release …" }).click();
  const planning = page.getByRole("dialog", { name: "Add to release" });
  await planning.getByLabel("Release", { exact: true }).selectOption({ label: "Autumn issue" });
  await loadedAnew(page, () => planning.getByRole("button", { name: "Add to release" }).click());
  const chip = page.getByRole("link", { name: "Goes out with Autumn issue" });
  assertEquals(await chip.getAttribute("href"), `/admin/releases/${release.id}`);

  // The column at the side makes room for the text, and stays closed.
  const side = page.getByRole("complementary", { name: "About this document" });
  assertEquals(await side.isVisible(), true);
  const toggle = page.getByRole("button", { name: "Collapse details" });
  await toggle.click();
  assertEquals([await side.isVisible(), await toggle.getAttribute("aria-pressed")], [
    false,
    "true",
  ]);
  await open(`/admin/documents/${json.id}`);
  assertEquals(await side.isVisible(), false);
  await toggle.click();
  assertEquals(await side.isVisible(), true);

  await page.setViewportSize({ width: 375, height: 800 });
  await inspect(page, "release-chip-phone");
  assertEquals(complaints, []);
});
