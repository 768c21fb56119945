/** Comments on words: made from a selection, highlighted in the text, opened beside it, and followed through changes. */
import type { Locator, Page } from "playwright-core";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import { translatedSite } from "../../support/browser/translated_site.ts";
import { saved } from "../../support/sites/review_site.ts";
import {
  inspect,
  pressKeys,
  type StudioVisit,
  studioVisit,
  WIDTHS,
} from "../../support/browser/studio_visit.ts";

const block = (text: string) => ({
  _type: "block",
  _key: text.split(" ")[0]!.toLowerCase(),
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text, marks: [] }],
});
const BODY = [block("Beacon by the sea"), block("Harbour with ships")];

const highlights = (page: Page) => richText(page).locator("mark.pt-comment");
const card = (page: Page) => page.getByRole("region", { name: "Comments on these words" });
const panel = (page: Page) => page.getByRole("region", { name: "Comments", exact: true });
const commentButton = (page: Page) => page.locator(".pt-selection .pt-comment-button");
const source = (page: Page) => page.locator('[data-name="body"] textarea.pt-source').inputValue();

/** Selects letters of the blocks in which they begin and end, as a user with a mouse would. */
async function select(page: Page, from: [block: string, at: number], to: [string, number]) {
  await richText(page).focus();
  await page.evaluate(([[one, start], [other, end]]) => {
    // deno-lint-ignore no-explicit-any
    const { document } = globalThis as any;
    const at = (key: string, offset: number) => {
      const element = document.querySelector(`.pt-text [data-key="${key}"]`);
      const walker = document.createTreeWalker(element, 4);
      for (let left = offset;;) {
        const text = walker.nextNode();
        if (left <= text.length) return [text, left];
        left -= text.length;
      }
    };
    document.getSelection().setBaseAndExtent(...at(one!, start), ...at(other!, end));
  }, [from, to] as [[string, number], [string, number]]);
}

/** A comment on words, made through the API. */
async function comment(
  { ask }: StudioVisit,
  id: string,
  [key, offset]: [string, number],
  quote: string,
): Promise<string> {
  const anchor = { start: { key, offset }, end: { key, offset: offset + quote.length }, quote };
  const body = { text: `About ${quote}`, field: "body", anchor };
  const { status, json } = await ask("POST", `/documents/${id}/comments`, body);
  assertEquals(status, 201);
  return json.id;
}

browserTest(
  "selected words are commented on, highlighted, and resolved beside the text",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, ask, complaints } = visit;
    const id = await openRichText(visit, BODY);
    const before = await source(page);

    await select(page, ["beacon", 10], ["harbour", 8]);
    await commentButton(page).click();
    const quote = "the sea\nHarbour";
    assertEquals(await panel(page).locator("[data-quote]").textContent(), quote);
    await page.getByLabel("Mention a user").selectOption({ label: "Ada Lovelace" });
    await page.keyboard.type("which sea?");
    await inspect(page, "comment-on-words");
    await page.getByRole("button", { name: "Comment", exact: true }).last().click();
    await panel(page).getByText("@Ada Lovelace which sea?").waitFor();
    const { json } = await ask("GET", `/documents/${id}/comments`);
    const [{ anchor, anchoredAt, field, mentions }] = json.data;
    const range = { start: { key: "beacon", offset: 10 }, end: { key: "harbour", offset: 7 } };
    assertEquals([anchor, anchoredAt, field, mentions.length], [
      { ...range, quote },
      range,
      "body",
      1,
    ]);
    assertEquals(await highlights(page).allTextContents(), ["the sea", "Harbour"]);
    assertEquals(
      await highlights(page).first().getAttribute("aria-description"),
      "Comment by Ada Lovelace: @Ada Lovelace which sea?",
    );
    assertEquals(await panel(page).locator("[data-quote]").isVisible(), false);
    await page.getByRole("button", { name: "Close comments" }).click();

    // No part of the text, and none of what is copied.
    assertEquals(await source(page), before);
    await select(page, ["beacon", 0], ["harbour", 18]);
    const copied = await page.evaluate(() => {
      // deno-lint-ignore no-explicit-any
      const { document, DataTransfer, ClipboardEvent } = globalThis as any;
      const data = new DataTransfer();
      const options = { clipboardData: data, bubbles: true, cancelable: true };
      document.querySelector(".pt-text").dispatchEvent(new ClipboardEvent("copy", options));
      return data.getData("text/html") as string;
    });
    assert(copied.includes("the sea") && !/mark|pt-comment|description/.test(copied), copied);

    await highlights(page).first().click();
    await card(page).getByText("which sea?").waitFor();
    assertEquals(await card(page).locator(".comment-quote").textContent(), quote);
    await inspect(page, "thread-beside");
    const lines = (part: Locator) => part.evaluate((one) => one.getClientRects().length);
    assertEquals(await lines(card(page).locator("time")), 1);
    const top = async (part: Locator) => (await part.boundingBox())?.y ?? 0;
    const name = card(page).getByText("Ada Lovelace", { exact: true });
    const remove = card(page).getByRole("button", { name: "Delete" });
    assert(Math.abs(await top(name) - await top(remove)) < 6);
    await card(page).getByLabel("Reply").fill("The northern one");
    await card(page).getByRole("button", { name: "Reply" }).click();
    await card(page).getByText("The northern one").waitFor();
    assertEquals(await card(page).getByLabel("Reply").inputValue(), "");
    await card(page).getByRole("button", { name: "Resolve" }).click();
    await card(page).getByRole("button", { name: "Reopen" }).waitFor();
    assertEquals(await highlights(page).count(), 0);
    await card(page).getByRole("button", { name: "Reopen" }).click();
    await highlights(page).first().waitFor();
    await page.keyboard.press("Escape");
    await card(page).waitFor({ state: "detached" });
    assertEquals(complaints, []);
  },
);

