/** The toolbar above selected words, by mouse and by keys, and what hides it. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import { inspect, pressKeys, studioVisit } from "../../support/browser/studio_visit.ts";

const block = (text: string) => ({
  _type: "block",
  _key: text,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s", text, marks: [] }],
});

browserTest("selected words get a toolbar, which marks and links them", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints } = visit;
  await openRichText(visit, [block("Beacon"), block("Harbour")]);
  const text = richText(page);
  const toolbar = page.locator(".pt-selection");
  const button = (title: string) => toolbar.locator(`button[title^="${title}"]`);
  const area = page.locator('[data-name="body"] textarea.pt-source');
  const marks = async () =>
    JSON.parse(await area.inputValue()).map((one: { children: { marks: string[] }[] }) =>
      one.children.map(({ marks }) => marks.length).join()
    );
  assertEquals(await toolbar.isVisible(), false);

  await text.getByText("Beacon").click();
  await text.getByText("Harbour").dblclick({ position: { x: 20, y: 10 } });
  await toolbar.waitFor();
  await inspect(page, "selection-toolbar");
  const [words, box] = [await text.getByText("Harbour").boundingBox(), await toolbar.boundingBox()];
  assert(words !== null && box !== null && (box.y + box.height <= words.y || box.y > words.y));
  await button("Bold").click();
  assertEquals(await button("Bold").getAttribute("aria-pressed"), "true");
  assertEquals(await marks(), ["0", "1"]);
  await button("Link").click();
  await page.getByLabel("URL", { exact: true }).last().fill("https://example.org");
  await page.getByRole("button", { name: "Save link" }).click();
  await toolbar.waitFor();
  assertEquals(await marks(), ["0", "2"]);
  assertEquals(await button("Link").getAttribute("aria-pressed"), "true");

  await pressKeys(page, "Escape");
  assertEquals(await toolbar.isVisible(), false);
  await text.getByText("Beacon").click();
  await pressKeys(page, "Home", "Shift+End");
  await toolbar.waitFor();
  await pressKeys(page, "ArrowRight");
  assertEquals(await toolbar.isVisible(), false);
  await pressKeys(page, "Shift+Home");
  await toolbar.waitFor();
  await page.getByLabel("Title", { exact: true }).click();
  assertEquals(await toolbar.isVisible(), false);
  assertEquals(complaints, []);
});
