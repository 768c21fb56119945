/** Sensitive acts long after signing in: the studio asks for the password and carries on. */
import { PROOF_SECONDS } from "../../../kv/people/sessions.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { ADA, studioVisit } from "../../support/browser/studio_visit.ts";

browserTest(
  "a sensitive act asks for the password, says when it is wrong, and is carried out",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, test } = visit;
    await open("/admin/account");
    test.context.advance(PROOF_SECONDS * 1000);

    await page.getByLabel("Email").fill("new@example.org");
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

  await page.getByLabel("Email").fill("new@example.org");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("alert").filter({ hasText: "Confirm your password" }).waitFor();
  assertEquals((await visit.ask("GET", "/jobs?type=SEND_MAIL")).json.meta.total, 0);
});

browserTest("the setup code behind # fills the form and leaves the address", async (browser) => {
  await using visit = await studioVisit(browser, { setUp: false });
  const { page, open } = visit;

  await open("/admin/setup#code=setup-code");

  assertEquals(await page.getByLabel("Setup code").inputValue(), "setup-code");
  assert(!page.url().includes("code="));
});
