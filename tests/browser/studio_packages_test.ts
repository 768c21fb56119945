/**
 * The preview beside the form, and installing a plugin after consent.
 */
import { Buffer } from "node:buffer";
import { assert, assertEquals, assertStringIncludes } from "../support/assert.ts";
import { browserTest } from "../support/chromium.ts";
import { packageOf, publisher } from "../support/packages.ts";
import { magazine, somePosts } from "../support/studio_site.ts";
import { inspect, studioVisit } from "../support/studio_visit.ts";

browserTest("studio previews a draft beside the form, out of reach of it", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const { mediaId } = await magazine(visit);
  const [id] = await somePosts(visit);
  await ask("PATCH", `/documents/${id}`, { cover: mediaId });

  await open(`/admin/documents/${id}`);
  await page.getByRole("button", { name: "Preview" }).click();
  const frame = page.frameLocator("iframe[title=Preview]");
  await frame.getByRole("heading", { name: "A night at the lighthouse" }).waitFor();
  await page.getByLabel("Teaser").fill("A keeper, a lamp and the weather.");
  await frame.getByText("A keeper, a lamp and the weather.").first().waitFor();
  await inspect(page, "preview");
  const font = await frame.locator("body").evaluate((body) => getComputedStyle(body).fontFamily);
  assert(font !== '"Times New Roman"', `The theme's style is not there: ${font}`);
  assertEquals(complaints, []);
  const { headers } = await visit.test.call("GET", `/admin/documents/${id}/preview`, {
    headers: { cookie: visit.cookie() },
  });
  assertStringIncludes(headers.get("content-security-policy")!, "sandbox; default-src 'none'");
});

browserTest(
  "studio installs a plugin only with consent to all that it asks for",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, test } = visit;
    await ask("PATCH", "/settings", { "packages.publishers": [publisher()] as never });
    const packed = await packageOf({
      facts: {
        capabilities: ["content:read", "settings:own"],
        hooks: [{ event: "document.published", url: "https://acme.example/hook" }],
        settings: { greeting: { type: "text", label: "Greeting" } },
      },
    });

    await open("/admin/plugins");
    await page.getByRole("button", { name: "Install a plugin" }).click();
    await page.getByLabel("Package (.tar.gz)").setInputFiles({
      name: "plugin.tar.gz",
      mimeType: "application/gzip",
      buffer: Buffer.from(packed),
    });
    const install = page.getByRole("button", { name: "Install", exact: true });
    await page.getByLabel("read all documents").check();
    assert(await install.isDisabled());
    await page.getByLabel("keep settings of its own").check();
    await inspect(page, "plugin-consent");
    await install.click();
    await page.waitForURL(/\/admin\/jobs\/\w+/);
    await test.runner.drain();
    await page.getByText("Done", { exact: true }).waitFor();
    await open("/admin/plugins");
    await inspect(page, "plugins");
    await page.getByRole("link", { name: "Sample" }).click();
    await page.locator("html[data-ready]").waitFor();
    await page.getByLabel("Greeting").fill("Good evening");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await inspect(page, "plugin");
    await open("/admin/themes");
    await inspect(page, "themes");
  },
);
