/**
 * Code, tables, callouts, dividers and players inside of rich text: put in by the menu of a slash, by Markdown and by
 * the button, and written where they stand.
 */
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import { lines } from "../../support/browser/rich_text_lines.ts";
import {
  inspect,
  pressKeys,
  type StudioVisit,
  studioVisit,
} from "../../support/browser/studio_visit.ts";

/** What is typed without such a pause is undone together. */
const STEP_MS = 600;

/** What is stored once a version has all that was written. */
async function stored({ page, ask }: StudioVisit, id: string): Promise<string[]> {
  const area = page.locator('[data-name="body"] textarea.pt-source');
  for (;;) {
    await page.keyboard.press("Control+s");
    await page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();
    const { body } = (await ask("GET", `/documents/${id}`)).json;
    if (sameJson(JSON.parse(await area.inputValue()), body)) return lines(body);
  }
}

browserTest("code and tables are written where they stand, by keys alone", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  const id = await openRichText(visit);
  await richText(page).click();
  await page.keyboard.type("Before\n```ts\n");
  const code = page.getByRole("textbox", { name: "Code", exact: true });
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  await page.keyboard.type("if (a) {\n");
  await pressKeys(page, "Tab");
  await page.keyboard.type("b();\n");
  await pressKeys(page, "Shift+Tab");
  await page.keyboard.type("}");
  assertEquals(await page.getByLabel("Language of the code").inputValue(), "typescript");
  assertEquals(await code.inputValue(), "if (a) {\n  b();\n}");

  // Out below, and a table.
  await pressKeys(page, "ArrowDown");
  await page.keyboard.type("/tab");
  await pressKeys(page, "Enter");
  const cell = (row: number, column: number) =>
    page.getByRole("textbox", { name: `Row ${row}, column ${column}`, exact: true });
  await page.keyboard.type("Ship");
  await pressKeys(page, "Tab");
  await page.keyboard.type("**Crew** now");
  await pressKeys(page, "ArrowDown");
  await page.keyboard.type("12");
  await inspect(page, "table-in-text");
  await page.getByRole("button", { name: "Remove column" }).click();
  assertEquals(await cell(2, 3).count(), 0);
  await page.getByRole("button", { name: "Insert row below" }).click();
  await cell(4, 2).click();
  await pressKeys(page, "Tab");
  await page.keyboard.type("last");
  const table = "{table 1: Ship |  /  |  /  |  /  |  / last | }";
  assertEquals(await stored(visit, id), [
    "normal: Before",
    "{code typescript: if (a) {\n  b();\n}}",
    table,
    "normal: ",
  ]);

  // What is undone is undone in the whole text, and one stays where one writes.
  await page.waitForTimeout(STEP_MS);
  await page.keyboard.type(" one");
  await pressKeys(page, "Control+z");
  assertEquals((await stored(visit, id))[2], table);
  assert(await cell(5, 1).evaluate((text) => text === document.activeElement));
  // Escape leads to the whole, Delete takes it away.
  await pressKeys(page, "Escape", "Delete");
  assertEquals((await stored(visit, id)).length, 3);
  assertEquals(complaints, []);
});

browserTest("callouts, dividers and players come by the slash and by Markdown", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  const id = await openRichText(visit);
  await richText(page).click();
  await page.keyboard.type("/warn");
  await pressKeys(page, "Enter");
  await page.keyboard.type("Mind the **step**");
  await page.getByLabel("Tone of the callout").selectOption("Warning");
  await page.getByRole("textbox", { name: "Text of the callout" }).click();
  await pressKeys(page, "Control+End");
  await page.keyboard.type(" here");
  // The buttons above work on the text that one is in.
  await pressKeys(page, "Control+a");
  await page.getByRole("button", { name: "Italic" }).click();
  await pressKeys(page, "Control+End", "ArrowDown");
  await page.keyboard.type("---/youtube");
  await pressKeys(page, "Enter");
  const address = page.getByRole("textbox", { name: "URL", exact: true }).first();
  await address.fill("https://example.org/film");
  await page.getByText("The page will show a link: only players from YouTube").waitFor();
  await address.fill("https://youtu.be/dQw4w9WgXcQ");
  await page.getByRole("textbox", { name: "Title", exact: true }).last().fill("A song");
  await inspect(page, "objects-in-text");
  await pressKeys(page, "Enter");
  await page.keyboard.type("End");
  assertEquals(await stored(visit, id), [
    "{callout warning: <em>Mind the </><strong em>step here</>}",
    "{horizontal-rule}",
    "{embed: https://youtu.be/dQw4w9WgXcQ A song}",
    "normal: End",
  ]);
  await page.getByText("5 words · 1 min read").waitFor();
  assertEquals(complaints, []);
});

browserTest(
  "a block that the site has defined goes before an object of its name",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, ask } = visit;
    const fields = [{ name: "words", label: "Words", type: "text" }];
    await ask("POST", "/blocks", { name: "table", label: "Seating plan", fields });
    await openRichText(visit, [{ _type: "table", _key: "t", words: "By the window" }]);
    await page.getByRole("group", { name: "Seating plan" }).getByText("By the window").waitFor();
    const kinds = await page.getByLabel("Insert").locator("option").allInnerTexts();
    assertEquals(kinds, [
      "Insert …",
      "Image",
      "Code block",
      "Callout",
      "Divider",
      "Embed",
      "Seating plan",
    ]);
  },
);

browserTest("a block is dragged by the grip beside it, text and objects alike", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  const block = (text: string) => ({
    _type: "block",
    _key: text,
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s", text, marks: [] }],
  });
  const code = { _type: "code", _key: "c", language: "", code: "let a;" };
  const id = await openRichText(visit, [block("One"), block("Two"), code]);
  const text = richText(page);
  const grip = page.locator(".pt-grip");
  const dragAbove = async (words: string) => {
    const from = (await grip.boundingBox())!;
    const to = (await text.getByText(words).boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 1, to.y + 3, { steps: 6 });
    await page.mouse.move(to.x + 2, to.y + 4, { steps: 2 });
    // Whoever drags sees first where the block will come.
    await page.locator(".pt-drop").waitFor({ state: "attached" });
    await page.mouse.up();
  };
  await text.getByText("Two").hover();
  await dragAbove("One");
  assertEquals(await stored(visit, id), ["normal: Two", "normal: One", "{code : let a;}"]);
  await page.getByLabel("Language of the code").hover();
  await dragAbove("Two");
  assertEquals(await stored(visit, id), ["{code : let a;}", "normal: Two", "normal: One"]);
  assertEquals(complaints, []);
});
