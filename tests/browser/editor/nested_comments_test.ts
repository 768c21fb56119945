/** Comments on words in tables and callouts: made from a selection, highlighted, and followed through changes. */
import type { Page } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import { saved } from "../../support/sites/review_site.ts";
import { colleague, inspect, pressKeys, studioVisit } from "../../support/browser/studio_visit.ts";

const block = (_key: string, text: string) => ({
  _type: "block",
  _key,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text, marks: [] }],
});
const cell = (_key: string, text: string) => ({
  _type: "cell",
  _key,
  value: [block("in", text)],
});
const BODY = [
  block("first", "Harbour with ships"),
  { _type: "callout", _key: "note", tone: "note", content: [block("in", "Beacon by the sea")] },
  {
    _type: "table",
    _key: "table",
    headerRows: 0,
    rows: [{ _type: "row", _key: "row", cells: [cell("c1", "Boats"), cell("c2", "Boats")] }],
  },
];

const highlights = (page: Page) => richText(page).locator("mark.pt-comment");
const card = (page: Page) => page.getByRole("region", { name: "Comments on these words" });
const panel = (page: Page) => page.getByRole("region", { name: "Comments", exact: true });
const button = (page: Page) => page.locator(".pt-selection:not([hidden]) .pt-comment-button");

/** Writes the text of the comment that has been begun. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator("#new-comment").fill(text);
  await panel(page).getByRole("button", { name: "Comment", exact: true }).click();
  await panel(page).getByText(text).waitFor();
  await page.getByRole("button", { name: "Close comments" }).click();
}

browserTest("words in tables and callouts are commented on", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, complaints } = visit;
  const id = await openRichText(visit, BODY);
  const callout = page.getByRole("textbox", { name: "Text of the callout" });
  const second = page.getByRole("textbox", { name: "Row 1, column 2" });

  await callout.getByText("Beacon").dblclick({ position: { x: 20, y: 8 } });
  await button(page).waitFor();
  await pressKeys(page, "Escape");
  await callout.click();
  await pressKeys(page, "Home", ...Array(6).fill("Shift+ArrowRight"));
  await inspect(page, "nested-selection");
  await button(page).click();
  assertEquals(await panel(page).locator("[data-quote]").textContent(), "Beacon");
  await write(page, "Which one?");
  await second.click();
  await pressKeys(page, "Home", "Shift+End", "Control+Alt+m");
  await write(page, "How many?");

  const read = async () => (await ask("GET", `/documents/${id}/comments`)).json.data;
  const place = (offset: number, ...path: string[]) => ({ key: "in", offset, path });
  const [one, other] = await read();
  assertEquals([one.anchor.quote, one.anchoredAt], [
    "Beacon",
    { start: place(0, "note"), end: place(6, "note") },
  ]);
  assertEquals([other.anchor.quote, other.anchoredAt.start], [
    "Boats",
    place(0, "table", "c2"),
  ]);
  assertEquals(await highlights(page).allTextContents(), ["Beacon", "Boats"]);

  // A new page has them, too, and the thread of each opens.
  await page.reload();
  await eventually("they are highlighted", async () => await highlights(page).count() === 2);
  assertEquals(await second.locator("mark").count(), 1);
  await second.locator("mark").click();
  await card(page).getByText("How many?").waitFor();
  await callout.locator("mark").click();
  await card(page).getByText("Which one?").waitFor();
  await pressKeys(page, "Control+Alt+m");
  await card(page).getByText("Which one?").waitFor();
  await page.keyboard.press("Escape");

  // A user who can only read sees them, too.
  const viewer = { email: "bea@example.org", displayName: "Bea", roles: ["viewer"] };
  const { context, page: reader } = await colleague(visit, viewer);
  await reader.goto(page.url());
  await eventually("they are highlighted", async () => await highlights(reader).count() === 2);
  assertEquals(await highlights(reader).allTextContents(), ["Beacon", "Boats"]);
  assertEquals(await reader.locator("[contenteditable=true], .pt-nested[role]").count(), 0);
  await reader.locator(".pt-table mark").click();
  await card(reader).getByText("How many?").waitFor();
  await context.close();

  // A correction keeps the highlight, in the callout and in the saved document.
  await callout.click();
  await pressKeys(page, "Home", "ArrowRight", "ArrowRight");
  await page.keyboard.type("x");
  assertEquals(await highlights(page).first().textContent(), "Bexacon");
  await saved(page);
  assertEquals(await highlights(page).first().textContent(), "Bexacon");
  assertEquals((await read())[0].anchoredAt.quote, "Bexacon");

  // The panel leads there, and says what was removed.
  await page.locator("[data-comments-toggle]").click();
  await panel(page).getByRole("button", { name: "Boats" }).click();
  await second.locator(".pt-flash").waitFor();
  await second.click();
  await pressKeys(page, "Control+a", "Delete");
  await saved(page);
  await eventually(
    "the words are gone",
    async () => (await read())[1].anchoredAt?.start.path[1] !== "c2",
  );
  assertEquals(complaints, []);
});

browserTest("texts that were stored without keys are commented on", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, complaints } = visit;
  const { _key, ...unnamed } = block("", "Beacon by the sea");
  const id = await openRichText(visit, [
    { _type: "callout", content: [unnamed] },
    {
      _type: "callout",
      content: [{ ...unnamed, children: [{ _type: "span", text: "Two lamps" }] }],
    },
    {
      _type: "table",
      rows: [
        { cells: [{ value: [unnamed] }, "Boats"] },
        { cells: [cell("twin", "Rain"), cell("twin", "Snow")] },
      ],
    },
  ]);
  const texts = (name: string) => page.getByRole("textbox", { name, exact: true });
  const passages = [
    [texts("Text of the callout").first(), "Beacon by the sea"],
    [texts("Text of the callout").last(), "Two lamps"],
    [texts("Row 1, column 1"), "Beacon by the sea"],
    [texts("Row 1, column 2"), "Boats"],
    [texts("Row 2, column 1"), "Rain"],
    [texts("Row 2, column 2"), "Snow"],
  ] as const;
  for (const [index, [text, words]] of passages.entries()) {
    assertEquals((await text.innerText()).trim(), words);
    await text.click();
    await pressKeys(page, "Home", "Shift+End", "Control+Alt+m");
    // A text of its own: the end of the request is seen by it, and two callouts have the same label.
    await write(page, `What about ${index}, ${await text.getAttribute("aria-label")}?`);
  }
  const comments = (await ask("GET", `/documents/${id}/comments`)).json.data;
  const found = comments.map(({ anchor, anchoredAt }: typeof comments[number]) => [
    anchor.quote,
    anchoredAt?.start.path.join() === anchor.start.path.join(),
  ]);
  assertEquals(found, passages.map(([, words]) => [words, true]));
  const paths = comments.map(({ anchor }: typeof comments[number]) => anchor.start.path.join());
  assertEquals(new Set(paths).size, passages.length);
  await page.reload();
  await eventually("they are highlighted", async () => await highlights(page).count() === 6);
  assertEquals(complaints, []);
});
