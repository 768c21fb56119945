/**
 * What the admin application asks before it does harm, and what it leaves in place.
 */
import type { Page } from "playwright-core";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

const ready = (page: Page) => page.locator("html[data-ready]").waitFor();
const POSTS = "/admin/content/posts";

browserTest(
  "studio asks before documents leave the site, and names what references them",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints } = visit;
    const { authorId } = await magazine(visit);
    const ids = await somePosts(visit);
    await ask("POST", `/documents/${authorId}/publish`);
    await ask("PATCH", `/documents/${ids[1]}`, { author: authorId });
    const statusOf = async (id: string) => (await ask("GET", `/documents/${id}`)).json.status;

    await open(`/admin/documents/${authorId}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await inspect(page, "document-menu");
    await page.getByRole("button", { name: "Move to trash" }).click();
    const question = page.getByRole("dialog");
    assertStringIncludes(await question.innerText(), "“The last steam crane of Bristol”");
    await question.getByRole("button", { name: "Cancel" }).click();
    assertEquals(await statusOf(authorId), "published");

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("button", { name: "Unpublish" }).click();
    await question.getByText("is removed from the public site immediately").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    assertEquals(await statusOf(authorId), "published");

    await open(`${POSTS}?status=draft`);
    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await question.getByText("Publish 2 documents now?").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    assertEquals(await statusOf(ids[0]!), "draft");
    assertEquals(complaints, []);
  },
);

browserTest("studio publishes nothing incomplete, and says each fault once", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  await magazine(visit);
  const { json } = await ask("POST", "/documents", { collection: "posts", title: "Half a post" });

  await open(`/admin/documents/${json.id}`);
  await page.getByRole("button", { name: "Publish …" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByText("Before you can publish").waitFor();

  assertEquals(await dialog.getByText("Teaser").count(), 1);
  assert(await dialog.getByRole("button", { name: "Publish now" }).isDisabled());
});

browserTest("studio says without a script that it cannot save", async (browser) => {
  await using visit = await studioVisit(browser, { javaScriptEnabled: false });
  const { page, origin, ask } = visit;
  await magazine(visit);
  const { json } = await ask("POST", "/documents", { collection: "posts", title: "A post" });

  for (const path of [`/documents/${json.id}`, "/settings"]) {
    await page.goto(`${origin}/admin${path}`);
    await page.locator("p.noscript").waitFor();
    assertEquals(await page.getByRole("button", { name: "Save" }).count(), 0);
    assertEquals(await page.locator("[data-save-state]:visible").count(), 0);
  }
});

browserTest("studio selects rows without moving them, and a range with Shift", async (browser) => {
  await using visit = await studioVisit(browser, { viewport: { width: 1440, height: 900 } });
  const { page, open } = visit;
  await magazine(visit);
  await somePosts(visit);

  await open(POSTS);
  const boxes = page.locator("tbody [data-select]");
  const before = await boxes.first().boundingBox();
  await boxes.first().click();
  const after = await boxes.first().boundingBox();
  await boxes.nth(3).click({ modifiers: ["Shift"] });

  assertEquals(after!.y, before!.y);
  await page.getByText("4 selected").waitFor();
  await inspect(page, "list-selected");
});

browserTest("studio's lists fit the window, whatever their texts are", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  const { authorId } = await magazine(visit);
  const words = "Every keeper of a light has a book, and every book has a gap ".repeat(3).trim();
  for (let n = 0; n < 3; n++) {
    const values = {
      title: `${n} ${words}`,
      subtitle: words,
      section: "Weather",
      author: authorId,
    };
    await ask("POST", "/documents", { collection: "posts", ...values });
  }

  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await open(
      `${POSTS}?columns=status&columns=subtitle&columns=author&columns=rating&columns=updatedAt`,
    );
    const [inner, outer] = await page.locator(".table-frame").evaluate((frame) => [
      frame.scrollWidth,
      frame.clientWidth,
    ]);
    assert(inner! <= outer!, `${inner} in ${outer} at ${width}`);
  }
});

browserTest("studio narrows a list by a reference, and says its title", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  const { authorId } = await magazine(visit);
  const ids = await somePosts(visit);
  await ask("PATCH", "/collections/posts/fields/author", { indexed: true });
  await ask("PATCH", `/documents/${ids[0]}`, { author: authorId });

  await open(POSTS);
  await page.getByRole("button", { name: "Filter" }).click();
  await page.locator("#filters").getByLabel("Author").selectOption({ label: "Mary Anning" });
  await page.locator("#filters").getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/field\.author=/);
  await ready(page);

  assertEquals(await page.locator("tbody tr").count(), 1);
  await page.getByText("Author is Mary Anning").waitFor();
});

browserTest("studio begins dialogs at their first control, and picks by keys", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await magazine(visit);
  const ids = await somePosts(visit);

  await open("/admin/users");
  await page.getByRole("button", { name: "Invite user" }).click();
  assertEquals(await page.evaluate("document.activeElement.name"), "displayName");
  await page.keyboard.press("Escape");

  await open(`/admin/documents/${ids[0]}`);
  await page.getByRole("group", { name: "Author" }).getByRole("button", { name: "Choose" }).click();
  await page.locator("#pick-document .choice").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("group", { name: "Author" }).getByText("Mary Anning").waitFor();
  await page.getByText(/^Saved/).first().waitFor();
  assert((await ask("GET", `/documents/${ids[0]}`)).json.author !== undefined);
  assertEquals(complaints, []);
});

browserTest(
  "studio offers the link of an invitation, and asks for the current password",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, test } = visit;
    const { json } = await ask("POST", "/users", {
      email: "grace@example.org",
      displayName: "Grace Hopper",
      roles: ["editor"],
    });

    await open(`/admin/users/${json.id}`);
    await page.getByRole("button", { name: "Create link to copy" }).click();
    const link = page.locator("#invitation-link");
    await link.waitFor();
    assert(/\/admin\/choose-password#token=\w{32}$/.test(await link.innerText()));
    await inspect(page, "user-invited");

    test.context.advance(20 * 60_000);
    await open("/admin/account");
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill("another horse now");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("This is not your current password").waitFor();
    await inspect(page, "account-refused");
    await page.getByLabel("Current password").fill("correct horse battery");
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed").waitFor();
  },
);

browserTest(
  "studio's users stand apart, whatever their names and addresses are",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask } = visit;
    for (const [n, displayName] of ["Grace", "Augusta Ada King, Countess of Lovelace"].entries()) {
      const email = `${"somebody.".repeat(5 * n + 1)}${n}@example.org`;
      const roles = ["editor", "author", "viewer"];
      assertEquals((await ask("POST", "/users", { email, displayName, roles })).status, 201);
    }

    for (const width of [375, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await open("/admin/users");
      const overlaps = await page.evaluate(() => {
        const shown = [...document.querySelectorAll("main .card :is(h2, p.muted, .badge, .avatar)")]
          .map((element) => ({ element, box: element.getBoundingClientRect() }));
        return shown.flatMap((a, at) =>
          shown.slice(at + 1).filter((b) =>
            Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) > 1 &&
            Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top) > 1
          ).map((b) => `“${a.element.textContent}” over “${b.element.textContent}”`)
        );
      });
      assertEquals(overlaps, [], `at ${width}`);
      const cards = await page.locator("main .card").evaluateAll((all) =>
        all.map((card) => card.getBoundingClientRect().height > 60)
      );
      assertEquals(cards, [true, true, true]);
    }
  },
);
