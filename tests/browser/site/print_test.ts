/** The built-in themes on paper, and dates of a right-to-left site among titles of another direction. */
import { BUILT_IN_THEMES } from "../../../kv/packages/built_in_themes.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";

const A4 = { width: 640, height: 900 };

browserTest("pages are printed whole, in the direction of their words", async (browser) => {
  await using visit = await studioVisit(browser, { viewport: A4, colorScheme: "dark" });
  const { page, ask, origin, test, complaints } = visit;
  await ask("PATCH", "/settings", { "site.language": "ar" });
  await ask("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "body", label: "Body", type: "rich_text" }],
  });
  const link = { _type: "link", _key: "l", href: "https://lantern.example/log" };
  const text = { _type: "span", _key: "s", text: "السجل", marks: ["l"] };
  const body = [
    { _type: "block", style: "normal", markDefs: [link], children: [text] },
    { _type: "code", language: "", code: `lamp.light({ ${"flashes: 3, ".repeat(20)}})` },
  ];
  const post = { collection: "posts", status: "published", body };
  for (const title of ["ليلة في المنارة", "A night at the lighthouse"]) {
    assertEquals((await ask("POST", "/documents", { ...post, title })).status, 201);
  }
  await test.runner.drain();
  for (const { id } of BUILT_IN_THEMES) {
    await ask("POST", `/themes/${id}/activate`);
    await test.runner.drain();
    await page.emulateMedia({ media: "print" });
    await page.goto(`${origin}/posts/a-night-at-the-lighthouse`);
    const code = await page.locator("pre").evaluate(({ scrollWidth, clientWidth }) => [
      scrollWidth,
      clientWidth,
    ]);
    assert(code[0]! <= code[1]!, `${id}: code is cut off on paper: ${code}`);
    const paper = await page.locator("body").evaluate((one) =>
      getComputedStyle(one).backgroundColor
    );
    assertEquals(paper, "rgb(255, 255, 255)", id);
    const address = await page.locator("article a[href^='https://lantern']").evaluate((one) => {
      const { content, direction } = getComputedStyle(one, "::after");
      return [content, direction];
    });
    assert(address[0]!.includes("("), `${id}: ${address}`);
    assertEquals(address[1], "ltr", id);

    // The date is read from right to left, also beside a title that is not.
    await page.emulateMedia({ media: "screen" });
    await page.goto(`${origin}/posts`);
    const dates = await page.locator("main time").evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).unicodeBidi)
    );
    assertEquals(dates, ["plaintext", "plaintext"], id);
  }
  assertEquals(complaints, []);
});
