/** Signing in with more than a password, with the virtual authenticator of Chromium. */
import type { Browser, Page } from "playwright-core";
import { PROOF_SECONDS } from "../../../kv/people/sessions.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { ADA, studioVisit } from "../../support/browser/studio_visit.ts";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";
import { codeAt } from "../../support/sign_in/sign_in_site.ts";

/** A visit at `localhost`, where passkeys need no HTTPS, signed in by the form. */
async function localVisit(browser: Browser) {
  const visit = await studioVisit(browser);
  const { page, origin } = visit;
  const local = origin.replace("127.0.0.1", "localhost");
  const go = (path: string) => page.goto(local + path);
  await go("/admin/sign-in");
  await enterPassword(page);
  await page.waitForURL(`${local}/admin`);
  return { visit, page, go, local };
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByLabel("Password", { exact: true }).fill(ADA.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Gives the browser an authenticator; answers what takes it away again. */
async function addAuthenticator(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => {
    await session.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  };
}

/** Adds a passkey on the account page; answers the recovery codes that the page shows. */
async function addPasskey(page: Page): Promise<string[]> {
  await page.getByLabel("Name of the new passkey").fill("Laptop");
  await page.getByRole("button", { name: "Add passkey" }).click();
  const saved = page.getByRole("button", { name: "I saved them" });
  await saved.waitFor();
  const codes = await page.locator("[data-codes] li").allInnerTexts();
  await Promise.all([page.waitForEvent("load"), saved.click()]);
  return codes;
}

browserTest(
  "a passkey is added, signs in through the autofill of the page, and confirms sensitive changes",
  async (browser) => {
    const { visit, page, go, local } = await localVisit(browser);
    await using _ = visit;
    await addAuthenticator(page);
    await go("/admin/account");
    const codes = await addPasskey(page);
    assertEquals(codes.length, 10);
    await page.getByText("Laptop").waitFor();

    await page.context().clearCookies();
    await go("/admin/sign-in");
    await page.waitForURL(`${local}/admin`);
    const { json } = await visit.ask("GET", "/sessions");
    const methods = json.data.map(({ method }: { method: string }) => method);
    assert(methods.includes("passkey"), methods.join());

    await go("/admin/account");
    visit.test.context.advance(PROOF_SECONDS * 1000);
    await page.getByLabel("Email", { exact: true }).fill("new@example.org");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await Promise.all([
      page.waitForEvent("load"),
      dialog.getByRole("button", { name: "Use a passkey" }).click(),
    ]);
    assertEquals((await visit.ask("GET", "/jobs?type=SEND_MAIL")).json.meta.total > 0, true);
  },
);

browserTest(
  "an authenticator app is set up; its codes and a recovery code follow the password",
  async (browser) => {
    const { visit, page, go, local } = await localVisit(browser);
    await using _ = visit;
    await go("/admin/account");
    await page.getByRole("button", { name: "Set up authenticator app" }).click();
    const key = page.locator("[data-totp-panel] code");
    await key.waitFor();
    const secret = (await key.innerText()).replace(/\s/g, "");
    assertMatch(secret, /^[A-Z2-7]{32}$/);
    await page.getByLabel("Code from the app").fill(codeAt(visit.test, secret));
    await page.getByRole("button", { name: "Confirm" }).click();
    const saved = page.getByRole("button", { name: "I saved them" });
    await saved.waitFor();
    const [recoveryCode = ""] = await page.locator("[data-codes] li").allInnerTexts();
    await Promise.all([page.waitForEvent("load"), saved.click()]);

    visit.test.context.advance(60_000);
    for (const code of [codeAt(visit.test, secret), recoveryCode]) {
      await page.context().clearCookies();
      await go("/admin/sign-in");
      await enterPassword(page);
      await page.getByLabel("Code").fill("000000");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("That didn't work.").waitFor();
      await page.getByLabel("Code").fill(code);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.waitForURL(`${local}/admin`);
    }
  },
);
