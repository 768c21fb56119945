/**
 * The palette: what was changed last, full text, actions of the page and of the studio, settings.
 */
import { assertEquals } from "../support/assert.ts";
import { browserTest } from "../support/chromium.ts";
import { magazine, somePosts } from "../support/studio_site.ts";
import { inspect, pressKeys, studioVisit } from "../support/studio_visit.ts";

browserTest("the palette finds texts, publishes, invites and opens a setting", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test, complaints } = visit;
  await magazine(visit);
  const [id] = await somePosts(visit);
  await ask("PATCH", `/documents/${id}`, { teaser: "About a quadrant." });
  await ask("POST", `/documents/${id}/publish`);
  await test.runner.drain();
  const { json: { title } } = await ask("GET", `/documents/${id}`);

  await open("/admin");
  await pressKeys(page, "Control+k");
  const palette = page.getByRole("dialog", { name: "Search or go to" });
  await palette.getByRole("option", { name: title }).waitFor();
  await inspect(page, "palette-opened");
  const input = palette.getByRole("combobox");
  await input.fill("quadrant");
  await palette.getByRole("option", { name: `${title} Posts · in the text` }).waitFor();
  await inspect(page, "palette-text");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/admin/documents/${id}`);
  await page.locator("html[data-ready]").waitFor();

  await pressKeys(page, "Control+k");
  await input.fill("publish");
  await palette.getByRole("option", { name: /^Publish/ }).first().click();
  await page.locator("dialog#publish[open]").waitFor();
  await pressKeys(page, "Escape");

  await pressKeys(page, "Control+k");
  await input.fill("time zone");
  await palette.getByRole("option", { name: "Time zone Setting" }).click();
  await page.waitForURL(/settings#f-site\.timezone/);
  assertEquals(await page.locator("[id='f-site.timezone']").count(), 1);
  await page.locator("html[data-ready]").waitFor();
  await pressKeys(page, "Control+k");
  await input.fill("invite");
  await palette.getByRole("option", { name: "Invite somebody Action" }).click();
  await page.waitForURL(/users#invite/);
  assertEquals(complaints, []);
});
