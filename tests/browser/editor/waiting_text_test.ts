/** Until its editor has come, a text stands where the editor will show it: nothing moves under the eyes. */
import type { Page } from "playwright-core";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { WATCH_SHIFTS } from "../../support/browser/layout_shifts.ts";
import { photograph } from "../../support/sites/shown_site.ts";
import { magazine } from "../../support/sites/studio_site.ts";
import { isWholeRun } from "../../support/harness/whole_run.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";

const WORDS = "Every four hours the clockwork is wound; in between there is the log, and tea. ";

/** How late an editor may be on a slow machine, milliseconds. */
const LATE_MS = 4_500;

/** When the font comes, milliseconds after it was asked for: later than the first paint. */
const FONT_LATE_MS = 800;

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

browserTest("a text whose editor is late, and then fails, can be read", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask } = visit;
  await magazine(visit);
  const { json } = await ask("POST", "/documents", {
    collection: "posts",
    title: "Late",
    body: TEXTS[1]!,
  });
  const failing = Promise.withResolvers<void>();
  await page.route("**/portable_text_editor*", async (route) => {
    await failing.promise;
    await route.abort();
  });
  await open(`/admin/documents/${json.id}`);
  const words = page.locator(".pt-read").getByText("The lamp is lit.");
  const source = page.locator('[data-island="portable-text"] > textarea');
  await page.waitForTimeout(LATE_MS);
  assertEquals([await words.isVisible(), await source.isVisible()], [true, false]);
  failing.resolve();
  await page.getByText("The editor failed to load, so this text is read-only.").waitFor();
  assertEquals([await words.isVisible(), await source.isVisible()], [true, false]);
  await page.unroute("**/portable_text_editor*");
  await page.getByRole("button", { name: "Reload page" }).click();
  await page.locator(".pt-text").waitFor();
});

/** Waits until the images that have begun to load are painted, or have failed. */
const IMAGES_SHOWN = `Promise.all(
  [...document.images]
    .filter(({ loading, complete }) => loading !== "lazy" || complete)
    .map((image) => image.decode().catch(() => {})),
).then(() => new Promise((painted) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted, 50)))
))`;

/** Two frames have been painted, so what moved before is known. */
const FRAMES_SHOWN =
  "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

/** Opens a page whose pictures come only once they may; answers what lets them come. */
async function openWithoutPictures(page: Page, address: string): Promise<() => Promise<void>> {
  const come = Promise.withResolvers<void>();
  await page.route("**/media/*/*", async (route) => {
    await come.promise;
    // What is not shown any more may not want it any more.
    await route.continue().catch(() => {});
  });
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await page.evaluate("document.fonts.ready.then(() => {})");
  return async () => {
    come.resolve();
    await page.evaluate(IMAGES_SHOWN);
    await page.unroute("**/media/*/*");
  };
}

browserTest("what stands below the picture at the head of a text stays there", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, origin } = visit;
  await magazine(visit);
  const wide = await photograph(visit);
  const high = await photograph(visit, { width: 320, height: 960 });
  const gone = await photograph(visit, { width: 333, height: 333 });
  assertEquals((await ask("DELETE", `/media/${gone}`)).status, 204);
  await ask("PATCH", `/media/${high}`, { alt: "A lighthouse in the evening. ".repeat(12) });
  const image = (media: string, more: Record<string, Json> = {}): Json => ({
    _type: "image",
    _key: media,
    media,
    ...more,
  });
  const words = ["The lamp is lit.", WORDS.repeat(2)].map((text, n) => block(["normal", text], n));
  const texts: [title: string, body: Json[]][] = [
    ["wide", [image(wide, { caption: "The sea in October. ".repeat(6) }), ...words]],
    ["high", [image(high), ...words]],
    ["gone", [image(gone), ...words]],
    ["two", [...words, image(wide, { alt: "The sea" }), image(high), ...words]],
  ];
  await page.addInitScript(WATCH_SHIFTS);
  for (const [title, body] of texts) {
    const { json } = await ask("POST", "/documents", { collection: "posts", title, body });
    for (const width of isWholeRun ? [375, 768, 1440] : [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const come = Promise.withResolvers<void>();
      // The editor comes late, and every picture later still.
      await page.route("**/portable_text_editor*", async (route) => {
        await come.promise;
        await route.continue();
      });
      const letCome = await openWithoutPictures(page, `${origin}/admin/documents/${json.id}`);
      await page.locator("html[data-ready]").waitFor();
      const before = await placesOf(page, ".pt-read > :not(.help)");
      come.resolve();
      await page.locator(".pt-text").waitFor();
      assertEquals(await placesOf(page, ".pt-text > *"), before, `${title} at ${width}`);
      await letCome();
      assertEquals(await placesOf(page, ".pt-text > *"), before, `${title} at ${width}, seen`);
      assertEquals(await page.evaluate("shifts"), [], `${title} at ${width}`);
      await page.unroute("**/portable_text_editor*");
    }
  }
});

