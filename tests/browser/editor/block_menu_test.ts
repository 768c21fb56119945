/**
 * The menu of a block: by the handle beside it, and by keys alone.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import { lines } from "../../support/browser/rich_text_lines.ts";
import { inspect, pressKeys, studioVisit } from "../../support/browser/studio_visit.ts";

const block = (text: string) => ({
  _type: "block",
  _key: text,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text, marks: [] }],
});

browserTest("a block is turned into another one, copied, moved and deleted", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  const code = { _type: "code", _key: "c", language: "", code: "let a;" };
  await openRichText(visit, [block("One"), block("Two"), code]);
  const text = richText(page);
  const area = page.locator('[data-name="body"] textarea.pt-source');
  const written = async () => lines(JSON.parse(await area.inputValue()));
  const menu = page.getByRole("group", { name: "Block", exact: true });
  const choose = async (name: string) => {
    await menu.getByRole("button", { name, exact: true }).click();
    assertEquals(await menu.count(), 0);
  };

  await text.getByText("Two").hover();
  await page.locator(".pt-grip").click();
  assertEquals(await menu.getByRole("button", { name: "Text", exact: true }).count(), 0);
  await inspect(page, "block-menu");
  await choose("Heading");
  assertEquals(await written(), ["normal: One", "h2: Two", "{code : let a;}"]);

  await text.getByText("One").click();
  await pressKeys(page, "Control+/");
  await menu.getByRole("button", { name: "Heading", exact: true }).waitFor();
  assertEquals(await menu.locator(":focus").innerText(), "Heading");
  await pressKeys(page, "ArrowUp");
  assertEquals(await menu.locator(":focus").innerText(), "Delete");
  await pressKeys(page, "ArrowDown", "Escape");
  assertEquals(await menu.count(), 0);
  await pressKeys(page, "Control+/");
  assertEquals(await menu.getByRole("button", { name: "Move up" }).isDisabled(), true);
  await choose("Duplicate");
  assertEquals(await written(), ["normal: One", "normal: One", "h2: Two", "{code : let a;}"]);
  const keys = JSON.parse(await area.inputValue()).map(({ _key }: { _key: string }) => _key);
  assertEquals(new Set(keys).size, 4);
  await pressKeys(page, "Control+/");
  await choose("Delete");
  assertEquals(await written(), ["normal: One", "h2: Two", "{code : let a;}"]);

  await page.getByLabel("Language of the code").hover();
  await page.locator(".pt-grip").click();
  assertEquals(await menu.getByRole("button", { name: "Heading" }).count(), 0);
  await choose("Move up");
  assertEquals(await written(), ["normal: One", "{code : let a;}", "h2: Two"]);
  assertEquals(complaints, []);
});
