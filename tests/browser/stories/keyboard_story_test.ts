/**
 * A newsroom task by keyboard alone: an author signs in, writes a text with its parts, a reference and a picture,
 * comments on words and requests a review; an editor publishes it, and takes a change back in the history.
 */
import type { Page } from "playwright-core";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { cursorRead } from "../../support/browser/rich_text_visit.ts";
import { lines } from "../../support/browser/rich_text_lines.ts";
import { magazine } from "../../support/sites/studio_site.ts";
import { ADA, studioVisit } from "../../support/browser/studio_visit.ts";

const BEA = { email: "bea@example.org", displayName: "Bea", password: "a password of some length" };

/** The keys of a user, who sees where the focus is. */
class Keys {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  /** Presses Tab until the element with the focus matches a selector; the focus is visible on the way. */
  async tabTo(selector: string, key = "Tab"): Promise<void> {
    for (let n = 0; n < 120; n++) {
      if (await this.#page.locator(`${selector}:focus`).count() > 0) return;
      await this.#page.keyboard.press(key);
      await this.seesFocus(`before ${selector}`);
    }
    throw new Error(`Tab does not lead to ${selector}`);
  }

  /** Fails if the focus is lost, or cannot be seen. */
  async seesFocus(about: string): Promise<void> {
    const focused = await this.#page.evaluate(() => {
      // deno-lint-ignore no-explicit-any
      const { document } = globalThis as any;
      const { body } = document;
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element !== body && element !== null && element.matches(":focus-visible");
    });
    assert(focused, `The focus is lost or hidden ${about}`);
  }

  /** Signs in on the page of the site. */
  async signIn(origin: string, who: { email: string; password: string }): Promise<void> {
    await this.#page.goto(`${origin}/admin/sign-in`);
    await this.#page.locator("html[data-ready]").waitFor();
    await this.type(who.email);
    await this.press("Tab");
    await this.type(who.password);
    await this.press("Enter");
    await this.#page.getByRole("heading", { name: /^Good / }).waitFor();
    await this.#page.locator("html[data-ready]").waitFor();
  }

  /** Goes somewhere by the palette. */
  async goTo(words: string, option: string): Promise<void> {
    await this.press("Control+k");
    await this.type(words);
    await this.#page.locator("#palette [aria-selected=true]", { hasText: option }).waitFor();
    await this.press("Enter");
  }
}