browserTest(
  "highlights follow changes of the text, before and after they are saved",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, ask, complaints } = visit;
    const id = await openRichText(visit, BODY);
    await comment(visit, id, ["beacon", 14], "sea");
    const harbour = await comment(visit, id, ["harbour", 0], "Harbour");
    await ask("PATCH", `/documents/${id}/comments/${harbour}`, { resolved: true });
    await comment(visit, id, ["harbour", 13], "ships");
    // A comment of another user, or from another tab, needs no reload.
    await eventually("three comments came", async () => await highlights(page).count() === 2);
    assertEquals(await highlights(page).allTextContents(), ["sea", "ships"]);

    // Offline nothing can be read from the server: the editor moves the highlights itself.
    await page.context().setOffline(true);
    await select(page, ["beacon", 0], ["beacon", 6]);
    await page.keyboard.type("Old light");
    await select(page, ["beacon", 10], ["beacon", 10]);
    await pressKeys(page, "Enter");
    assertEquals(await highlights(page).allTextContents(), ["sea", "ships"]);
    await page.context().setOffline(false);
    await saved(page);
    assertEquals(await highlights(page).allTextContents(), ["sea", "ships"]);

    // A correction in the words keeps their highlight, before and after it is saved, and in a new page.
    await select(page, ["beacon", 3], ["beacon", 3]);
    const ships = async () => (await highlights(page).allTextContents()).at(-1);
    await select(page, ["harbour", 15], ["harbour", 16]);
    await page.keyboard.type("oo");
    assertEquals(await ships(), "shoops");
    await saved(page);
    assertEquals(await ships(), "shoops");
    await page.reload();
    await eventually("they are highlighted again", async () => await ships() === "shoops");

    // A restored version has its words where they were.
    const versions = (await ask("GET", `/versions/document/${id}`)).json.data;
    assertEquals((await ask("POST", `/versions/${versions.at(-1).id}/restore`)).status, 200);
    await richText(page).getByText("Beacon by the sea").waitFor();
    await eventually(
      "the words are found",
      async () => (await highlights(page).allTextContents()).join() === "sea,ships",
    );

    await select(page, ["harbour", 7], ["harbour", 18]);
    await pressKeys(page, "Delete");
    await saved(page);
    await eventually("the words are gone", async () => await highlights(page).count() === 1);
    await page.locator("[data-comments-toggle]").click();
    const thread = panel(page).getByRole("article").filter({ hasText: "About ships" });
    await thread.getByText("The commented text was removed").waitFor();
    assertEquals(await thread.locator(".comment-quote").textContent(), "ships");
    assertEquals(await thread.locator(".comment-quote button").count(), 0);
    await inspect(page, "comment-removed");
    assertEquals(complaints.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED")), []);
  },
);

