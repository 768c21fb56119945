/**
 * Links to blocks, and the menu of a block on a touch screen.
 */
import type { Page } from "playwright-core";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isWholeRun } from "../../support/harness/whole_run.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import {
  findings,
  pressKeys,
  studioVisit,
  WIDTH_RULES,
} from "../../support/browser/studio_visit.ts";

const block = (text: string): Json => ({
  _type: "block",
  _key: `key ${text}`,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text, marks: [] }],
});
const menuOf = (page: Page) => page.getByRole("group", { name: "Block", exact: true });

browserTest("a link to a block opens its tab, scrolls to it and flashes it", async (browser) => {
  await using visit = await studioVisit(browser, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page, ask, open, complaints } = visit;
  const code = { _type: "code", _key: "the code", language: "", code: "let a;" };
  const many = Array.from({ length: 60 }, (_, n) => block(`Paragraph ${n}`));
  const id = await openRichText(visit, [...many, block("Last words"), code]);

  await richText(page).getByText("Last words").click();
  await pressKeys(page, "Control+/");
  await menuOf(page).getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assertEquals(copied.endsWith(`/admin/documents/${id}?block=key+Last+words`), true, copied);

  // The text is on a tab that is not open at first.
  await ask("PATCH", "/collections/posts/fields/body", { options: { tab: "Words" } });
  await open(new URL(copied).pathname + new URL(copied).search);
  const flash = page.locator(".pt-flash");
  await flash.waitFor();
  assertEquals(await flash.innerText(), "Last words");
  const seen = page.viewportSize()!.height;
  await page.waitForFunction((height) => {
    const { top = -1, bottom = 0 } = document.querySelector(".pt-flash")?.getBoundingClientRect() ??
      {};
    return top > 0 && bottom < height;
  }, seen);
  await flash.waitFor({ state: "detached" });
  // Looking changes nothing.
  assertEquals((await ask("GET", `/versions/document/${id}`)).json.data.length, 1);

  await open(`/admin/documents/${id}?block=the+code`);
  await flash.waitFor();
  assert((await flash.getAttribute("class"))?.includes("pt-object"));
  await open(`/admin/documents/${id}?block=gone`);
  await page.getByText("That block is no longer in the document.").waitFor();
  assertEquals(complaints, []);
});

browserTest("a key acts where the cursor is, before the browser reports it", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  await openRichText(visit, [block("One"), block("Two")]);
  await page.evaluate(() => {
    addEventListener("selectionchange", (event) => {
      if (event.isTrusted) event.stopImmediatePropagation();
    }, true);
  });
  await richText(page).getByText("Two").click();
  await page.keyboard.press("Control+/");
  await menuOf(page).getByRole("button", { name: "Duplicate" }).click();
  assertEquals(await richText(page).locator("p").allInnerTexts(), ["One", "Two", "Two"]);
  assertEquals(complaints, []);
});

browserTest(
  "on a touch screen, a handle at the block with the cursor opens its menu",
  async (browser) => {
    await using visit = await studioVisit(browser, {
      viewport: { width: 375, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    const { page, complaints } = visit;
    await openRichText(visit, [block("One"), block("Two")]);
    const grip = page.locator(".pt-grip");
    assertEquals(await grip.isVisible(), false);
    await richText(page).getByText("Two").tap();
    await grip.waitFor();
    const { x, y, width, height } = (await grip.boundingBox())!;
    const two = (await richText(page).getByText("Two").boundingBox())!;
    assert(width >= 24 && height >= 24 && x >= 0 && x + width <= 375, `${x} ${width}`);
    assert(y < two.y + two.height && y + height > two.y, "the handle is beside its block");
    await grip.tap();
    await menuOf(page).getByRole("button", { name: "Copy link" }).waitFor();
    const menu = (await menuOf(page).boundingBox())!;
    assert(menu.y >= y + height - 1 || menu.y + menu.height <= y + 1, "the menu is at the handle");
    assert(menu.x >= 0 && menu.x + menu.width <= 375);
    if (isWholeRun) assertEquals(await findings(page, WIDTH_RULES), []);
    await menuOf(page).getByRole("button", { name: "Move up" }).tap();
    assertEquals(await richText(page).locator("p").allInnerTexts(), ["Two", "One"]);
    assertEquals(complaints, []);
  },
);
