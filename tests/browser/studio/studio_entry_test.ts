/**
 * Getting in: the first run, signing in and out, a forgotten password, and the frame around every page.
 */
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { ADA, inspect, studioVisit, WIDTHS } from "../../support/browser/studio_visit.ts";

browserTest("studio sets a site up, signs out and signs in again", async (browser) => {
  await using visit = await studioVisit(browser, { setUp: false, timezoneId: "Europe/Zurich" });
  const { page, open, complaints } = visit;

  // A wrong code is refused before anything else is typed.
  await open("/admin/setup?code=of-another-start");
  await page.getByText("Wrong setup code.").waitFor();
  await open("/admin/setup");
  await page.getByLabel("Setup code").fill("of-another-start");
  await page.keyboard.press("Tab");
  await page.getByText("Wrong setup code.").waitFor();
  await page.getByLabel("Setup code").fill("setup-code");
  await page.getByText("Wrong setup code.").waitFor({ state: "detached" });

  await open("/admin/setup?code=setup-code");
  assertEquals(await page.getByLabel("Time zone").inputValue(), "Europe/Zurich");
  await inspect(page, "setup");
  await page.getByRole("button", { name: "Create site" }).click();
  await page.getByText("Required").first().waitFor();
  await page.getByLabel("Site title").fill("The Lantern");
  await page.getByLabel("Your name").fill(ADA.displayName);
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Create site" }).click();
  await page.locator("#f-password-error").waitFor();
  await inspect(page, "setup-failed");
  await page.getByLabel("Password").fill(ADA.password);
  await page.getByRole("button", { name: "Create site" }).click();

  await page.getByRole("button", { name: "Send a test email" }).click();
  await page.getByText("No mail server is set up").waitFor();
  await inspect(page, "mail-check");
  await page.getByRole("link", { name: "Open the studio" }).click();
  await page.getByRole("heading", { name: `Welcome, ${ADA.displayName}` }).waitFor();
  await inspect(page, "welcome");
  await page.getByRole("button", { name: `Account of ${ADA.displayName}` }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/admin/sign-in");
  await open("/admin/content?status=draft");
  assertStringIncludes(page.url(), "/admin/sign-in?next=%2Fadmin%2Fcontent%3Fstatus%3Ddraft");
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByLabel("Password").fill("wrong password here");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Wrong email or password.").waitFor();
  await inspect(page, "sign-in-failed");
  await page.getByLabel("Password").fill(ADA.password);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/content?status=draft");
  // Refused requests are all that the browser's console may speak of.
  assertEquals(complaints.filter((text) => !text.includes("Failed to load resource")), []);
});

browserTest("studio lets people choose a new password by a mailed link", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open } = visit;
  await page.context().clearCookies();

  await open("/admin/reset");
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("sent an email").waitFor();
  await open("/admin/choose-password");
  await page.getByText("This link is incomplete").waitFor();
  await open("/admin/choose-password#token=wrong");
  await page.getByText("This link is incomplete").waitFor({ state: "hidden" });
  assert(!page.url().includes("wrong"));
  await page.getByLabel("New password").fill("another horse battery");
  await page.getByRole("button", { name: "Save password" }).click();
  await page.locator("[data-failure]").waitFor();
  await inspect(page, "choose-password");
});

browserTest("studio shows where somebody is signed in, and signs out there", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, test } = visit;
  const { email, password } = ADA;
  for (
    const agent of ["Mozilla/5.0 (iPhone) Safari/605.1", "Mozilla/5.0 (Windows NT) Firefox/145.0"]
  ) {
    const headers = { "user-agent": agent };
    await test.call("POST", "/api/admin/session", { body: { email, password }, headers });
  }

  await open("/admin/account");
  await page.getByText("Firefox on Windows").waitFor();
  await inspect(page, "account-sessions");
  await page.getByRole("listitem").filter({ hasText: "Safari on iOS" })
    .getByRole("button", { name: "Sign out" }).click();
  await page.getByText("Session signed out").waitFor();
  assertEquals(await page.getByText("Safari on iOS").count(), 0);
  await page.getByRole("button", { name: "Sign out", exact: true }).last().click();
  await page.getByText("Firefox on Windows").waitFor({ state: "detached" });
  await page.getByText("This session").waitFor();
});

browserTest("studio goes everywhere by keyboard, and by thumb", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  await ask("POST", "/collections", { slug: "posts", name: "Posts" });
  await ask("POST", "/documents", { collection: "posts", title: "A night at the lighthouse" });

  await open("/admin");
  await inspect(page, "overview");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await inspect(page, "keys");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("lighthouse");
  await page.getByRole("option", { name: "A night at the lighthouse" }).waitFor();
  await inspect(page, "palette");
  await page.keyboard.press("Escape");

  await page.setViewportSize(WIDTHS.narrow);
  await page.getByRole("button", { name: "Navigation" }).click();
  await page.getByRole("link", { name: "Posts", exact: true }).first().waitFor();
  await inspect(page, "navigation");
});
