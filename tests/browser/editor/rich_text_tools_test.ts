/**
 * What helps with a long rich text: finding and replacing, an outline, the text alone on the screen.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { richText } from "../../support/browser/rich_text_visit.ts";
import { inspect, studioVisit } from "../../support/browser/studio_visit.ts";

const block = (_key: string, ...texts: [text: string, mark?: string][]) => ({
  _type: "block",
  _key,
  style: "normal",
  markDefs: [],
  children: texts.map(([text, mark], n) => ({
    _type: "span",
    _key: `${_key}${n}`,
    text,
    marks: mark === undefined ? [] : [mark],
  })),
});

browserTest("words of a rich text are found, and one or all replaced", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, open, complaints } = visit;
  const fields = [{ name: "body", label: "Body", type: "rich_text" }];
  await ask("POST", "/collections", { slug: "posts", name: "Posts", fields });
  const body = [
    block("a", ["The light. A li"], ["ght", "strong"], [" far off."]),
    block("b", ["Light costs $1."]),
  ];
  const { json } = await ask("POST", "/documents", { collection: "posts", title: "Night", body });
  await open(`/admin/documents/${json.id}`);
  await richText(page).click();

  await page.keyboard.press("Control+f");
  const bar = page.getByRole("search", { name: "Find and replace" });
  const find = bar.getByLabel("Find", { exact: true });
  await find.fill("light");
  await bar.getByText("3 matches").waitFor();
  await find.press("Enter");
  await bar.getByText("1 of 3").waitFor();
  await find.press("Shift+Enter");
  await bar.getByText("3 of 3").waitFor();
  await inspect(page, "find-replace");

  await find.fill("ligh");
  await bar.getByText("3 matches").waitFor();
  await bar.getByLabel("Whole word").check();
  await bar.getByText("No matches").waitFor();
  await bar.getByLabel("Whole word").uncheck();
  await find.fill("light");
  await bar.getByLabel("Match case").check();
  await bar.getByText("2 matches").waitFor();
  await find.press("Enter");
  await bar.getByText("1 of 2").waitFor();
  await bar.getByLabel("Replace with").fill("$& lamp");
  await bar.getByLabel("Replace with").press("Enter");
  await bar.getByText("1 of 1").waitFor();
  await bar.getByLabel("Match case").uncheck();
  await bar.getByLabel("Replace with").fill("glow");
  await bar.getByRole("button", { name: "Replace all" }).click();
  await bar.getByText("2 replaced").waitFor();
  await find.press("Escape");
  await bar.waitFor({ state: "hidden" });
  assertEquals(await page.locator(".ProseMirror-search-match").count(), 0);

  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();
  const { body: stored } = (await ask("GET", `/documents/${json.id}`)).json;
  const texts = stored.map(({ children }: { children: { text: string; marks: string[] }[] }) =>
    children.map(({ text }) => text).join("")
  );
  assertEquals(texts, ["The $& lamp. A glow far off.", "glow costs $1."]);
  assertEquals(complaints, []);
});

browserTest(
  "a text is written alone on the screen, and its headings lead through it",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, ask, open, complaints } = visit;
    const fields = [
      { name: "body", label: "Body", type: "rich_text" },
      { name: "lead", label: "Lead", type: "text" },
    ];
    await ask("POST", "/collections", { slug: "posts", name: "Posts", fields });
    const heading = (key: string, style: string, text: string) => ({
      ...block(key, [text]),
      style,
    });
    const body = [
      heading("a", "h2", "Light"),
      ...Array.from({ length: 40 }, (_, n) => block(`p${n}`, [`Paragraph ${n}.`])),
      heading("b", "h3", "Wind"),
      block("c", ["The end."]),
    ];
    const { json } = await ask("POST", "/documents", { collection: "posts", title: "Night", body });
    await open(`/admin/documents/${json.id}`);
    const text = richText(page);
    const outline = page.getByLabel("Outline");
    // One line of tools at this width, with the outline: they do not move the text when they come.
    await outline.waitFor();
    const bar = (await page.locator(".pt-menu").boundingBox())!;
    const [last, words] = await Promise.all([outline, text].map((one) => one.boundingBox()));
    assertEquals(last!.y < bar.y + 12, true, "the tools break into two lines");
    const left = (await page.getByLabel("Title", { exact: true }).boundingBox())!.x;
    assertEquals(words!.x, left, "the text begins where its title does");
    await outline.selectOption({ label: "\u2003Wind" });
    await page.waitForFunction(() => document.activeElement?.classList.contains("pt-text"));
    await page.keyboard.type("North ");
    await text.getByText("North Wind").waitFor();
    assertEquals(await outline.inputValue(), "1");

    await page.getByRole("button", { name: "Full screen" }).click();
    await page.getByLabel("Lead", { exact: true }).waitFor({ state: "hidden" });
    await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
    await page.keyboard.type("Strong ");
    await page.locator("[data-save-state]").getByText(/saved/i).waitFor();
    await inspect(page, "full-screen");
    await page.keyboard.press("Escape");
    await page.getByLabel("Lead", { exact: true }).waitFor();
    assertEquals(complaints, []);
  },
);
