/**
 * Hostile names, titles and values on every screen: nothing of them runs, all of it is shown as text.
 */
import { assert, assertEquals, assertStringIncludes } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";

const HOSTILE = `</script></textarea><img src=x onerror="globalThis.pwned=1">"'\`<!--`;

browserTest("studio runs nothing that a document, a file or a label holds", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, test, cookie, complaints } = visit;
  const collection = await ask("POST", "/collections", {
    slug: "posts",
    name: HOSTILE,
    description: HOSTILE,
    fields: [
      { name: "line", label: HOSTILE, help: HOSTILE, type: "text", indexed: true },
      { name: "area", type: "text", options: { multiline: true } },
      { name: "raw", type: "json" },
      { name: "kind", type: "select", indexed: true, options: { choices: [HOSTILE] } },
    ],
  });
  assertEquals(collection.status, 201, collection.text);
  await ask("POST", "/blocks", { name: "quote", label: HOSTILE, fields: [] });
  const document = await ask("POST", "/documents", {
    collection: "posts",
    title: HOSTILE,
    line: HOSTILE,
    area: HOSTILE,
    raw: { [HOSTILE]: HOSTILE },
    kind: HOSTILE,
  });
  const { id } = document.json;
  await ask("PATCH", `/documents/${id}`, { line: `${HOSTILE} again` });
  await ask("PATCH", "/settings", { "site.title": HOSTILE });
  await ask("POST", "/tokens", { name: HOSTILE, scopes: ["*:read"] });
  const form = new FormData();
  form.append("file", new File([IMAGES["image/png"]], "a'onerror=alert(1) x.png"));
  form.append("alt", HOSTILE);
  const headers = { cookie: cookie() };
  const upload = await test.call("POST", "/api/admin/media", { raw: form, headers });
  assertEquals(upload.status, 201, upload.text);

  const paths = [
    "/admin",
    "/admin/content",
    `/admin/content/posts?field.kind=${encodeURIComponent(HOSTILE)}`,
    `/admin/content/posts?q=${encodeURIComponent(HOSTILE.slice(0, 60))}`,
    `/admin/documents/${id}`,
    `/admin/versions/document/${id}`,
    "/admin/collections",
    "/admin/collections/posts",
    "/admin/collections/posts/fields/line",
    "/admin/blocks",
    "/admin/media",
    `/admin/media/${upload.json.id}`,
    "/admin/tokens",
    "/admin/activity",
    "/admin/settings",
    "/admin/design",
    "/admin/time-travel?at=1780318800",
  ];
  for (const path of paths) {
    await open(path);
    assertEquals(await page.evaluate("globalThis.pwned"), undefined, path);
    assertEquals(await page.locator("img[src=x], [onerror]").count(), 0, path);
    assert((await page.title()).includes(HOSTILE), path);
  }
  await open(`/admin/documents/${id}`);
  assertEquals(await page.locator("#c-title").inputValue(), HOSTILE);
  assertEquals(await page.locator("#c-area").inputValue(), HOSTILE);
  assertEquals(await page.locator("#c-line").inputValue(), `${HOSTILE} again`);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("textarea");
  await page.locator("#palette .palette-entry").first().waitFor();
  assertStringIncludes(
    await page.locator("#palette .palette-entry").first().innerText(),
    HOSTILE.slice(0, 20),
  );
  assertEquals(await page.evaluate("globalThis.pwned"), undefined);
  assertEquals(complaints, []);
});
