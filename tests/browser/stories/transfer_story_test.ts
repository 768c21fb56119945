/** Content that comes from a table and from WordPress, in the five steps of the studio. */
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import {
  inspect,
  loadedAnew,
  type StudioVisit,
  studioVisit,
} from "../../support/browser/studio_visit.ts";

const CSV = `id,title,price,released
1,Alpha,12.5,2024-01-02
2,Beta,oops,2024-02-03
3,Gamma,7,2024-03-04
`;

const WXR = `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="c" xmlns:dc="d"><channel>
<title>The old site</title><link>https://old.example</link><description>Before</description>
<wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.example</wp:base_blog_url>
<wp:author><wp:author_login>alice</wp:author_login><wp:author_display_name>Alice A</wp:author_display_name></wp:author>
<item><title>Hello from before</title><link>https://old.example/2019/05/hello/</link>
<dc:creator>alice</dc:creator><content:encoded><![CDATA[<p>Hello <strong>world</strong></p>]]></content:encoded>
<wp:post_id>1</wp:post_id><wp:post_name>hello</wp:post_name>
<wp:post_date_gmt>2019-05-01 10:00:00</wp:post_date_gmt>
<wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>
</channel></rss>`;

/** Uploads a file, and waits until it is analyzed. */
async function analyze(visit: StudioVisit, name: string, text: string): Promise<void> {
  const { page, open, test } = visit;
  await open("/admin/transfers");
  await page.getByRole("button", { name: "New transfer" }).first().click();
  await page.locator("#new-transfer input[type=file]").setInputFiles([
    { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) },
  ]);
  await page.getByRole("button", { name: "Analyze" }).click();
  await page.waitForURL(/\/admin\/transfers\/[0-9A-Z]{26}$/);
  await page.getByRole("heading", { name: "Analyzing the source" }).waitFor();
  await test.runner.drain();
  await page.getByText("Nothing has been written yet.").waitFor();
}

/** Starts a job by its button, and waits until the page shows that it has ended. */
async function start({ page, test }: StudioVisit, button: string, ended: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("progressbar").waitFor();
  await test.runner.drain();
  await page.getByText(ended, { exact: true }).first().waitFor();
}

const follow = (page: Page, name: string) =>
  loadedAnew(page, () => page.getByRole("link", { name }).click());

browserTest("a table is planned, tried, run, repeated and undone", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, complaints } = visit;
  const titles = async () => {
    const { json } = await ask("GET", "/documents?collection=products&sort=title");
    // deno-lint-ignore no-explicit-any
    return json.data?.map(({ title }: any) => title);
  };

  await analyze(visit, "products.csv", CSV);
  assertStringIncludes(await page.locator("main").innerText(), "Content from CSV");
  await follow(page, "Continue to the plan");

  // The plan stands beside samples; a mistake in it is shown at its control.
  await page.locator(".plan-sample dd", { hasText: "Alpha" }).first().waitFor();
  await inspect(page, "transfer-plan");
  const row = page.locator("[data-rows] li", { hasText: "price" }).or(
    page.locator('[data-rows] li:has(input[value="price"])'),
  ).first();
  await row.getByLabel("Conversion").fill("magic");
  await page.getByRole("button", { name: "Save plan" }).click();
  await row.getByText("Unknown conversion").waitFor();
  await row.getByLabel("Conversion").fill("");
  await row.getByLabel("Type").selectOption("number");
  await loadedAnew(page, () => page.getByRole("button", { name: "Save plan" }).click());

  // The dry run finds the row that cannot be written, and writes nothing.
  await follow(page, "Continue to the dry run");
  await start(visit, "Start dry run", "Repeat dry run");
  await page.locator("main tbody tr", { hasText: "price" }).waitFor();
  assertEquals((await ask("GET", "/collections")).json.data.length, 0);

  await follow(page, "Continue to the run");
  await start(visit, "Run transfer", "Run again");
  const written = await titles();
  assert(written.includes("Alpha") && written.includes("Gamma"), String(written));
  await inspect(page, "transfer-report");

  // A later export of the same source writes differences only.
  await page.getByRole("button", { name: "Transfer a later export …" }).click();
  const later = CSV.replace("Alpha", "Alpha II").replace("oops", "9");
  await page.locator("#newer-files input[type=file]").setInputFiles([
    { name: "products.csv", mimeType: "text/csv", buffer: Buffer.from(later) },
  ]);
  await page.getByRole("button", { name: "Upload and run" }).click();
  await page.getByRole("progressbar").waitFor();
  await visit.test.runner.drain();
  await page.getByText("Run again", { exact: true }).waitFor();
  assertEquals(await titles(), ["Alpha II", "Beta", "Gamma"]);
  assertStringIncludes(await page.locator(".outcome").innerText(), "1 unchanged");

  // What a person has changed since stays, and the page says so.
  const { json: { data: [alpha] } } = await ask("GET", "/documents?collection=products&sort=title");
  await ask("PATCH", `/documents/${alpha.id}`, { title: "Alpha, changed" });
  await page.getByRole("button", { name: "Undo transfer" }).click();
  await page.locator("dialog[open]").getByRole("button", { name: "Undo transfer" }).click();
  await page.getByRole("progressbar").waitFor();
  await visit.test.runner.drain();
  await page.getByText("Undone", { exact: true }).waitFor();
  await page.getByText("These were changed since and stay as they are:").waitFor();
  await page.locator("main li", { hasText: "Alpha, changed" }).waitFor();
  assertEquals(await titles(), ["Alpha, changed"]);
  // The plan with a mistake is the only request that was refused.
  assertEquals(complaints.length, 1, complaints.join("\n"));
});

