/** Cursors and selections of other users in a rich text, in place of a box around the field. */
import type { Page } from "playwright-core";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually, LiveStory } from "../../support/browser/live_story.ts";
import { LiveClient } from "../../support/browser/live_client.ts";
import { inspect, pressKeys, studioVisit } from "../../support/browser/studio_visit.ts";
import { cursorRead, openRichText, richText } from "../../support/browser/rich_text_visit.ts";

const block = (_key: string, text: string) => ({
  _type: "block",
  _key,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s0", text, marks: [] }],
});
const BODY = [block("first", "The lamp was lit."), block("second", "Then it went out.")];

const caret = (page: Page) => richText(page).locator(".pt-caret");
const box = (page: Page) => page.locator("[data-others]");

/** The text before the caret of another user, in its block. */
async function before(page: Page): Promise<string> {
  return await richText(page).evaluate((text) => {
    // deno-lint-ignore no-explicit-any
    const { document } = globalThis as any;
    const carets = text.querySelectorAll(".pt-caret");
    const [caret] = carets;
    if (carets.length !== 1 || caret === undefined) return `${carets.length} carets`;
    const range = document.createRange();
    range.selectNodeContents(caret.closest("[data-key]"));
    range.setEndBefore(caret);
    return String(range);
  });
}

/** A presence message of a page. */
interface Sent {
  at: number;
  selection: unknown;
}

/** Notes the presence messages that a page sends from now on. */
function notePresence(page: Page, sent: Sent[]): void {
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const { type, selection } = JSON.parse(String(payload));
      if (type === "presence") sent.push({ at: performance.now(), selection });
    }));
}

browserTest("users see each other's cursors and selections in a text", async (browser) => {
  await using story = await LiveStory.begin({ subtitle: "What he saw", body: BODY });
  const second = await story.startProcess();
  const sent: Sent[] = [];
  const note = (page: Page) => notePresence(page, sent);
  const ada = await story.open(browser, story.client.origin, "ada", note);
  await richText(ada.page).click();
  await pressKeys(ada.page, "Control+Home");
  await ada.page.keyboard.type("Alone. ");
  await ada.page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();
  await pressKeys(ada.page, "ArrowLeft", "ArrowLeft", "Control+Home");
  await cursorRead(ada.page);
  const cursors = sent.filter(({ selection }) => selection !== null && selection !== undefined);
  assertEquals(cursors, [], "no cursor is sent while no other user is here");
  sent.length = 0;

  const ben = await story.open(browser, story.client.origin, "ben");
  await eventually("Ben sees Ada's cursor", async () => await caret(ben.page).count() === 1);
  assertEquals(await before(ben.page), "");
  assertEquals(await caret(ben.page).textContent(), "Ada Lovelace");
  assertEquals(await box(ben.page).count(), 0);

  // The cursor moves, words are selected, and both follow the words that are typed before them.
  await pressKeys(ada.page, "Control+End", "Shift+Home");
  await richText(ben.page).locator(".pt-other").waitFor();
  assertEquals(await richText(ben.page).locator(".pt-other").textContent(), "Then it went out.");
  await inspect(ben.page, "text-cursors");
  await richText(ben.page).click();
  await pressKeys(ben.page, "Control+Home");
  await ben.page.keyboard.type("Ben: ");
  await eventually(
    "Ada sees his words, and his cursor behind them",
    async () => await before(ada.page) === "Ben: ",
  );
  await pressKeys(ada.page, "Control+Home", ...Array(10).fill("ArrowRight"));
  await eventually(
    "her cursor is behind his words",
    async () => await before(ben.page) === "Ben: Alone",
  );
  const typed = "and then, slowly, the wind rose";
  const began = performance.now();
  sent.length = 0;
  await ada.page.keyboard.type(typed, { delay: 30 });
  await eventually(
    "it follows what she types",
    async () => (await before(ben.page)).endsWith(typed),
  );
  assertEquals(await before(ben.page), `Ben: Alone${typed}`);
  const seconds = (performance.now() - began) / 1_000;
  assert(sent.length <= 4 * seconds + 2, `${sent.length} in ${seconds} s`);
  // She sees his, which is where it was.
  assertEquals(await before(ada.page), "Ben: ");

  // The name fades, and comes back when the cursor moves or the mouse is over it.
  const opacity = () =>
    ben.page.locator(".pt-caret-name").evaluate((one) =>
      // deno-lint-ignore no-explicit-any
      Number((globalThis as any).getComputedStyle(one).opacity)
    );
  await eventually("the name is gone", async () => await opacity() === 0);
  await caret(ben.page).hover();
  assertEquals(await opacity(), 1);
  await ben.page.mouse.move(5, 5);
  await pressKeys(ada.page, "ArrowLeft");
  await eventually("the name is back", async () => await opacity() === 1);

  // Other fields have a box, and a text without a cursor in it has one, too.
  await ada.page.getByLabel("Subtitle").focus();
  await ben.page.locator("[data-name=subtitle] > .here", { hasText: "Ada Lovelace" }).waitFor();
  assertEquals(await caret(ben.page).count(), 0);
  await ben.page.getByLabel("Subtitle").focus();
  await eventually("his cursor is gone", async () => await caret(ada.page).count() === 0);

  // None of it is part of the text, and users of another process see it, too.
  const far = await story.open(browser, second.origin, "ben");
  await richText(far.page).click();
  await pressKeys(far.page, "Control+End");
  await eventually(
    "the other process shows it",
    async () => await before(ada.page) === "Then it went out.",
  );
  assert(!JSON.stringify((await story.read()).body).includes("Carter"));
  await far.context.close();
  await eventually("it leaves with its user", async () => await caret(ada.page).count() === 0);

  // Alone again, only the field is announced.
  await ben.context.close();
  await ada.page.locator("[data-people] .person").waitFor({ state: "detached" });
  sent.length = 0;
  await richText(ada.page).click();
  await pressKeys(ada.page, "Control+Home", "ArrowRight", "Shift+ArrowRight");
  await ada.page.keyboard.type("Alone again", { delay: 100 });
  assertEquals(sent.map(({ selection }) => selection), [null]);
  assertEquals([...ada.complaints, ...ben.complaints, ...far.complaints], []);
});

browserTest(
  "a cursor beyond the text waits at its end for the words before it",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, origin, complaints } = visit;
    const id = await openRichText(visit, BODY);
    await using other = await LiveClient.connect(origin, visit.cookie(), id);
    await other.next("state");
    const place = { key: "first", offset: 20 };
    other.send({ type: "presence", path: "body", selection: { anchor: place, head: place } });
    await eventually(
      "it is at the end of its block",
      async () => await before(page) === "The lamp was lit.",
    );
    await other.change({ body: [block("first", "The lamp was lit at dusk."), BODY[1]!] });
    await eventually(
      "it has its place",
      async () => await before(page) === "The lamp was lit at ",
    );
    assertEquals(complaints, []);
  },
);
