/**
 * A field of JSON: its editor comes when somebody is near, keeps what is typed, and says where it is wrong.
 */
import { assert, assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";
import { saved } from "../support/sites/review_site.ts";
import { inspect, pressKeys, studioVisit } from "../support/browser/studio_visit.ts";

browserTest("JSON has an editor of its own, loaded where it is needed", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const lines = Array.from({ length: 30 }, (_, n) => ({
    name: `line${n}`,
    label: `Line ${n}`,
    type: "text",
  }));
  const facts = { name: "facts", label: "Facts", type: "json" };
  await ask("POST", "/collections", { slug: "posts", name: "Posts", fields: [...lines, facts] });
  const body = { collection: "posts", title: "Fog", facts: { words: 30 } };
  const { id } = (await ask("POST", "/documents", body)).json;
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  await open(`/admin/documents/${id}`);
  await page.waitForLoadState("networkidle");
  assert(!loaded.some((url) => url.includes("json_editor")), "it is loaded where nobody is near");

  const text = page.getByRole("textbox", { name: "Facts" });
  await page.locator('[data-name="facts"]').scrollIntoViewIfNeeded();
  const height = async () => (await page.locator('[data-name="facts"]').boundingBox())!.height;
  const before = await height();
  await page.locator(".json-editor").waitFor();
  assertEquals(await height(), before, "nothing below it moves");
  assert(loaded.some((url) => url.includes("json_editor")));
  await text.click();
  await pressKeys(page, "Control+a", "Delete");
  await page.keyboard.type('{"words": 31, ');
  await page.locator(".json-editor .cm-lintRange-error, .json-editor .cm-lintPoint-error").first()
    .waitFor({ state: "attached" });
  await page.keyboard.type('"issue": null}');
  await inspect(page, "json-editor");
  await pressKeys(page, "Control+s");
  await saved(page);
  assertEquals((await ask("GET", `/documents/${id}`)).json.facts, { words: 31, issue: null });

  // What somebody else writes comes in.
  await ask("PATCH", `/documents/${id}`, { facts: { words: 32 } });
  await page.locator(".json-editor").getByText("32").waitFor();
  assertEquals(complaints, []);
});
