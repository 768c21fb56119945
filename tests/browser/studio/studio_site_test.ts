/**
 * Looking after a site: tokens, people, settings, media, history, jobs, back-ups, time travel.
 */
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { ADA, inspect, studioVisit } from "../../support/browser/studio_visit.ts";

const ready = (page: Page) => page.locator("html[data-ready]").waitFor();

browserTest("studio mints a token that works, once, and revokes it", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, test } = visit;
  await magazine(visit);

  await open("/admin/tokens");
  await inspect(page, "tokens-empty");
  await page.getByRole("link", { name: "New token" }).first().click();
  await ready(page);
  await page.getByLabel("Name", { exact: true }).fill("Website");
  await page.getByRole("button", { name: "Read published documents" }).click();
  await page.getByLabel("Posts: Write").check();
  await page.getByLabel("Allowed browser origins").fill("https://www.lantern.example");
  await inspect(page, "token");
  const quota = page.getByLabel("Requests per minute");
  const usual = await quota.inputValue();
  await quota.press("End");
  await quota.pressSequentially("e");
  await page.getByRole("button", { name: "Create token" }).click();
  await page.locator(".error", { hasText: "Must be a number" }).waitFor();
  await quota.fill(usual);
  await page.getByRole("button", { name: "Create token" }).click();
  await page.getByRole("dialog", { name: "Copy your token now: it won't be shown again" })
    .waitFor();
  const token = await page.locator("#minted-token").innerText();
  assertMatch(
    await page.locator("#minted-curl").innerText(),
    /^curl -H 'Authorization: Bearer svc_pk_/,
  );
  await inspect(page, "token-minted");
  assertEquals((await test.call("GET", "/api/v1/posts", { token })).status, 200);
  await page.getByRole("link", { name: "I have copied it" }).click();
  await page.getByRole("link", { name: "Website" }).click();
  await ready(page);
  assert(!(await page.content()).includes(token));
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("Revoked", { exact: true }).waitFor();
  await inspect(page, "tokens");
  assertEquals((await test.call("GET", "/api/v1/posts", { token })).status, 401);
});

browserTest("studio invites people and gives them roles", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;

  await open("/admin/users");
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite user" });
  await dialog.getByLabel("Name").fill("Grace Hopper");
  await dialog.getByLabel("Email").fill("not an address");
  await dialog.getByRole("button", { name: "Invite" }).click();
  await dialog.locator(".error").waitFor();
  await inspect(page, "users-invite");
  await dialog.getByLabel("Email").fill("grace@example.org");
  await dialog.getByRole("button", { name: "Invite" }).click();
  await page.waitForURL(/\/admin\/users\/\w+$/);
  await ready(page);
  await page.getByRole("heading", { name: "Grace Hopper" }).waitFor();
  await page.getByRole("checkbox", { name: /^editor/ }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await inspect(page, "user");
  const { json } = await ask("GET", "/users");
  // deno-lint-ignore no-explicit-any
  const grace = json.data.find(({ email }: any) => email === "grace@example.org");
  assertEquals(grace.roles, ["editor"]);

  await open("/admin/roles/new");
  await page.getByLabel("Name").fill("proofreader");
  await page.getByLabel("See documents of every status").check();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "proofreader" }).waitFor();
  await inspect(page, "roles");
  await open("/admin/account");
  await inspect(page, "account");
  await page.getByLabel("Current password").fill(ADA.password);
  await page.getByLabel("New password").fill("a new battery horse");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed").waitFor();
});

browserTest("studio changes settings, and says what is wrong with them", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;

  await open("/admin/settings");
  await page.getByLabel("Title", { exact: true }).fill("The Lamp");
  await page.getByRole("textbox", { name: "Language" }).fill("not a language!");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator("[id='f-site.language-error']").waitFor();
  await page.getByRole("textbox", { name: "Language" }).fill("de");
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await inspect(page, "settings");
  const { json } = await ask("GET", "/settings");
  assertEquals([json["site.title"], json["site.language"], json["site.timezone"]], [
    "The Lamp",
    "de",
    "Europe/Berlin",
  ]);
});

browserTest("studio uploads, describes, deletes and restores images", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;

  await open("/admin/media");
  await page.locator("input[type=file]").setInputFiles([
    { name: "lamp.png", mimeType: "image/png", buffer: Buffer.from(IMAGES["image/png"]) },
    {
      name: "notes.png",
      mimeType: "image/png",
      buffer: Buffer.from("no image"),
    },
  ]);
  await page.getByText("This file type is not allowed").waitFor();
  await inspect(page, "media-refused");
  await open("/admin/media?alt=missing");
  await page.getByRole("link", { name: "lamp.png" }).click();
  await ready(page);
  await page.getByLabel("Alt text").fill("The lamp of the lighthouse");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved", { exact: true }).waitFor();
  await inspect(page, "medium");
  assertEquals((await ask("GET", "/media")).json.data[0].alt, "The lamp of the lighthouse");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("in the trash for 30 days").waitFor();
  await page.getByRole("link", { name: "Trash" }).click();
  await ready(page);
  await page.getByRole("button", { name: "Restore" }).click();
  await page.getByText("lamp.png is restored").waitFor();
});

browserTest("studio shows what changed word by word, and goes back", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  await magazine(visit);
  const [id] = await somePosts(visit);
  await ask("PATCH", `/documents/${id}`, { subtitle: "Part 1 of a longer series", rating: 2 });

  await open(`/admin/documents/${id}`);
  await page.getByRole("link", { name: "History" }).click();
  await ready(page);
  assertEquals(await page.locator("ins").allInnerTexts(), ["a longer ", "2"]);
  assertEquals(await page.locator("del").allInnerTexts(), ["our ", "0.5"]);
  await inspect(page, "versions");
  await page.getByRole("link", { name: /^Version 1/ }).click();
  await page.getByRole("link", { name: "Compared with now" }).click();
  await page.getByText("Restoring this version would make these changes").waitFor();
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await page.getByText("Restored version 1 as a new version").waitFor();
  assertEquals((await ask("GET", `/documents/${id}`)).json.subtitle, "Part 1 of our series");
});

browserTest("studio makes back-ups, looks into one, and lists jobs", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, test } = visit;

  await open("/admin/back-ups");
  await page.getByRole("button", { name: "Create backup …" }).click();
  await page.getByRole("button", { name: "Create backup", exact: true }).click();
  await page.waitForURL(/\/admin\/jobs\/\w+/);
  await test.runner.drain();
  await page.getByText("Done", { exact: true }).waitFor();
  await open("/admin/back-ups");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const path = await (await download).path();
  await page.locator("[data-island=import] input[type=file]").setInputFiles({
    name: "backup.tar.gz",
    mimeType: "application/gzip",
    buffer: Buffer.from(await Deno.readFile(path)),
  });
  await page.getByLabel("to replace everything").fill("The Lantern");
  assert(await page.getByRole("button", { name: "Restore" }).isEnabled());
  await inspect(page, "back-ups");
  await open("/admin/jobs");
  await inspect(page, "jobs");
});
