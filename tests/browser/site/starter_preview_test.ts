/** The sites of docs/starters/ as the preview beside the form: they show the draft, and follow what is typed. */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { STARTERS, startStarter } from "../../support/sites/starters.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";

for (const { name, command, args, ignore } of STARTERS) {
  const title = `docs/starters/${name} shows a draft beside the form, and follows it`;
  if (ignore) {
    Deno.test.ignore(title, () => {});
    continue;
  }
  browserTest(title, async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, origin, complaints } = visit;
    const fields = [{ name: "body", label: "Body", type: "rich_text" }];
    await ask("POST", "/collections", { slug: "posts", name: "Posts", fields });
    const { json } = await ask("POST", "/documents", {
      collection: "posts",
      title: "First words",
    });
    await using site = startStarter(command, args, { CMS_URL: origin });
    await site.get("/");
    // A server that loads its routes when they are first asked for has this one before the browser waits for it.
    await site.get(`/preview?token=none&id=${json.id}&collection=posts`);
    const preview = `${site.origin}/preview?token={token}&id={id}&collection={collection}`;
    await ask("PATCH", "/settings", { "preview.url": preview });
    await open(`/admin/documents/${json.id}`);

    await page.getByRole("button", { name: "Preview" }).click();
    const frame = page.frameLocator("iframe[title=Preview]");
    await frame.getByRole("heading", { name: "First words" }).waitFor();
    await page.locator(".ProseMirror").click();
    await page.keyboard.type("Sixty miles of light");
    await frame.getByText("Sixty miles of light").waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Second words");
    await frame.getByRole("heading", { name: "Second words" }).waitFor();
    assertEquals(complaints, []);
  });
}
