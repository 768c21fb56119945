/**
 * A browser that crashes while somebody writes.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";

browserTest("a browser that crashes loses nothing of what was acknowledged", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test } = visit;
  await ask("POST", "/collections", {
    slug: "notes",
    name: "Notes",
    fields: [{ name: "lead", label: "Lead", type: "text" }],
  });
  const { json } = await ask("POST", "/documents", { collection: "notes", title: "Light" });
  await open(`/admin/documents/${json.id}`);

  await page.getByLabel("Lead", { exact: true }).fill("Acknowledged, and not yet a version");
  await page.locator("[data-save-state]", { hasText: /^Saved$/ }).waitFor();
  const crashed = new Promise((done) => page.once("crash", done));
  const devtools = await page.context().newCDPSession(page);
  void devtools.send("Page.crash").catch(() => {});
  await crashed;

  await test.deps.live.flush(json.id);
  const { lead } = (await ask("GET", `/documents/${json.id}`)).json;
  assertEquals(lead, "Acknowledged, and not yet a version");
});
