/**
 * The first ten minutes: somebody sets a site up, models, writes with what they paste, publishes, and looks at
 * it as their readers do.
 */
import { assertEquals, assertMatch } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { richText } from "../../support/browser/rich_text_visit.ts";
import { ADA, inspect, studioVisit } from "../../support/browser/studio_visit.ts";

/** An image of the page. */
interface HTMLImage {
  complete: boolean;
  naturalWidth: number;
}

const PASTED = `<meta charset="utf-8"><h2 style="color:red">What the keeper does</h2>
<p>Every four hours the <b>clockwork</b> is wound; see <a href="https://example.org/log">the log</a>.</p>
<ul><li>Oil</li><li>Wick</li></ul><script>window.hurt = true</script>`;

browserTest("the first ten minutes lead from nothing to a page that is public", async (browser) => {
  await using visit = await studioVisit(browser, { setUp: false });
  const { page, open, origin, test, complaints } = visit;

  await open("/admin/setup?code=setup-code");
  // What is wrong with a field is said until something is put there.
  await page.getByRole("button", { name: "Create site" }).click();
  assertEquals(await page.getByText("Required", { exact: true }).count(), 4);
  await page.getByLabel("Site title").fill("The Lantern");
  assertEquals(await page.getByText("Required", { exact: true }).count(), 3);
  assertEquals(await page.locator("input[aria-invalid]").count(), 3);
  await page.getByLabel("Your name").fill(ADA.displayName);
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByLabel("Password").fill(ADA.password);
  await page.getByRole("button", { name: "Create site" }).click();
  await page.getByRole("link", { name: "Open the studio" }).click();
  await page.getByRole("heading", { name: `Welcome, ${ADA.displayName}` }).waitFor();

  // A collection from a template, with an icon of its own.
  await page.goto(`${origin}/admin/collections`);
  await page.locator("html[data-ready]").waitFor();
  await page.getByRole("button", { name: "New collection" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New collection" });
  await dialog.getByRole("radio", { name: "Article" }).check();
  await dialog.getByText("Icon", { exact: true }).click();
  await dialog.getByRole("radio", { name: "Flag" }).check();
  await inspect(page, "collection-icon");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Articles", level: 1 }).waitFor();

  // A text out of a web page, and an image from the clipboard.
  await open("/admin/content/articles/new");
  await page.getByLabel("Title", { exact: true }).fill("A night at the lighthouse");
  const text = richText(page);
  await text.click();
  await text.evaluate((element, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", html);
    const options = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", options));
  }, PASTED);
  await text.getByRole("heading", { name: "What the keeper does" }).waitFor();
  await text.evaluate((element, bytes) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([new Uint8Array(bytes)], "sea.png", { type: "image/png" }));
    const options = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", options));
  }, [...IMAGES["image/png"]]);
  await page.locator(".pt-object img").waitFor();
  await inspect(page, "first-article");

  await page.getByRole("button", { name: "Publish …" }).click();
  const publish = page.getByRole("dialog", { name: "Publish" });
  await publish.getByRole("button", { name: "Publish now" }).click();
  await page.locator(".editor-bar .badge.published").waitFor();
  await test.runner.drain();

  // As the readers see it, who are not signed in.
  const reader = await browser.newPage();
  await reader.goto(origin);
  await reader.getByRole("link", { name: "A night at the lighthouse" }).first().click();
  await reader.getByRole("heading", { name: "What the keeper does" }).waitFor();
  assertMatch(reader.url(), /\/articles\/a-night-at-the-lighthouse$/);
  const log = reader.getByRole("link", { name: "the log" });
  assertEquals(await log.getAttribute("href"), "https://example.org/log");
  assertEquals(await reader.locator("main li").allInnerTexts(), ["Oil", "Wick"]);
  const image = reader.locator("main img").first();
  await image.scrollIntoViewIfNeeded();
  const width = await image.evaluate(async (shown) => {
    const { complete, naturalWidth } = shown as unknown as HTMLImage;
    if (complete) return naturalWidth;
    await new Promise((loaded) => shown.addEventListener("load", loaded));
    return (shown as unknown as HTMLImage).naturalWidth;
  });
  assertEquals(width, 6);
  assertEquals(await reader.evaluate("window.hurt"), undefined);
  await reader.close();
  // The browser mentions that it leaves the color of what was pasted out.
  assertEquals(complaints.filter((text) => !text.startsWith("Applying inline style")), []);
});