browserTest(
  "a quote in the panel leads to its words, and a reply survives new comments",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, complaints } = visit;
    const lines = Array.from({ length: 40 }, (_, n) => block(`n${n} is a line`));
    const id = await openRichText(visit, [...lines, ...BODY]);
    const sea = await comment(visit, id, ["beacon", 14], "sea");
    await highlights(page).waitFor();
    await page.locator("[data-comments-toggle]").click();
    await panel(page).getByLabel("Reply").fill("Half a repl");
    await comment(visit, id, ["harbour", 0], "Harbour");
    await panel(page).getByText("About Harbour").waitFor();
    await visit.ask("POST", `/documents/${id}/comments`, { text: "Another reply", replyTo: sea });
    await panel(page).getByText("Another reply").waitFor();
    assertEquals(await panel(page).getByLabel("Reply").first().inputValue(), "Half a repl");
    assertEquals(await highlights(page).first().evaluate(inWindow), false);
    await panel(page).getByRole("button", { name: "sea", exact: true }).click();
    await richText(page).locator(".pt-flash").waitFor();
    assertEquals(await highlights(page).first().evaluate(inWindow), true);
    await richText(page).locator(".pt-flash").waitFor({ state: "detached" });
    assertEquals(await highlights(page).count(), 2);

    // In a narrow window the panel lies over the text.
    await page.setViewportSize(WIDTHS.narrow);
    await panel(page).getByRole("button", { name: "sea", exact: true }).click();
    assertEquals(await panel(page).isVisible(), false);
    assertEquals(await highlights(page).first().evaluate(inWindow), true);
    await highlights(page).first().click();
    await panel(page).getByText("About sea").waitFor();
    assertEquals(await card(page).count(), 0);
    await page.keyboard.press("Escape");
    assertEquals(complaints, []);
  },
);

browserTest(
  "the keyboard comments on words and opens threads, and says what cannot be",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, complaints } = visit;
    const code = { _type: "code", _key: "note", language: "", code: "let it = 1;" };
    const long = block(`long ${"word ".repeat(250)}`);
    const id = await openRichText(visit, [...BODY, code, long]);
    const keys = "Control+Alt+m";

    await select(page, ["beacon", 0], ["beacon", 6]);
    await pressKeys(page, keys);
    await page.keyboard.type("Which one?");
    await pressKeys(page, "Tab", "Tab", "Enter");
    await panel(page).getByText("Which one?").waitFor();
    await panel(page).press("Escape");
    await select(page, ["beacon", 3], ["beacon", 3]);
    await pressKeys(page, keys);
    await card(page).getByText("Which one?").waitFor();
    assertEquals(await card(page).evaluate((one) => one.matches(":focus")), true);
    await pressKeys(page, "Escape");
    assertEquals(await richText(page).evaluate((one) => one.matches(":focus")), true);

    // A closed toolbar is not opened by marks that come.
    await select(page, ["harbour", 0], ["harbour", 7]);
    await commentButton(page).waitFor();
    await pressKeys(page, "Escape");
    await comment(visit, id, ["harbour", 13], "ships");
    await highlights(page).nth(1).waitFor();
    assertEquals(await commentButton(page).isVisible(), false);

    await select(page, ["long", 0], ["long", 1_200]);
    await commentButton(page).waitFor();
    assertEquals(await commentButton(page).getAttribute("aria-disabled"), "true");
    await pressKeys(page, keys);
    await page.getByText("Select at most 1,000 characters to comment on.").waitFor();
    await richText(page).locator(".pt-code-lines").click();
    assertEquals(await commentButton(page).isVisible(), false);
    await pressKeys(page, keys);
    await page.getByText("Text in code and embeds cannot be commented on.").waitFor();
    assertEquals(await panel(page).isVisible(), false);

    const about = page.getByText("Comment on a selection, or open its comments");
    await page.getByLabel("Title", { exact: true }).focus();
    await page.keyboard.press("Tab");
    await page.locator("body").evaluate(() =>
      // deno-lint-ignore no-explicit-any
      (globalThis as any).document.getElementById("keys").showModal()
    );
    await about.waitFor();
    assertEquals((await visit.ask("GET", `/documents/${id}/comments`)).json.meta.total, 2);
    assertEquals(complaints, []);
  },
);

