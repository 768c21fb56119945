/** What has little room wraps, and stays whole. Style sheets alone: no service is needed. */
import { DEFAULT_THEME } from "../../jobs/render/theme/default/theme.ts";

const STYLE = new TextDecoder().decode(DEFAULT_THEME.assets["site.css"].body);
import { readStyleSheet } from "../../routes/studio/serving/stylesheet.ts";
import { assert, assertEquals } from "../support/harness/assert.ts";
import { browserTest } from "../support/browser/chromium.ts";

const FACE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";

browserTest(
  "a byline that wraps in a teaser is not cut, and neither are faces",
  async (browser) => {
    const page = await browser.newPage();
    for (const direction of ["ltr", "rtl"]) {
      for (const width of [140, 220, 360]) {
        await page.setContent(`<!doctype html><html dir="${direction}"><style>${STYLE}</style>
        <ul class="teasers"><li style="width: ${width}px"><article class="teaser pictured">
        <h2><a href="#">Light</a></h2><p class="when">
        <span class="by"><img class="face" src="${FACE}" alt="">Adelaide von Lichtenstein-Hohenfels</span>
        <span class="by"><img class="face" src="${FACE}" alt="">Bo</span>
        <time>September 28, 2026</time> <span>12 minutes to read</span></p></article></li></ul>`);
        const cut = await page.evaluate(() => {
          const line = document.querySelector<HTMLElement>(".when")!;
          const box = line.getBoundingClientRect();
          const em = parseFloat(getComputedStyle(line).fontSize);
          const isLeft = document.dir !== "rtl";
          const [left, right] = isLeft
            ? [box.left + 1.3 * em, box.right]
            : [box.left, box.right - 1.3 * em];
          const shown = [...line.querySelectorAll("*")].flatMap((element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            return [...range.getClientRects()];
          });
          const faces = [...line.querySelectorAll(".face")].map((one) =>
            one.getBoundingClientRect()
          );
          return [...shown, ...faces].filter((one) =>
            one.width > 0 && (one.left < left - 1 || one.right > right + 1)
          ).length;
        });
        assertEquals(cut, 0, `${direction} at ${width} px`);
      }
    }
    await page.close();
  },
);

browserTest("a title in a list keeps its room beside badges", async (browser) => {
  const page = await browser.newPage({ viewport: { width: 768, height: 600 } });
  await page.setContent(`<!doctype html><style>${await readStyleSheet()}</style>
    <table class="table list-table"><tbody><tr><th scope="row" style="width: 250px">
    <div class="title-cell"><span class="thumb"></span>
    <a href="#">A rather long title of a document about a lighthouse</a>
    <span class="badge">In review</span><span class="badge scheduled">Unpublished changes</span>
    </div></th><td>Draft</td><td>Section</td><td>Author</td><td>just now</td></tr></tbody></table>`);
  const { width, right } = await page.evaluate(() => {
    const { width, right } = document.querySelector(".title-cell > a")!.getBoundingClientRect();
    return {
      width,
      right: right <= document.querySelector(".title-cell")!
        .getBoundingClientRect().right,
    };
  });
  assert(width >= 128, `${width} px`);
  assert(right);
  await page.close();
});
