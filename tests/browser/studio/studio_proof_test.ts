/** Sensitive acts long after signing in: the studio asks for the password and carries on. */
import { PROOF_SECONDS } from "../../../kv/people/sessions.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { ADA, studioVisit } from "../../support/browser/studio_visit.ts";
import { OidcServer } from "../../support/sign_in/oidc_server.ts";

browserTest(
  "a sensitive act asks for the password, says when it is wrong, and is carried out",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, test } = visit;
    await open("/admin/account");
    test.context.advance(PROOF_SECONDS * 1000);

    await page.getByLabel("Email", { exact: true }).fill("new@example.org");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    assert(
      (await dialog.innerText()).includes("Confirm your password to change an email address."),
    );
    assertEquals(await page.evaluate("document.activeElement.id"), "proof-password");
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await dialog.getByText("Wrong password.").waitFor();
    await page.keyboard.type(ADA.password);
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);

    const { json } = await visit.ask("GET", "/jobs?type=SEND_MAIL");
    assertEquals(json.meta.total, 1);
    assertEquals(await page.getByRole("dialog").count(), 0);
  },
);

browserTest("cancelling a proof changes nothing, and says why", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, test } = visit;
  await open("/admin/account");
  test.context.advance(PROOF_SECONDS * 1000);

  await page.getByLabel("Email", { exact: true }).fill("new@example.org");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("alert").filter({ hasText: "Confirm your password" }).waitFor();
  assertEquals((await visit.ask("GET", "/jobs?type=SEND_MAIL")).json.meta.total, 0);
});

browserTest(
  "an administrator without a password confirms a sensitive act with their provider",
  async (browser) => {
    await using server = await OidcServer.start();
    await using visit = await studioVisit(browser, { allowLocal: true });
    const { page, open, test } = visit;
    const { status } = await visit.ask("PATCH", "/settings", {
      "site.url": visit.origin,
      "auth.providers": [{
        id: "corp",
        name: "Corp",
        issuer: server.issuer,
        clientId: "cms",
        provision: true,
        roles: [{ group: "admins", role: "administrator" }],
      }],
      "secret.oidc.corp": "a client secret",
    });
    assertEquals(status, 200);
    await page.context().clearCookies();
    server.claims = {
      sub: "c",
      email: "cem@example.org",
      email_verified: true,
      name: "Cem",
      groups: ["admins"],
    };
    await open("/admin/sign-in");
    await Promise.all([
      page.waitForURL(`${visit.origin}/admin`),
      page.getByRole("link", { name: "Corp" }).click(),
    ]);

    const place = "/admin/back-ups?from=link";
    await open(place);
    test.context.advance(PROOF_SECONDS * 1000);
    const create = async () => {
      await page.getByRole("button", { name: "Create backup …" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create backup" }).click();
    };
    await create();
    const confirm = page.getByRole("link", { name: "Confirm with Corp" });
    await confirm.waitFor();
    assertEquals((await visit.ask("GET", "/exports")).json.data, []);
    await Promise.all([page.waitForURL(visit.origin + place), confirm.click()]);
    await page.locator("html[data-ready]").waitFor();
    const created = page.waitForResponse((one) => one.url().endsWith("/api/admin/exports"));
    await create();
    assertEquals((await created).status(), 202);
    const { data } = (await visit.ask("GET", "/audit")).json;
    const events = data.slice(0, 2).map(({ event }: { event: string }) => event);
    assertEquals(events, ["export", "proof"]);
  },
);

browserTest("the setup code behind # fills the form and leaves the address", async (browser) => {
  await using visit = await studioVisit(browser, { setUp: false });
  const { page, open } = visit;

  await open("/admin/setup#code=setup-code");

  assertEquals(await page.getByLabel("Setup code").inputValue(), "setup-code");
  assert(!page.url().includes("code="));
});
