/**
 * Uploads go before pictures: whatever the page still waits for, a file that somebody gives it is on its way at once.
 */
import { Buffer } from "node:buffer";
import { assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { eventually } from "../../support/browser/live_story.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { photograph } from "../../support/sites/shown_site.ts";
import { studioVisit } from "../../support/browser/studio_visit.ts";

/** As many as a browser has connections to a server, and more. */
const PICTURES = 9;
const CONNECTIONS = 6;

browserTest("an upload does not wait for the pictures of the library", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, complaints, test } = visit;
  for (let n = 0; n < PICTURES; n++) await photograph(visit, { width: 60 + n, height: 40 });
  const come = Promise.withResolvers<void>();
  let [asked, uploads] = [0, 0];
  // In the server, since it is its connections that are held.
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "POST" && pathname === "/api/admin/media") uploads += 1;
    if (pathname.startsWith("/media/")) {
      asked += 1;
      await come.promise;
    }
    return await test.app.fetch(request);
  });
  await page.goto(`http://127.0.0.1:${server.addr.port}/admin/media`, { waitUntil: "commit" });
  await page.locator("html[data-ready]").waitFor();
  await eventually(
    "every connection waits for a picture",
    () => Promise.resolve(asked >= CONNECTIONS),
  );
  const give = (name: string, bytes: Uint8Array) =>
    page.locator("[data-island=upload] input[type=file]").setInputFiles({
      name,
      mimeType: "image/png",
      buffer: Buffer.from(bytes),
    });

  await give("notes.png", new TextEncoder().encode("no picture"));
  await page.locator("[data-uploads] .error").waitFor();
  assertEquals(uploads, 1);

  // Nothing was uploaded, so the page stays, and its pictures come after all.
  come.resolve();
  await page.waitForFunction(
    (count) =>
      [...document.querySelectorAll<HTMLImageElement>(".medium img")]
        .filter(({ naturalWidth }) => naturalWidth > 1).length === count,
    PICTURES,
    { timeout: 60_000 },
  );
  await give("lamp.png", IMAGES["image/png"]);
  await page.getByText("lamp.png is uploaded").waitFor();
  assertEquals(await page.locator(".medium").count(), PICTURES + 1);
  assertEquals(complaints.filter((text) => !text.includes("415")), []);
  await page.close();
  await server.shutdown();
});
