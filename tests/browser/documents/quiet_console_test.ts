/** The console of a document's page: no errors, and no warnings of the browser about the preview's frame. */
import { browserTest } from "../../support/browser/chromium.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";
import { assertEquals } from "../../support/harness/assert.ts";

browserTest("a document's page leaves the browser nothing to warn about", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test } = visit;
  const warnings: string[] = [];
  page.on("console", (message) => {
    if (["warning", "error"].includes(message.type())) warnings.push(message.text());
  });
  await ask("POST", "/collections", { slug: "posts", name: "Posts" });
  for (const status of ["draft", "published"]) {
    const { json } = await ask("POST", "/documents", {
      collection: "posts",
      title: status,
      status,
    });
    await test.runner.drain();
    await open(`/admin/documents/${json.id}`);
  }
  assertEquals(warnings, []);
});
