/**
 * Comparisons of rich texts: in one column or two, by keys from one change to the next.
 */
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, pressKeys, studioVisit } from "../../support/browser/studio_visit.ts";

/** Paragraphs with these words; the first one is a heading, the last ones are a list. */
function text(...words: string[]) {
  return words.map((words, n) => ({
    _type: "block",
    _key: `k${n}`,
    style: n === 0 ? "h2" : "normal",
    ...(n > 6 && { listItem: "number", level: 1 }),
    children: [{ _type: "span", _key: `s${n}`, text: words, marks: n === 1 ? ["strong"] : [] }],
  }));
}

const BEFORE = [
  "Lamps of the coast",
  "Written in bold",
  "The third paragraph stays",
  "So does the fourth",
  "And the fifth",
  "An old lamp burns all night, and ships pass it at a distance",
  "Before the list",
  "One",
  "Two",
  "Three",
];
const AFTER = [
  "Lights of the coast",
  "Written in bold",
  "The third paragraph stays",
  "So does the fourth",
  "And the fifth",
  "A new lamp burns all night, and ships pass it close by",
  "Before the list",
  "One",
  "Two",
  "Four",
];

browserTest(
  "a comparison of texts goes from change to change, beside each other",
  async (browser) => {
    await using visit = await studioVisit(browser, { viewport: { width: 1280, height: 720 } });
    const { page, open, ask, complaints } = visit;
    await ask("POST", "/collections", {
      slug: "notes",
      name: "Notes",
      fields: [
        { name: "lead", label: "Lead", type: "text" },
        { name: "body", label: "Body", type: "rich_text" },
      ],
    });
    const note = { collection: "notes", title: "Light", lead: "First", body: text(...BEFORE) };
    const { json: { id } } = await ask("POST", "/documents", note);
    await ask("POST", `/documents/${id}/publish`);
    await ask("PATCH", `/documents/${id}/working-copy`, { lead: "Second", body: text(...AFTER) });

    await open(`/admin/documents/${id}/changes`);
    const label = page.locator("[data-step]");
    assertEquals(await label.innerText(), "4 changes");
    const old = page.locator(".diff-was", { hasText: "An old lamp" });
    const now = page.locator(".diff-is", { hasText: "A new lamp" });
    const [left, right] = [(await old.boundingBox())!, (await now.boundingBox())!];
    assertEquals(left.x + left.width <= right.x && left.y === right.y, true, "side by side");
    await inspect(page, "comparison-wide");
    const fold = page.locator("summary", { hasText: "2 unchanged blocks" });
    assertEquals(await page.getByText("So does the fourth").first().isVisible(), false);
    await fold.click();
    assertEquals(
      await page.locator(".diff-is", { hasText: "So does the fourth" }).isVisible(),
      true,
    );

    await page.getByRole("button", { name: "Next" }).click();
    assertEquals(await label.innerText(), "1 of 4 changes");
    await pressKeys(page, "n", "n");
    assertEquals(await label.innerText(), "3 of 4 changes");
    assertEquals(
      await page.locator("[data-current-change]").filter({ visible: true }).innerText().then((
        words,
      ) => words.includes("A new lamp")),
      true,
    );
    await pressKeys(page, "p", "p", "p");
    assertEquals(await label.innerText(), "4 of 4 changes");
    await pressKeys(page, "n");
    assertEquals(await label.innerText(), "1 of 4 changes");
    await pressKeys(page, "?", "n");
    assertEquals(await label.innerText(), "1 of 4 changes", "not under a dialog");

    await page.setViewportSize({ width: 375, height: 720 });
    await open(`/admin/documents/${id}/changes`);
    assertEquals(await old.isVisible(), false);
    const both = page.locator(".diff-both", { hasText: "An old" });
    assertEquals(await both.locator("del").first().innerText(), "An old ");
    assertEquals(await both.locator("ins").first().innerText(), "A new ");
    const marker = await page.locator(".diff-both [data-marker]").first().getAttribute(
      "data-marker",
    );
    assertEquals(marker, "3.");
    await inspect(page, "comparison-narrow");
    assertEquals(complaints, []);
  },
);
