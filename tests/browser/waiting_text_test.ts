/** Until its editor has come, a text stands where the editor will show it: nothing moves under the eyes. */
import type { Page } from "playwright-core";
import type { Json } from "../../kv/model/entity.ts";
import { assertEquals } from "../support/assert.ts";
import { browserTest } from "../support/chromium.ts";
import { magazine } from "../support/studio_site.ts";
import { studioVisit } from "../support/studio_visit.ts";

const WORDS = "Every four hours the clockwork is wound; in between there is the log, and tea. ";

const block = ([style, text]: readonly [string, string], index: number): Json => ({
  _type: "block",
  _key: `b${index}`,
  style,
  markDefs: [],
  children: [{ _type: "span", _key: "s", text, marks: [] }],
});

/** Short lines, long ones, headings; then fewer than fill the least height of the editor. */
const TEXTS: Json[] = [
  [
    ["normal", "The lamp is lit."],
    ["normal", "It burns."],
    ["h2", "What the keeper does"],
    ["normal", WORDS.repeat(5)],
    ["h3", "And then"],
    ["normal", "Nothing."],
    ["normal", WORDS],
    ["normal", "Until the morning."],
  ] as const,
  [["normal", "The lamp is lit."]] as const,
].map((lines) => lines.map(block));

/** Where the blocks of the text stand, and the field behind it. */
const placesOf = (page: Page, blocks: string) =>
  page.evaluate((blocks) => {
    const yOf = (element: Element | null) =>
      Math.round(element!.getBoundingClientRect().top + scrollY);
    const text = document.querySelector("[data-name=body]")!;
    return [...[...text.querySelectorAll(blocks)].map(yOf), yOf(text.nextElementSibling)];
  }, blocks);

browserTest("a text stands where its editor will show it", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  await magazine(visit);
  for (const [index, body] of TEXTS.entries()) {
    const title = `Text ${index}`;
    const { json } = await ask("POST", "/documents", { collection: "posts", title, body });
    for (const width of [375, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      let letCome = () => {};
      const mayCome = new Promise<void>((resolve) => letCome = resolve);
      await page.route("**/portable_text_editor*", async (route) => {
        await mayCome;
        await route.continue();
      });
      await open(`/admin/documents/${json.id}`);
      await page.evaluate("document.fonts.ready.then(() => {})");
      const before = await placesOf(page, ".pt-read > :not(.help)");
      letCome();
      await page.locator(".pt-text").waitFor();
      assertEquals(await placesOf(page, ".pt-text > *"), before, `${title} at ${width}`);
      await page.unroute("**/portable_text_editor*");
    }
  }
});
