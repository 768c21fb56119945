/**
 * The editor of rich text: typed, formatted, pasted, saved, by mouse and by keyboard.
 */
import type { Locator, Page } from "playwright-core";
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import { PASTED } from "../../support/browser/pasted_corpus.ts";
import { lines } from "../../support/browser/rich_text_lines.ts";
import {
  inspect,
  picture,
  pressKeys,
  type StudioVisit,
  studioVisit,
} from "../../support/browser/studio_visit.ts";

// deno-lint-ignore no-explicit-any
type Block = any;

const saved = (page: Page) => page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();

/** What is stored once it is, in short: one line per block. */
async function stored({ page, ask }: StudioVisit, id: string): Promise<string[]> {
  await page.keyboard.press("Control+s");
  await saved(page);
  const { body } = (await ask("GET", `/documents/${id}`)).json;
  return lines(body ?? []);
}

browserTest("rich text is typed with Markdown, a menu, keys and buttons", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  const id = await openRichText(visit);
  const text = richText(page);
  await inspect(page, "rich-text-empty");

  await text.click();
  await page.keyboard.type("## What the keeper saw\nThe **sea** is *never* `dark`.\n- one\ntwo\n");
  await page.keyboard.press("Tab");
  await page.keyboard.type("deeper\n\n\n1. first\n\n> Said so\n");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("/sub");
  await page.locator(".pt-choice", { hasText: "Subheading" }).waitFor();
  await inspect(page, "rich-text-slash");
  await page.keyboard.press("Enter");
  await page.keyboard.type("After the storm\nCalm");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("and clear");
  assertEquals(await stored(visit, id), [
    "h2: What the keeper saw",
    "normal: The <strong>sea</> is <em>never</> <code>dark</>.",
    "bullet 1: one",
    "bullet 1: two",
    "bullet 2: deeper",
    "number 1: first",
    "blockquote: Said so",
    "h3: After the storm",
    "normal: Calm\nand clear",
  ]);

  await text.press("Control+a");
  await page.keyboard.press("Control+b");
  const bold = page.getByRole("button", { name: "Bold" });
  assertEquals(await bold.getAttribute("aria-pressed"), "true");
  await bold.click();
  await pressKeys(page, "Control+End", "Shift+Home");
  await page.keyboard.press("Control+k");
  await page.locator("dialog[open]").getByLabel("URL").fill("javascript:alert(1)");
  await page.keyboard.press("Enter");
  await page.getByText("Links of this kind are not allowed").waitFor();
  await inspect(page, "rich-text-link");
  await page.locator("dialog[open]").getByLabel("URL").fill("lantern.example/log");
  await page.keyboard.press("Enter");
  await page.getByLabel("Style").selectOption("Quote");
  await page.getByRole("button", { name: "Numbered list" }).click();
  const after = await stored(visit, id);
  assertEquals(after.at(-1), "number 1: Calm\n<https://lantern.example/log>and clear</>");
  await inspect(page, "rich-text-full");

  await page.reload();
  await page.locator(".pt-text").waitFor();
  assertEquals(await page.locator(".pt-text > [data-list]").count(), 5);
  await page.getByRole("toolbar").getByLabel("Style").focus();
  await page.keyboard.press("ArrowRight");
  assertEquals(await bold.evaluate((button) => button === document.activeElement), true);
  assertEquals(complaints, []);
});

const UNKNOWN = [
  { _type: "callout", _key: "c1", tone: "warm", parts: [{ deep: true }] },
  {
    _type: "block",
    _key: "b1",
    style: "lead",
    extra: 7,
    markDefs: [{ _type: "comment", _key: "m1", by: "Ben" }],
    children: [
      { _type: "span", _key: "s1", text: "Kept ", marks: ["highlight"] },
      { _type: "emoji", _key: "e1", name: "wave" },
      { _type: "span", _key: "s2", text: "and noted", marks: ["m1"] },
    ],
  },
];

