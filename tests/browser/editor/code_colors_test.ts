/**
 * Code in rich text has colors while one writes: those of its language, legible by day and by night, and exactly where
 * the words are.
 */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { openRichText } from "../../support/browser/rich_text_visit.ts";
import { inspect, pressKeys, studioVisit } from "../../support/browser/studio_visit.ts";

const CODE = `// A lamp
export class Lamp<T> extends Light {
  #hours = 12 / 7;
  name = \`the \${this.of} lamp\`;
  lit(at: Date): boolean {
    return /dusk|dawn/.test(String(at)) && true;
  }
}`;
/** What the rules for documents ask for, of small words. */
const CONTRAST_MIN = 4.5;

/** The words in colors with the contrast that each has on what is behind them. */
const CONTRASTS = `[...document.querySelectorAll(".pt-code-colors span")].map((part) => {
  const channels = (color) => {
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => value / 255);
  };
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((value) =>
      value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = getComputedStyle(part.closest(".pt-code")).backgroundColor;
  const [one, other] = [getComputedStyle(part).color, behind].map(luminance).sort((a, b) => b - a);
  return [part.className, (one + 0.05) / (other + 0.05)];
})`;

const code = (text: string, language: string) => ({
  _type: "code",
  _key: "c",
  language,
  code: text,
});

browserTest(
  "code is colored by its language, legibly, and loaded only where there is code",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, ask, open, complaints } = visit;
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    const isLoaded = () => loaded.some((url) => url.includes("code_colors"));
    const id = await openRichText(visit, [code("let plain = 1;", "")]);
    await page.getByRole("textbox", { name: "Code", exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    assert(!isLoaded(), "plain text needs no colors");

    await page.getByLabel("Language of the code").selectOption("TypeScript");
    await page.locator(".code-keyword", { hasText: "let" }).waitFor();
    assert(isLoaded());
    await page.getByLabel("Language of the code").selectOption("Plain text");
    assertEquals(await page.locator(".pt-code-colors span").count(), 0);

    const language = "typescript";
    assertEquals(
      (await ask("PATCH", `/documents/${id}`, { body: [code(CODE, language)] })).status,
      200,
    );
    await open(`/admin/documents/${id}`);
    await page.locator(".code-comment", { hasText: "A lamp" }).waitFor();
    const kinds = new Set<string>();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const contrasts = await page.evaluate(CONTRASTS) as [string, number][];
      for (const [kind, contrast] of contrasts) {
        kinds.add(kind);
        assert(contrast >= CONTRAST_MIN, `${kind}, ${colorScheme}: ${contrast}`);
      }
    }
    for (const kind of ["keyword", "comment", "string", "number", "regexp", "title class_"]) {
      assert(kinds.has(`code-${kind}`), `${kind} is not among ${[...kinds].join(", ")}`);
    }
    await inspect(page, "code-colors");
    assertEquals(complaints, []);
  },
);

browserTest(
  "colors of code lie where its words are, and follow what is typed",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, complaints } = visit;
    const long = `const words = "${"long ".repeat(60)}";`;
    await openRichText(visit, [code(`${CODE}\n${long}`, "javascript")]);
    const lines = page.getByRole("textbox", { name: "Code", exact: true });
    await page.locator(".pt-code-frame.colored").waitFor();
    const shown = () => page.locator(".pt-code-colors").innerText();
    const places = () =>
      page.evaluate(() => {
        const area = document.querySelector<HTMLElement>(".pt-code-lines")!;
        const colors = document.querySelector<HTMLElement>(".pt-code-colors")!;
        const facts = (one: HTMLElement) => {
          const { left, top } = one.getBoundingClientRect();
          const { font, lineHeight, letterSpacing, tabSize, paddingLeft, paddingTop } =
            getComputedStyle(one);
          const from = { left: left + one.clientLeft, top: top + one.clientTop };
          return {
            ...{ ...from, font, lineHeight, letterSpacing, tabSize, paddingLeft, paddingTop },
            scrolled: one.scrollLeft,
          };
        };
        return [facts(area), facts(colors)];
      });
    const [area, colors] = await places();
    assertEquals(colors, area);

    await lines.focus();
    await pressKeys(page, "Control+End");
    const [right, rightColors] = await places();
    assert(right!.scrolled > 0, "the end of a long line is in view");
    assertEquals(rightColors, right);
    await page.keyboard.type("\nlet ship;");
    assertEquals(await shown(), await lines.inputValue());
    await page.locator(".code-keyword", { hasText: "let" }).waitFor();
    await pressKeys(page, "Control+z");
    assertEquals(await shown(), await lines.inputValue());
    assertEquals(complaints, []);
  },
);