browserTest("a text is written, reviewed and published without a pointer", async (browser) => {
  await using visit = await studioVisit(browser);
  const { ask, origin, test, page: editor, complaints } = visit;
  await magazine(visit);
  await ask("POST", "/users", { ...BEA, roles: ["author"] });
  await editor.context().clearCookies();
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const keys = new Keys(page);
  const source = page.locator('[data-name="body"] textarea.pt-source');
  const saved = (of: Page) => of.locator("[data-save-state]", { hasText: /^Saved/ }).waitFor();

  await keys.signIn(origin, BEA);
  await keys.goTo("new in posts", "New in Posts");
  await page.waitForURL("**/content/posts/new");
  await page.locator("html[data-ready]").waitFor();
  await keys.type("The storm");
  await keys.tabTo("#c-teaser");
  await keys.type("A night at sea.");

  // Rich text: a heading and a list as they are typed, a block of the menu, and a link.
  await keys.tabTo(".pt-text");
  await keys.type("## Before dawn\nThe lamp went out\n- oil\nwick\n\n/sub");
  await page.locator(".pt-choice", { hasText: "Subheading" }).waitFor();
  await keys.press("Enter");
  await keys.type("Afterwards\nCalm");
  await keys.press("Shift+Home");
  await cursorRead(page);
  await keys.press("Control+k");
  await page.locator("dialog[open]").getByLabel("URL").waitFor();
  await keys.type("https://lantern.example/log");
  await keys.press("Enter");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
  await keys.seesFocus("after the link");
  assertEquals(lines(JSON.parse(await source.inputValue())), [
    "h2: Before dawn",
    "normal: The lamp went out",
    "bullet 1: oil",
    "bullet 1: wick",
    "h3: Afterwards",
    "normal: <https://lantern.example/log>Calm</>",
  ]);
  await page.waitForURL(/\/admin\/documents\/[0-9A-Z]{26}$/);
  await saved(page);
  const id = page.url().split("/").at(-1) ?? "";

  // A picture and a reference: each dialog gives the focus back to its button.
  for (const [field, dialog] of [["cover", "pick-media"], ["author", "pick-document"]] as const) {
    await keys.tabTo(`[data-name="${field}"] [data-choose]`);
    await keys.press("Enter");
    await page.locator(`dialog#${dialog}:modal [data-picker-message]`, { hasText: /^1 / })
      .waitFor();
    await keys.press("ArrowDown", "Enter");
    await page.locator(`dialog#${dialog}:modal`).waitFor({ state: "detached" });
    await keys.seesFocus(`after ${dialog}`);
  }
  await saved(page);

  // A comment on words, and the request for a review.
  await keys.tabTo(".pt-text", "Shift+Tab");
  await keys.press("Control+Home", "Shift+End");
  await cursorRead(page);
  await keys.press("Control+Alt+m");
  await page.locator("[data-quote]", { hasText: "Before dawn" }).waitFor();
  await keys.type("Or at night?");
  await keys.tabTo("button[type=submit]");
  await keys.press("Enter");
  await page.getByText("Or at night?").first().waitFor();
  await keys.goTo("request review", "Request review");
  await page.locator("dialog#ask-review:modal").waitFor();
  await keys.tabTo("dialog#ask-review button[type=submit]");
  await keys.press("Enter");
  await page.getByText("Bea requested a review").waitFor();
  await page.locator("html[data-ready]").waitFor();
  await keys.seesFocus("after the page has been loaded again");

  // The editor publishes it from the dialog, which gives the focus back if it is closed.
  const own = new Keys(editor);
  await own.signIn(origin, ADA);
  await own.goTo("The storm", "The storm");
  await editor.waitForURL(`**/admin/documents/${id}`);
  await editor.locator("html[data-ready]").waitFor();
  await own.tabTo("#c-teaser");
  await own.press("Control+Enter");
  await editor.locator("dialog#publish:modal").getByText(/Ready to publish|Suggestions/).waitFor();
  await own.press("Escape");
  await own.seesFocus("after the publish dialog");
  await own.press("Control+Enter");
  await editor.locator("dialog#publish:modal").getByText(/Ready to publish|Suggestions/).waitFor();
  await own.press("Control+Enter");
  await editor.getByText("Published. The pages are being built").waitFor();
  await test.runner.drain();
  assertEquals((await test.call("GET", "/posts/the-storm")).text.includes("Before dawn"), true);

  // A change is taken back in the history, by the version before it.
  await editor.waitForURL("**/admin/documents/**");
  await editor.locator("html[data-ready]").waitFor();
  await own.tabTo("#c-teaser");
  await own.press("End");
  await own.type(" It was calm.");
  await own.press("Control+s");
  await saved(editor);
  await own.goTo("history", "History");
  await editor.waitForURL("**/admin/versions/**");
  await editor.locator("html[data-ready]").waitFor();
  await own.tabTo(".timeline li:nth-child(2) > a:first-child");
  await own.press("Enter");
  await editor.waitForURL("**?*version=*");
  await editor.locator("html[data-ready]").waitFor();
  await own.seesFocus("in the timeline, at the version that was opened");
  assertEquals(await editor.locator(".timeline [aria-current=true]:focus").count(), 1);

  // A dialog that loads the page again gives the focus back to the menu that it was opened from.
  await own.tabTo("[popovertarget=version-menu]");
  await own.press("Enter");
  await own.tabTo("[data-opens=name-version]");
  await own.press("Enter");
  await editor.locator("dialog#name-version:modal").waitFor();
  await own.type("Before the calm");
  await own.press("Enter");
  await editor.locator(".timeline", { hasText: "Before the calm" }).waitFor();
  await editor.locator("html[data-ready]").waitFor();
  assertEquals(await editor.locator("[popovertarget=version-menu]:focus-visible").count(), 1);

  await own.tabTo("[data-action$='/restore']:not([data-body*=fields])", "Shift+Tab");
  await own.press("Enter");
  await editor.locator("dialog[open]").getByText("The working copy becomes version").waitFor();
  await own.tabTo("dialog[open] .primary");
  await own.press("Enter");
  await editor.getByText(/^Restored version \d+ as a new version$/).waitFor();
  const restored = (await ask("GET", `/documents/${id}/working-copy`)).json.teaser ??
    (await ask("GET", `/documents/${id}`)).json.teaser;
  assertEquals(restored, "A night at sea.");
  await context.close();
  assertEquals(complaints, []);
});
