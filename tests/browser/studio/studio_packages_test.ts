/**
 * The preview beside the form, and installing a plugin after consent.
 */
import { Buffer } from "node:buffer";
import { livingEntities } from "../../../kv/versioning/entities.ts";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { recordFailure } from "../../../kv/packages/plugin_health.ts";
import { ACME, install, packageOf, publisher, themeParts } from "../../support/sites/packages.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import {
  asVisitor,
  inspect,
  type StudioVisit,
  studioVisit,
} from "../../support/browser/studio_visit.ts";

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
  // Its own origin, so that the form can put a new version into it; no scripts.
  const policy = headers.get("content-security-policy")!;
  assertStringIncludes(policy, "sandbox allow-same-origin; default-src 'none'");
  assert(!policy.includes("script"), policy);
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
    await page.getByText("Signed by Acme").waitFor();
    // Without a URL, the button checks the file again.
    await page.getByRole("button", { name: "Check package" }).click();
    await page.getByText("Checking …").waitFor({ state: "detached" });
    await page.getByText("Signed by Acme").waitFor();
    await page.getByLabel("read all published documents").check();
    assert(await install.isDisabled());
    await page.getByLabel("store its own settings").check();
    await inspect(page, "plugin-consent");
    await install.click();
    await page.waitForURL(/\/admin\/jobs\/\w+/);
    await test.runner.drain();
    await page.getByText("Done", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Open the plugin" }).click();
    await page.getByText("This plugin is disabled.").waitFor();
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

browserTest("studio trusts and revokes the keys of publishers", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  const keys = async () => (await ask("GET", "/settings")).json["packages.publishers"];

  await open("/admin/publishers");
  await inspect(page, "publishers-empty");
  await page.getByLabel("Name").fill("Acme");
  await page.getByLabel("Key ID").fill(ACME.id);
  await page.getByLabel("Public key").fill("too short");
  await page.getByLabel("Can sign packages").fill("com.acme.");
  await page.getByRole("button", { name: "Trust this key" }).click();
  await page.locator("#f-publicKey[aria-invalid=true]").waitFor();
  await inspect(page, "publishers-refused");
  await page.getByLabel("Public key").fill(ACME.publicKey);
  await page.getByRole("button", { name: "Trust this key" }).click();
  await page.getByText("Acme is trusted").waitFor();
  await page.getByText("Can sign com.acme.*").waitFor();
  await page.getByText("Valid", { exact: true }).waitFor();
  await inspect(page, "publishers");

  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Key revoked").waitFor();
  assertEquals((await keys()).map(({ id, revoked }: PublisherFacts) => [id, revoked]), [
    [ACME.id, true],
  ]);
  const { meta } = (await ask("GET", "/versions/setting/" + await settingId(visit))).json;
  assertEquals(meta.total, 2);
  assertEquals(complaints.filter((text) => !text.includes("422")), []);
});

type PublisherFacts = { id: string; revoked: boolean };

async function settingId({ test }: StudioVisit): Promise<string> {
  for await (const { id, state } of livingEntities(test.context, "setting")) {
    if (state.key === "packages.publishers") return id;
  }
  throw new Error("The setting is not there");
}

browserTest(
  "studio shows what an update adds, and goes back to the version before",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, test, complaints } = visit;
    await ask("PATCH", "/settings", { "packages.publishers": [publisher()] as never });
    const plugin = (version: string, capabilities: string[], hosts: string[]) =>
      packageOf({ files: { "plugin.js": "1" }, facts: { version, capabilities, hosts } });
    const as = asVisitor(visit);
    const first = await install(as, "plugins", await plugin("1.0.0", ["content:read"], []), {
      accept: ["content:read"],
    });
    const { id } = first.result.install;

    await open("/admin/plugins");
    await page.getByRole("button", { name: "Install a plugin" }).click();
    await page.getByLabel("Or its URL").fill("http://127.0.0.1:9/package.tar.gz");
    await page.getByRole("button", { name: "Check package" }).click();
    await page.locator("#package-url[aria-invalid=true]").waitFor();
    await page.getByLabel("Package (.tar.gz)").setInputFiles({
      name: "plugin.tar.gz",
      mimeType: "application/gzip",
      buffer: Buffer.from(await plugin("1.1.0", ["net:host"], ["acme.example"])),
    });
    await page.getByText("Sample: from 1.0.0 to 1.1.0").waitFor();
    await page.getByText("No longer requested: read all published documents.").waitFor();
    await page.getByLabel("call acme.example").check();
    await inspect(page, "plugin-update");
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await page.waitForURL(/\/admin\/jobs\/\w+/);
    await test.runner.drain();

    await ask("POST", `/plugins/${id}/enable`);
    await recordFailure(test.context, id, { isCode: true, reason: "boom", isGivenUp: true });
    await open("/admin/plugins");
    await page.getByText("Paused after repeated failures").waitFor();
    await open(`/admin/plugins/${id}`);
    await page.getByText(/Paused after 1 failure: boom/).waitFor();
    await inspect(page, "plugin-paused");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Sample is resumed").waitFor();
    assertEquals(await page.getByText(/Paused after/).count(), 0);
    await page.getByRole("button", { name: "Roll back to 1.0.0" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await page.getByText("Sample is rolled back to 1.0.0").waitFor();
    const now = (await ask("GET", `/plugins/${id}`)).json;
    assertEquals([now.version, now.capabilities], ["1.0.0", ["content:read"]]);
    assertEquals(complaints.filter((text) => !text.includes("422")), []);
  },
);

browserTest(
  "studio shows pages as a theme would draw them, in a frame that runs nothing",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    await magazine(visit);
    await somePosts(visit);
    await ask("PATCH", "/settings", { "packages.publishers": [publisher()] as never });
    const as = asVisitor(visit);
    const { result } = await install(as, "themes", await packageOf(themeParts("Midnight")));

    await open(`/admin/themes/${result.install.id}`);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "The Lantern" }).waitFor();
    await page.getByLabel("Page", { exact: true }).selectOption({ index: 1 });
    await page.getByLabel("Width", { exact: true }).selectOption("Phone");
    await page.getByRole("button", { name: "Show" }).click();
    await page.locator("iframe[data-width=phone]").waitFor();
    await frame.getByRole("heading", { name: "Authors" }).waitFor();
    await inspect(page, "theme");
    assertEquals((await ask("GET", "/settings")).json["theme.active"], null);
    await page.getByRole("button", { name: "Activate" }).click();
    await page.getByText("Look is active. The site is being rebuilt.").waitFor();
    await page.getByText("Active", { exact: true }).waitFor();
    assertEquals(complaints, []);
  },
);

/** The admin API as the one who is signed in. */