browserTest(
  "a WordPress site comes with its text, and its old addresses lead on",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, test, complaints } = visit;

    // An empty site offers it among its beginnings.
    await open("/admin");
    await page.getByRole("link", { name: "Start a transfer" }).click();
    await page.getByRole("dialog", { name: "New transfer" }).waitFor();
    await analyze(visit, "blog.xml", WXR);
    assertStringIncludes(await page.locator("main").innerText(), "Content from WordPress");
    // Settings are offered, and authors can be users who exist.
    await follow(page, "Continue to the plan");
    await page.getByLabel("Site title: The old site").check();
    await page.getByText("Existing authors").click();
    await page.getByLabel("Alice A").selectOption({ index: 1 });
    await inspect(page, "transfer-mappings");
    await loadedAnew(page, () => page.getByRole("button", { name: "Save plan" }).click());
    assert(await page.getByLabel("Site title: The old site").isChecked());
    await follow(page, "Run and report");
    await start(visit, "Run transfer", "Run again");

    const [post] = (await ask("GET", "/documents?collection=posts")).json.data;
    assertEquals([post.title, post.status], ["Hello from before", "published"]);
    const settings = (await ask("GET", "/settings")).json;
    assertEquals([settings["site.title"], settings["site.description"]], ["The old site", ""]);
    const moved = await test.call("GET", "/2019/05/hello/");
    assertEquals([moved.status, moved.headers.get("location")], [301, "/posts/hello"]);

    // The redirect is listed with its hits, and any address can be tested.
    await open("/admin/redirects?path=/2019/05/hello/");
    await page.getByText("301: leads to /posts/hello by").waitFor();
    const listed = page.getByRole("row", { name: /2019\/05\/hello/ });
    assertEquals(await listed.getByRole("cell").last().innerText(), "1");

    await page.getByRole("button", { name: "Add rule" }).click();
    const rule = page.locator('[data-rows="Rules"] li').first();
    await rule.getByLabel("From").fill("/blog/{slug}");
    await rule.getByLabel("To", { exact: true }).fill("/posts/{name}");
    const save = page.getByRole("button", { name: "Save rules" });
    await save.click();
    await rule.locator(".error").waitFor();
    await rule.getByLabel("To", { exact: true }).fill("/posts/{slug}");
    await loadedAnew(page, () => save.click());
    await page.getByLabel("Path").fill("/blog/hello");
    await loadedAnew(page, () => page.getByRole("button", { name: "Test" }).click());
    await page.getByText("301: leads to /posts/hello by /blog/{slug}.").waitFor();
    await inspect(page, "redirects");
    assertEquals(complaints.length, 1, complaints.join("\n"));
  },
);
