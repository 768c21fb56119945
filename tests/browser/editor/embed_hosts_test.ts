/**
 * Hosts that a site allows to be embedded: named in its settings, known to the editor of rich text.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { openRichText } from "../../support/browser/rich_text_visit.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("a host is allowed in the settings, and texts embed what is on it", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const url = "https://player.example.org/v/1";
  const id = await openRichText(visit, [{ _type: "embed", _key: "e", url }]);
  await page.getByText("The page will show a link: only players from YouTube").waitFor();

  await open("/admin/settings");
  const card = page.locator("section.card", { has: page.getByRole("heading", { name: "Embeds" }) });
  const hosts = card.getByLabel("Other hosts, one per line");
  await hosts.fill("not a host");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await card.getByText("Must be the name of a host").waitFor();
  assertEquals(await hosts.getAttribute("aria-invalid"), "true");
  await hosts.fill("https://player.example.org/embed\nother.example\n");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  assertEquals(await hosts.inputValue(), "player.example.org\nother.example");
  assertEquals((await ask("GET", "/settings")).json["embeds.hosts"], [
    "player.example.org",
    "other.example",
  ]);
  await inspect(page, "settings-embeds");

  await open(`/admin/documents/${id}`);
  await page.locator('.pt-embed[data-known="true"]').waitFor();
  await page.locator(".pt-embed").getByText("player.example.org", { exact: true }).waitFor();
  const address = page.getByRole("textbox", { name: "URL", exact: true }).first();
  await address.fill("https://example.org/film");
  await page.getByText("SoundCloud, player.example.org, and other.example can be embedded")
    .waitFor();

  // Once none is left, the setting is as if nobody had set it.
  await open("/admin/settings");
  await hosts.fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  assertEquals((await ask("GET", "/settings")).json["embeds.hosts"] ?? null, null);
  assertEquals(complaints.filter((text) => !text.includes("status of 4")), []);
});