browserTest(
  "words are selected by touch, and the button of the field comments on them",
  async (browser) => {
    await using visit = await studioVisit(browser, { hasTouch: true, viewport: WIDTHS.narrow });
    const { page, complaints } = visit;
    await openRichText(visit, BODY);
    const comments = page.getByRole("button", { name: "Comment on Body" });
    const quote = panel(page).locator("[data-quote]");
    await richText(page).tap();
    await select(page, ["harbour", 0], ["harbour", 7]);
    assertEquals(await commentButton(page).isVisible(), false);
    await comments.tap();
    assertEquals(await quote.textContent(), "Harbour");
    await page.getByRole("button", { name: "Close comments" }).tap();
    await select(page, ["harbour", 0], ["harbour", 0]);
    await comments.tap();
    assertEquals([await panel(page).isVisible(), await quote.isVisible()], [true, false]);
    assertEquals(complaints, []);
  },
);

browserTest(
  "words of a translation and of the original beside it are highlighted",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, ask, open, complaints } = visit;
    const id = await translatedSite(visit);
    await ask("PUT", `/documents/${id}/translations/fr`, {
      title: "Le gardien",
      body: [block("Le phare de la mer")],
    });
    const original = (await ask("GET", `/documents/${id}`)).json.body[0];
    await ask("POST", `/documents/${id}/comments`, {
      text: "How many?",
      field: "body",
      anchor: {
        start: { key: original._key, offset: 6 },
        end: { key: original._key, offset: 10 },
        quote: "four",
      },
    });
    await open(`/admin/documents/${id}/translations/fr`);
    await page.locator(".pt-text[contenteditable=true]").click();
    await pressKeys(page, "Control+Home", "Shift+End");
    await commentButton(page).click();
    await page.keyboard.type("Which one?");
    await inspect(page, "translation-comments");
    await page.getByRole("button", { name: "Comment", exact: true }).last().click();
    await panel(page).getByText("Which one?").waitFor();
    const about = (text: string) =>
      panel(page).getByRole("article").filter({ hasText: text }).locator(".spread .muted").first();
    assertEquals(await about("Which one?").textContent(), "Body · French");
    const marks = (side: string) => page.locator(`.translation-side${side} mark.pt-comment`);
    assertEquals(await marks(":not(.original)").allTextContents(), ["Le phare de la mer"]);
    assertEquals(await marks(".original").allTextContents(), ["four"]);
    const [, french] = (await ask("GET", `/documents/${id}/comments`)).json.data;
    assertEquals([french.language, french.field, french.anchoredAt.start], [
      "fr",
      "body",
      { key: "le", offset: 0 },
    ]);
    await page.getByRole("button", { name: "Close comments" }).click();
    await page.getByRole("button", { name: "1 comment on Body" }).waitFor();
    // Of another user, without a reload.
    await ask("POST", `/documents/${id}/comments`, { text: "Bien", language: "fr" });
    await page.locator("[data-comments-toggle]", { hasText: "3" }).click();
    assertEquals(await about("Bien").textContent(), "Document · French");
    const english = panel(page).getByRole("article").filter({ hasText: "How many?" });
    assertEquals(await english.locator(".spread .muted").first().textContent(), "Body · English");
    await english.locator(".comment-quote button").click();
    await page.locator(".translation-side.original .pt-flash").waitFor();
    await page.getByRole("button", { name: "Close comments" }).click();
    await marks(".original").click();
    await english.waitFor();
    assertEquals(await page.locator(".original .pt-comment-button").count(), 0);
    await page.getByRole("button", { name: "Close comments" }).click();
    await page.setViewportSize({ width: 800, height: 800 });
    await page.locator("[data-comments-toggle]").click();
    await english.locator(".comment-quote button").click();
    await page.locator(".translation-side.original .pt-flash").waitFor();
    await page.setViewportSize({ width: 1_280, height: 800 });

    await marks(":not(.original)").click();
    await open(`/admin/documents/${id}`);
    await page.locator("mark.pt-comment").waitFor();
    assertEquals(await page.locator("mark.pt-comment").allTextContents(), ["four"]);
    assertEquals(complaints, []);
  },
);

/** Whether an element is in the part of the page that the window shows. */
function inWindow(element: { getBoundingClientRect(): { top: number; bottom: number } }): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  // deno-lint-ignore no-explicit-any
  return top >= 0 && bottom <= (globalThis as any).innerHeight;
}
