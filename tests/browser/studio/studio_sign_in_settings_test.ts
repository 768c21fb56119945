/** The settings of signing in: an administrator adds, tests and removes a provider without writing JSON. */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { OidcServer } from "../../support/sign_in/oidc_server.ts";

browserTest(
  "a provider is added with its secret, tested, and refused if it does not answer",
  async (browser) => {
    await using server = await OidcServer.start();
    await using visit = await studioVisit(browser, { allowLocal: true });
    const { page, open, test } = visit;
    await open("/admin/settings");
    const card = page.locator("section.card", {
      has: page.getByRole("heading", { name: "Single sign-on", exact: true }),
    });
    await card.getByRole("button", { name: "Add provider" }).click();
    await card.getByLabel("Name", { exact: true }).fill("Corp");
    await card.getByLabel("ID, part of the redirect URI").fill("corp");
    await card.getByLabel("Issuer").fill("http://127.0.0.1:1");
    await card.getByLabel("Client ID").fill("cms");
    await card.getByLabel("Create users on their first sign-in").check();
    await card.getByRole("button", { name: "Add group" }).click();
    await card.getByLabel("Group", { exact: true }).fill("writers");
    await card.getByLabel("Role", { exact: true }).selectOption("author");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await card.getByText("The provider cannot be used").first().waitFor();
    await card.getByLabel("Issuer").fill(server.issuer);
    await Promise.all([
      page.waitForEvent("load"),
      page.getByRole("button", { name: "Save", exact: true }).click(),
    ]);
    const values = await test.deps.settings.values();
    const [provider] = values.get<Record<string, Json>[]>("auth.providers");
    assertEquals(provider?.roles, [{ group: "writers", role: "author" }]);
    assertEquals([provider?.provision, provider?.link], [true, "verified"]);

    await page.locator("html[data-ready]").waitFor();
    await page.getByLabel("Client secret").fill("a client secret");
    await Promise.all([
      page.waitForEvent("load"),
      page.getByRole("button", { name: "Save secret" }).click(),
    ]);
    assertEquals((await test.deps.settings.values()).get("secret.oidc.corp"), "a client secret");

    await page.locator("html[data-ready]").waitFor();
    const tested = page.locator("form", { has: page.locator("[data-test-result]") });
    await tested.getByRole("button", { name: "Test provider" }).click();
    await page.getByText("The provider answers. It publishes 1 key.", { exact: true }).waitFor();
    await tested.getByLabel("Email").fill("cem@example.org");
    await tested.getByLabel("Groups, one per line").fill("writers");
    await tested.getByLabel("The provider has verified the address").check();
    await tested.getByRole("button", { name: "Test provider" }).click();
    await page.getByText("A user is created, with author.").waitFor();
    assertEquals(visit.complaints.filter((text) => !text.includes("422")), []);
  },
);

browserTest(
  "a required factor and the other settings are saved, or say what they need",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, test } = visit;
    await open("/admin/settings");
    const card = page.locator("section.card", {
      has: page.getByRole("heading", { name: "Signing in", exact: true }),
    });
    await card.getByLabel("Second factor").selectOption("required");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await card.getByText("Set up a second factor of your own first").first().waitFor();
    await card.getByLabel("Second factor").selectOption("optional");
    await card.getByLabel("Minimum password length").fill("15");
    await card.getByLabel("Session length, in hours").fill("24");
    await card.getByLabel("Confirm sensitive changes").check();
    await Promise.all([
      page.waitForEvent("load"),
      page.getByRole("button", { name: "Save", exact: true }).click(),
    ]);
    const values = await test.deps.settings.values();
    const keys = ["auth.password.min", "auth.session.hours", "auth.stepUp", "auth.rpId"];
    assertEquals(keys.map((key) => values.get(key)), [15, 24, true, null]);
  },
);