browserTest("a medium's picture has its place before it comes", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, origin } = visit;
  await magazine(visit);
  await page.addInitScript(WATCH_SHIFTS);
  for (const size of [{ width: 1600, height: 900 }, { width: 640, height: 960 }]) {
    const id = await photograph(visit, size);
    for (const width of [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const letCome = await openWithoutPictures(page, `${origin}/admin/media/${id}`);
      await page.locator("html[data-ready]").waitFor();
      await letCome();
      const name = `${size.width} × ${size.height} at ${width}`;
      assertEquals(await page.evaluate("shifts"), [], name);
      const box = (await page.locator("[data-frame] img").boundingBox())!;
      const ratio = box.width / box.height / size.width * size.height;
      assertEquals(Math.round(ratio * 50) / 50, 1, name);
    }
  }
});

browserTest("a font that comes late moves nothing", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open } = visit;
  await magazine(visit);
  await page.addInitScript(WATCH_SHIFTS);
  await page.route("**/*.woff2", async (route) => {
    await new Promise((done) => setTimeout(done, FONT_LATE_MS));
    await route.continue();
  });
  // As for somebody who comes for the first time.
  const session = await page.context().newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  for (const path of ["/admin/content/posts", "/admin/schema/posts", "/admin/media"]) {
    for (const width of [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await open(path);
      await page.waitForTimeout(FONT_LATE_MS + 200);
      assertEquals(await page.evaluate("shifts"), [], `${path} at ${width}`);
    }
  }
});

browserTest("no picture moves what stands below it on the public site", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, ask, origin, test } = visit;
  await magazine(visit);
  const wide = await photograph(visit, 2);
  const high = await photograph(visit, { width: 640, height: 960 });
  const words = block(["normal", WORDS.repeat(2)], 0);
  const images = [high, wide].map((media) => ({ _type: "image", _key: media, media }));
  const body = [images[0]!, words, images[1]!, { ...words as object, _key: "w" }];
  for (const [title, cover] of [["One", wide], ["Two", high], ["Three", null]] as const) {
    const made = await ask("POST", "/documents", {
      collection: "posts",
      title,
      teaser: WORDS,
      cover,
      body,
    });
    assertEquals((await ask("POST", `/documents/${made.json.id}/publish`)).status, 202);
  }
  await test.runner.drain();
  await page.addInitScript(WATCH_SHIFTS);

  for (const path of ["/", "/posts", "/posts/one", "/posts/two", "/posts/three"]) {
    for (const width of [375, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const letCome = await openWithoutPictures(page, origin + path);
      assertEquals(await page.locator("main img").count() > 0, true, path);
      // Fonts that come after the first paint move lines a little; here it is about pictures.
      await page.evaluate(FRAMES_SHOWN);
      await page.evaluate("shifts.splice(0)");
      await letCome();
      assertEquals(await page.evaluate("shifts"), [], `${path} at ${width}`);
      // Nor is one out of shape.
      const ratios = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLImageElement>("figure img")]
          .filter((image) => image.complete && getComputedStyle(image).objectFit !== "cover")
          .map(({ width, height, naturalWidth, naturalHeight }) =>
            Math.round(width / height / naturalWidth * naturalHeight * 20) / 20
          )
      );
      assertEquals(ratios.filter((ratio) => ratio !== 1), [], `${path} at ${width}`);
    }
  }
});
