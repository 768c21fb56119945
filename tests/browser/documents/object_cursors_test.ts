/** Where others are in tables and callouts, which objects they have selected, and that they have selected everything. */
import type { Page } from "playwright-core";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually, LiveStory } from "../../support/browser/live_story.ts";
import { inspect, pressKeys } from "../../support/browser/studio_visit.ts";
import { richText } from "../../support/browser/rich_text_visit.ts";

const block = (_key: string, text: string) => ({
  _type: "block",
  _key,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: "s0", text, marks: [] }],
});
const BODY = [
  block("first", "The lamp was lit."),
  { _type: "callout", _key: "note", tone: "note", content: [block("in", "Beacon by the sea")] },
  {
    _type: "table",
    _key: "table",
    headerRows: 0,
    rows: [{
      _type: "row",
      _key: "row",
      cells: ["c1", "c2"].map((key) => ({ _type: "cell", _key: key, value: [block("in", key)] })),
    }],
  },
  { _type: "horizontal-rule", _key: "rule" },
  { _type: "code", _key: "code", language: "", code: "let it = 1;" },
];

const caret = (page: Page) => richText(page).locator(".pt-caret");
const outline = (page: Page) => richText(page).locator(".pt-other-object");
const box = (page: Page) => page.locator("[data-others]");

browserTest(
  "users see each other in tables and callouts, and what objects are selected",
  async (browser) => {
    await using story = await LiveStory.begin({ subtitle: "What he saw", body: BODY });
    const ada = await story.open(browser, story.client.origin, "ada");
    const ben = await story.open(browser, story.client.origin, "ben");
    const inCallout = (page: Page) => page.getByRole("textbox", { name: "Text of the callout" });
    const inCell = (page: Page) => page.getByRole("textbox", { name: "Row 1, column 2" });

    await inCallout(ada.page).click();
    await pressKeys(ada.page, "Home", ...Array(6).fill("Shift+ArrowRight"));
    await eventually(
      "her selection is in the callout",
      async () =>
        await inCallout(ben.page).locator(".pt-other").allTextContents() + "" === "Beacon",
    );
    assertEquals(await inCallout(ben.page).locator(".pt-caret").textContent(), "Ada Lovelace");
    assertEquals(await box(ben.page).count(), 0);
    await inspect(ben.page, "object-cursors");
    await inCell(ada.page).click();
    await eventually(
      "her cursor is in the cell",
      async () => await inCell(ben.page).locator(".pt-caret").count() === 1,
    );
    assertEquals(await caret(ben.page).count(), 1);
    await ada.page.keyboard.type("!");
    await inCell(ben.page).getByText("c2!").waitFor();

    await pressKeys(ada.page, "Escape");
    await outline(ben.page).waitFor();
    assertEquals(await outline(ben.page).getAttribute("data-person"), "Ada Lovelace");
    assertEquals(await outline(ben.page).locator("table").count(), 1);
    assertEquals([await caret(ben.page).count(), await box(ben.page).count()], [0, 0]);
    await richText(ada.page).locator(".pt-divider").click();
    await eventually(
      "the rule is selected",
      async () => await outline(ben.page).locator("hr").count() === 1,
    );
    await richText(ada.page).locator(".pt-code-lines").click();
    await eventually(
      "she writes code",
      async () => await outline(ben.page).locator(".pt-code-lines").count() === 1,
    );

    await richText(ada.page).getByText("The lamp").click();
    await pressKeys(ada.page, "Control+a", "Control+a");
    await eventually(
      "everything is selected",
      async () => await outline(ben.page).count() === 4,
    );
    assertEquals(
      await richText(ben.page).locator(".pt-other").first().textContent(),
      "The lamp was lit.",
    );
    await pressKeys(ada.page, "Control+Home");
    await eventually("nothing is", async () => await outline(ben.page).count() === 0);
    assertEquals([...ada.complaints, ...ben.complaints], []);
  },
);