browserTest("rich text keeps what it does not know, through every edit", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask } = visit;
  const id = await openRichText(visit, UNKNOWN);

  await page.locator("summary", { hasText: "callout is kept unchanged" }).waitFor();
  await inspect(page, "rich-text-unknown");
  await page.locator(".pt-annotation").click();
  await pressKeys(page, "End");
  await page.keyboard.type("!\nNew");
  await stored(visit, id);
  const { body } = (await ask("GET", `/documents/${id}`)).json;

  assertEquals(body[0], UNKNOWN[0]);
  const children = (UNKNOWN[1]!.children as Block[]).toSpliced(
    2,
    1,
    { _type: "span", _key: "s2", text: "and noted", marks: ["m1"] },
    { _type: "span", _key: body[1].children[3]._key, text: "!", marks: [] },
  );
  assertEquals(body[1], { ...UNKNOWN[1], children });
  assertEquals(lines(body.slice(2)), ["normal: New"]);
});

/** How long after the focus the editor mistrusts what happens to the caret, and a little longer. */
const FOCUS_MS = 250;

/** Puts what a program has copied at the cursor. */
async function paste(text: Locator, { html = "", plain = "" }): Promise<void> {
  await text.evaluate((element, given) => {
    const clipboardData = new DataTransfer();
    if (given.html !== "") clipboardData.setData("text/html", given.html);
    clipboardData.setData("text/plain", given.plain);
    const options = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", options));
  }, { html, plain });
}

browserTest("rich text makes clean text of what is pasted", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  const id = await openRichText(visit);
  const text = richText(page);

  for (const [program, { html = "", text: plain = "", gives, says }] of Object.entries(PASTED)) {
    await text.focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.type("x");
    await page.keyboard.press("Backspace");
    await page.getByLabel("Style").selectOption("Text");
    await paste(text, { html, plain });
    // It is said for some seconds only.
    if (says !== undefined) await page.getByText(says).waitFor();
    assertEquals(await stored(visit, id), gives, program);
  }
  assertEquals(await page.evaluate("window.hurt"), undefined);
  await picture(page, "rich-text-pasted");

  await text.focus();
  // ProseMirror takes a caret that goes to the beginning so soon for the browser's doing, and puts it back.
  await page.waitForTimeout(FOCUS_MS);
  await pressKeys(page, "Control+a", "Delete");
  await page.keyboard.type("Ships");
  await pressKeys(page, "Control+Home", "Control+Shift+ArrowRight");
  await page.getByText("1 of 1 word", { exact: true }).waitFor();
  await paste(text, { plain: "https://example.org/ships" });
  assertEquals((await stored(visit, id))[0], "normal: <https://example.org/ships>Ships</>");
  // The policy of the page forbids styles and scripts of others: none was tried.
  assertEquals(complaints, []);
});

browserTest("rich text is copied, cut, undone and read only as one expects", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, complaints } = visit;
  const block = (key: string, text: string) => ({
    _type: "block",
    _key: key,
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "s", text, marks: [] }],
  });
  const body = [block("one", "First"), block("two", "Second")];
  const id = await openRichText(visit, body);
  const text = richText(page);

  await text.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Gone");
  assertEquals(await stored(visit, id), ["normal: Gone"]);
  await page.keyboard.press("Control+z");
  assertEquals(await stored(visit, id), ["normal: First", "normal: Second"]);
  assertEquals((await ask("GET", `/documents/${id}`)).json.body, body);

  await pressKeys(page, "Control+Home", "Shift+ArrowDown");
  await text.evaluate((element) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true }));
    (globalThis as unknown as { kept: DataTransfer }).kept = clipboardData;
  });
  await pressKeys(page, "Control+End");
  await page.keyboard.press("Enter");
  await text.evaluate((element) => {
    const clipboardData = (globalThis as unknown as { kept: DataTransfer }).kept;
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  const copied = await stored(visit, id);
  assertEquals(copied.slice(0, 3), ["normal: First", "normal: Second", "normal: First"]);
  const keys = (await ask("GET", `/documents/${id}`)).json.body.map(({ _key }: Block) => _key);
  assertEquals(keys.slice(0, 2), ["one", "two"]);
  assertEquals(new Set(keys).size, keys.length);

  await ask("DELETE", `/documents/${id}`);
  await visit.open(`/admin/documents/${id}`);
  await page.locator(".pt-text").waitFor();
  assertEquals(await page.getByRole("toolbar").count(), 0);
  assertEquals(await text.getAttribute("contenteditable"), "false");
  assertStringIncludes(await text.innerText(), "Second");
  await inspect(page, "rich-text-read-only");
  assert(complaints.length === 0, complaints.join("\n"));
});
