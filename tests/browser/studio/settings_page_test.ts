/** The settings as one page: its sections, and the bar that saves what has changed in any of them. */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, loadedAnew, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("changed settings are saved together, or none of them", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") sent.push(request.postData() ?? "");
  });
  await open("/admin/settings");
  const bar = page.getByRole("region", { name: "Unsaved changes" });
  const save = bar.getByRole("button", { name: "Save", exact: true });
  assertEquals(await bar.isVisible(), false);

  await page.getByLabel("Title", { exact: true }).fill("The Lamp");
  await bar.getByText("Unsaved changes in Site", { exact: true }).waitFor();
  await page.getByLabel("Daily backups").fill("5");
  await page.getByLabel("Other hosts, one per line").fill("not a host");
  await bar.getByText("Unsaved changes in Site, Embeds, and Retention").waitFor();
  await inspect(page, "save-bar");

  // An error stands in its own section, is focused, and keeps everything from being saved.
  await save.click();
  const embeds = page.locator("#embeds");
  await embeds.getByText("Must be the name of a host").waitFor();
  assertEquals(await embeds.locator(":focus").count(), 1);
  assertEquals(await page.locator("#site .error, #retention .error").count(), 0);
  const before = (await ask("GET", "/settings")).json;
  assertEquals([before["site.title"] === "The Lamp", before["exports.keep"] === 5], [false, false]);

  await page.getByLabel("Other hosts, one per line").fill("player.example.org");
  await loadedAnew(page, () => page.getByLabel("Title", { exact: true }).press("Enter"));
  await page.getByText("Saved", { exact: true }).waitFor();
  const after = (await ask("GET", "/settings")).json;
  assertEquals([after["site.title"], after["exports.keep"], after["embeds.hosts"]], [
    "The Lamp",
    5,
    ["player.example.org"],
  ]);
  assertEquals(sent.length, 2);

  // The key that saves documents saves here too; what is discarded is not sent.
  await page.locator("html[data-ready]").waitFor();
  await page.getByLabel("Title", { exact: true }).fill("Forgotten");
  await loadedAnew(page, () => bar.getByRole("button", { name: "Discard" }).click());
  assertEquals(await page.getByLabel("Title", { exact: true }).inputValue(), "The Lamp");
  await page.locator("html[data-ready]").waitFor();
  await page.getByLabel("Title", { exact: true }).fill("The Lantern");
  await loadedAnew(page, () => page.keyboard.press("Control+s"));
  assertEquals((await ask("GET", "/settings")).json["site.title"], "The Lantern");
  assertEquals(sent.length, 3);
  // The name that is no host is the only request that was refused.
  assertEquals(complaints.length, 1);
});

browserTest("the list of sections leads to each of them and follows the page", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, complaints } = visit;
  await open("/admin/settings");
  const sections = page.getByRole("navigation", { name: "Sections" });
  const current = () => sections.locator("[aria-current]").innerText();
  assertEquals(await current(), "Site");
  // Every card of the page is in the list, in the order of the page.
  const cards = await page.locator(".settings section.card[id]").evaluateAll((all) =>
    all.map(({ id }) => `#${id}`)
  );
  const links = await sections.locator("a").evaluateAll((all) =>
    all.map((link) => link.getAttribute("href"))
  );
  assertEquals(links, cards);

  await sections.getByRole("link", { name: "Embeds" }).click();
  await sections.locator("[aria-current]", { hasText: "Embeds" }).waitFor();
  assertEquals(new URL(page.url()).hash, "#embeds");
  await page.locator("#maintenance").scrollIntoViewIfNeeded();
  await page.evaluate("scrollTo(0, document.body.scrollHeight)");
  await sections.locator("[aria-current]", { hasText: "Maintenance" }).waitFor();

  await page.setViewportSize({ width: 375, height: 800 });
  await inspect(page, "settings-sections-phone");
  assertEquals(complaints, []);
});
