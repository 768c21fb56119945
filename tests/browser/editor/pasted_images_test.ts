/**
 * Images of pages that are copied and pasted: fetched into the library, and put where they stood.
 */
import { Buffer } from "node:buffer";
import { PNG } from "pngjs";
import type { Locator, Page } from "playwright-core";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { IMAGES } from "../../support/sites/images.ts";
import { lines } from "../../support/browser/rich_text_lines.ts";
import { cursorRead, openRichText, richText } from "../../support/browser/rich_text_visit.ts";
import {
  colleague,
  inspect,
  type StudioVisit,
  studioVisit,
} from "../../support/browser/studio_visit.ts";

/** A tiny GIF that pages show until an image is loaded. */
const BLANK = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
const HELD = `data:image/png;base64,${Buffer.from(IMAGES["image/png"]!).toString("base64")}`;

/** What an editor copies from: an article as sites have them. */
const ARTICLE = `<!doctype html><title>The lamp</title><main>
<h2 style="color: navy">The lamp</h2>
<p>Before <b>it</b> <img src="/inline.png" alt="Inline" style="float: left"> after it.</p>
<figure><a href="/large.html"><picture><source srcset="/lamp.avif 900w" type="image/avif">
<img src="/small.png" srcset="SITE/small.png 320w, SITE/lamp%20two.png 1200w" alt="The lamp
  at dusk"></picture></a><figcaption>Seen from the <i>pier</i></figcaption></figure>
<ul><li>First<img src="/inline.png" alt="Again"></li><li>Second</li></ul>
<p><img src="${BLANK}" data-src="SITE/late.png" alt="Loaded late"></p>
<p>Good <img class="emoji" src="/smile.png" alt="🙂"> day<img src="/pixel.gif" width="1" height="1"></p>
<table><tr><th>Ship</th><th>Flag</th></tr>
<tr><td>Anna</td><td><img src="/flag.png" alt="Flag"></td></tr></table>
<p><img src="/gone.png" alt="Gone"> End</p>
<p><img src="${HELD}" alt="Held"></p></main>`;

interface Site extends AsyncDisposable {
  at: string;
  /** How often each path was asked for. */
  counts: Map<string, number>;
  /** Paths that answer a picture; all others are not there. */
  pictures: Set<string>;
  /** Pictures are answered once this is resolved. */
  hold: Promise<void>;
}

/** A site with an article, and the pictures in it. */
function articleSite(pictures: string[]): Site {
  const site = { counts: new Map<string, number>(), pictures: new Set(pictures) };
  const kept = { hold: Promise.resolve() };
  const closing = new AbortController();
  const { signal } = closing;
  const serveOptions = { port: 0, hostname: "127.0.0.1", signal, onListen() {} };
  const server = Deno.serve(serveOptions, async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname === "/") {
      const headers = { "content-type": "text/html; charset=utf-8" };
      return new Response(ARTICLE.replaceAll("SITE", origin), { headers });
    }
    const isFetched = request.headers.get("sec-fetch-dest") === null;
    if (isFetched) {
      site.counts.set(pathname, (site.counts.get(pathname) ?? 0) + 1);
      await kept.hold;
    }
    return site.pictures.has(pathname)
      ? new Response(pictureOf(pathname))
      : new Response(null, { status: 404 });
  });
  return Object.assign(kept, site, {
    at: `http://127.0.0.1:${server.addr.port}`,
    // Not shutdown(), which waits for pictures that a failed test holds back.
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.finished;
    },
  });
}

/** A picture of its own for each path: bytes that the library has are one medium. */
function pictureOf(path: string): Uint8Array<ArrayBuffer> {
  const picture = new PNG({ width: 320, height: 180 });
  picture.data.fill(255);
  picture.data.set(new TextEncoder().encode(path));
  return new Uint8Array(PNG.sync.write(picture));
}

/** Copies a page as people do. */
async function copyPage({ page }: StudioVisit, address: string): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(address);
  await other.keyboard.press("Control+a");
  await other.keyboard.press("Control+c");
  await other.close();
  await page.bringToFront();
}

/** Puts HTML at the cursor, as a program has copied it. */
async function paste(text: Locator, html: string): Promise<void> {
  await text.focus();
  await text.evaluate((element, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", html);
    clipboardData.setData("text/plain", "copied");
    const options = { clipboardData, bubbles: true, cancelable: true };
    element.dispatchEvent(new ClipboardEvent("paste", options));
  }, html);
}

const area = (page: Page) => page.locator('[data-name="body"] textarea.pt-source');

/** What the text is now, images as their words. */
async function written(page: Page): Promise<string[]> {
  const blocks = JSON.parse(await area(page).inputValue() || "[]");
  return lines(blocks).map((line, at) => {
    const { _type, alt, caption } = blocks[at];
    return _type === "image" ? `[${[alt, caption].filter(Boolean).join(" / ")}]` : line;
  });
}

/** Waits until the service has what is written, and answers its images. */
async function images({ page, ask }: StudioVisit, id: string) {
  for (;;) {
    await page.keyboard.press("Control+s");
    await page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();
    const { body } = (await ask("GET", `/documents/${id}`)).json;
    if (!sameJson(JSON.parse(await area(page).inputValue()), body)) continue;
    const media = body.filter(({ _type }: { _type: string }) => _type === "image");
    return await Promise.all(
      media.map(async ({ media }: { media: string }) => (await ask("GET", `/media/${media}`)).json),
    );
  }
}

const done = (page: Page) => page.locator("progress").first().waitFor({ state: "detached" });

browserTest("a page is pasted with its images, where they stood in it", async (browser) => {
  await using site = articleSite(["/inline.png", "/lamp%20two.png", "/late.png", "/flag.png"]);
  await using visit = await studioVisit(browser, {
    allowLocal: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page, complaints } = visit;
  const id = await openRichText(visit);
  await copyPage(visit, site.at);
  await richText(page).click();
  await page.keyboard.press("Control+v");
  await page.getByText("Not fetched: Must be a public URL").waitFor();
  await done(page);

  assertEquals(await written(page), [
    "h2: The lamp",
    "normal: Before <strong>it</>",
    "[]",
    "normal: after it.",
    "[Seen from the pier]",
    "bullet 1: First",
    "[Again]",
    "bullet 1: Second",
    "[]",
    "normal: Good 🙂 day",
    "{table 1: Ship | Flag / Anna | }",
    "[]",
    `normal: <${site.at}/gone.png>Gone</>`,
    "normal: End",
    "[]",
    "normal: ",
  ]);
  const media = await images(visit, id);
  assertEquals(media.map(({ filename, alt }) => `${filename}: ${alt}`), [
    "inline.png: Inline",
    "lamp two.png: The lamp at dusk",
    "inline.png: Inline",
    "late.png: Loaded late",
    "flag.png: Flag",
    "pasted.png: Held",
  ]);
  // What a page has twice is fetched once, and what only counts readers not at all.
  assertEquals(site.counts.get("/inline.png"), 1);
  assertEquals(site.counts.has("/pixel.gif") || site.counts.has("/smile.png"), false);
  await page.locator(".pt-caption", { hasText: "Seen from the pier" }).waitFor();
  await inspect(page, "pasted-images");
  assertEquals(complaints.filter((text) => !text.includes("status of 4")), []);
});

/** What other programs put on the clipboard, images as they have them, and what becomes of it. */
const PROGRAMS: Record<string, { html: string; gives: string[]; leftOut?: string }> = {
  "Google Docs": {
    html:
      `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38;"><span style="font-size:11pt;">See </span><span style="font-size:11pt;"><span style="border:none;display:inline-block;overflow:hidden;width:602px;height:339px;"><img src="SITE/docs.png" width="602" height="339" style="margin-left:0px;" /></span></span><span> here</span></p><ul style="margin-top:0;"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>One</span><span><img src="SITE/docs.png" alt="In a list"></span></p></li></ul></b>`,
    gives: ["normal: See", "[]", "normal: here", "bullet 1: One", "[In a list]", "normal: "],
  },
  "Word": {
    html:
      `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word"><body><!--StartFragment--><p class=MsoNormal>Before<o:p></o:p></p><p class=MsoNormal><!--[if gte vml 1]><v:shape id="a"><v:imagedata src="file:///C:/a/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=602 height=339 src="file:///C:/a/clip_image002.png" alt="A lamp" v:shapes="a"><![endif]></p><p class=MsoNormal>After</p><!--EndFragment--></body></html>`,
    gives: ["normal: Before", "normal: After"],
    leftOut: "an image",
  },
  "Notion": {
    html:
      `<meta charset='utf-8'><!-- notionvc: 1 --><p>Before</p><figure><img src="SITE/docs.png" style="width:2000px"/><figcaption>Its <strong>caption</strong></figcaption></figure><p>After</p>`,
    gives: ["normal: Before", "[Its caption]", "normal: After"],
  },
  "an encyclopedia": {
    html:
      `<p>The <a href="SITE/x">lamp</a>.</p><figure typeof="mw:File/Thumb"><a href="SITE/wiki/File:Lamp.png" class="mw-file-description"><img src="//HOST/no.png" decoding="async" width="220" srcset="//HOST/docs.png 1.5x, //HOST/docs.png 2x"></a><figcaption>A <a href="SITE/y">lamp</a></figcaption></figure>`,
    gives: ["normal: The <SITE/x>lamp</>.", "[A lamp]", "normal: "],
  },
  "a mail": {
    html:
      `<div dir="ltr"><div>Hello,</div><div><img src="cid:ii_1" alt="image.png" width="300"><br></div><blockquote><div>Old <img src="SITE/docs.png" alt="Quoted"> mail</div></blockquote></div>`,
    gives: ["normal: Hello,", "blockquote: Old", "[Quoted]", "blockquote: mail"],
    leftOut: "an image",
  },
  "a hostile page": {
    html:
      `<p data-waits="a1b2c3">Words</p><img src="javascript:alert(1)"><img src="SITE/docs.png" onerror="window.hurt=1" alt="<b>&quot;"><img src="data:text/html,<script>1</script>"><svg><image href="SITE/svg.png"/></svg><noscript><img src="SITE/noscript.png"></noscript><p>End</p>`,
    gives: ["normal: Words", '[<b>"]', "normal: End"],
    leftOut: "3 images",
  },
};

browserTest("images come from what programs put on the clipboard", async (browser) => {
  await using site = articleSite(["/docs.png"]);
  await using visit = await studioVisit(browser, { allowLocal: true });
  const { page, ask, open, complaints } = visit;
  const id = await openRichText(visit);
  const placed = (text: string) => text.replaceAll("SITE", site.at).replaceAll("//HOST", site.at);
  for (const [program, { html, gives, leftOut }] of Object.entries(PROGRAMS)) {
    // The medium says nothing of itself, so that each block says what its image shows.
    const { data: [medium] } = (await ask("GET", "/media")).json;
    if (medium !== undefined) await ask("PATCH", `/media/${medium.id}`, { alt: "-" });
    await ask("PATCH", `/documents/${id}`, { body: null });
    await open(`/admin/documents/${id}`);
    await paste(richText(page), placed(html));
    if (leftOut !== undefined) {
      await page.getByText(`Not pasted: ${leftOut}.`).waitFor();
    }
    if (gives.some((line) => line.startsWith("["))) {
      await page.locator(".pt-picture").first().waitFor();
    }
    await done(page);
    assertEquals(await written(page), gives.map(placed), program);
    // What is not saved yet would be merged into the text that the next turn empties.
    await page.keyboard.press("Control+s");
    await page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();
  }
  assertEquals([...site.counts.keys()], ["/docs.png"]);
  assertEquals(await page.evaluate("window.hurt"), undefined);
  assertEquals(complaints.filter((text) => !text.includes("status of 4")), []);
});

browserTest("images that are being fetched are links, here and for others", async (browser) => {
  await using site = articleSite(["/lamp.png"]);
  await using visit = await studioVisit(browser, { allowLocal: true });
  const { page, origin, complaints } = visit;
  const released = Promise.withResolvers<void>();
  site.hold = released.promise;
  const id = await openRichText(visit);
  const other = await colleague(visit, {
    email: "bea@example.org",
    displayName: "Bea",
    roles: ["editor"],
  });
  await other.page.goto(`${origin}/admin/documents/${id}`);
  await richText(other.page).waitFor();
  const text = richText(page);

  await text.click();
  await page.keyboard.type("Hello world");
  for (let n = 0; n < 6; n++) await page.keyboard.press("ArrowLeft");
  await cursorRead(page);
  await paste(
    text,
    `<!--StartFragment--><figure><img src="${site.at}/lamp.png" alt="A lamp"><figcaption>At night</figcaption></figure><!--EndFragment-->`,
  );
  await page.getByRole("progressbar", { name: "Fetching A lamp" }).waitFor();
  await inspect(page, "pasted-image-waits");
  // Whoever leaves now is asked first.
  const guarded = page.locator(".pt-editor [data-state=unsaved]");
  assertEquals(await guarded.count(), 1);
  const link = `normal: <${site.at}/lamp.png>A lamp</>\nAt night`;
  assertEquals(await written(page), ["normal: Hello", link, "normal:  world"]);
  await other.page.getByText("At night").waitFor();
  assertEquals(await written(other.page), ["normal: Hello", link, "normal:  world"]);
  // Undone, it does not come; done again, it does.
  await page.keyboard.press("Control+z");
  assertEquals(await written(page), ["normal: Hello world"]);
  released.resolve();
  await page.getByText("An image is in the text").waitFor();
  assertEquals(await guarded.count(), 0);
  assertEquals(await written(page), ["normal: Hello world"]);
  await page.keyboard.press("Control+y");
  await page.locator(".pt-picture").waitFor();
  const there = ["normal: Hello", "[At night]", "normal:  world"];
  assertEquals(await written(page), there);
  await other.page.locator(".pt-picture").waitFor();
  assertEquals(await written(other.page), there);
  // What was typed meanwhile is undone alone, the image with the paste.
  await page.keyboard.type("wide");
  await page.keyboard.press("Control+z");
  assertEquals(await written(page), there);
  await page.keyboard.press("Control+z");
  assertEquals(await written(page), ["normal: Hello world"]);
  await other.page.locator(".pt-picture").waitFor({ state: "detached" });
  assertEquals(await other.page.getByText("Two versions").count(), 0);
  assertEquals(complaints, []);
  await other.context.close();
});

browserTest("an image that does not come says why, and can be tried again", async (browser) => {
  await using site = articleSite([]);
  await using visit = await studioVisit(browser, { allowLocal: true });
  const { page, complaints } = visit;
  await openRichText(visit);
  const text = richText(page);
  const released = Promise.withResolvers<void>();
  site.hold = released.promise;

  await text.click();
  await paste(
    text,
    `<p>One</p><img src="${site.at}/lamp.png"><img src="${site.at}/b.png"><p>Two</p>`,
  );
  await page.getByRole("progressbar").first().waitFor();
  // Somebody writes in the place of an image: the words stay.
  await text.getByText("b.png").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" is missing");
  released.resolve();
  await page.getByRole("button", { name: "Try again: lamp.png" }).waitFor();
  await done(page);
  await inspect(page, "pasted-image-failed");
  const bLink = `normal: <${site.at}/b.png>b.png</> is missing`;
  assertEquals(await written(page), [
    "normal: One",
    `normal: <${site.at}/lamp.png>lamp.png</>`,
    bLink,
    "normal: Two",
  ]);
  site.pictures.add("/lamp.png").add("/b.png");
  await page.getByRole("button", { name: "Try again: lamp.png" }).click();
  await page.locator(".pt-picture").waitFor();
  await page.getByRole("button", { name: "Try again: b.png" }).focus();
  await page.keyboard.press("Enter");
  await page.locator(".pt-picture").nth(1).waitFor();
  assertEquals(await written(page), ["normal: One", "[]", bLink, "[]", "normal: Two"]);

  await paste(text, `<p><img src="${site.at}/c.png" alt="Third"></p>`);
  await page.getByRole("button", { name: "Dismiss: Third" }).click();
  assertEquals(await page.locator(".pt-fetch").count(), 0);
  assert((await written(page)).includes(`normal: <${site.at}/c.png>Third</>`));
  assertEquals(complaints.filter((text) => !text.includes("status of 4")), []);
});

browserTest("who may not upload is told that images are left out", async (browser) => {
  await using site = articleSite(["/lamp.png"]);
  await using visit = await studioVisit(browser, { allowLocal: true });
  const { ask, origin } = visit;
  const id = await openRichText(visit);
  const permissions = ["documents.read", "documents.write", "media.read"];
  const role = await ask("POST", "/roles", { name: "Writer", permissions });
  assertEquals(role.status, 201);
  const other = await colleague(visit, {
    email: "bea@example.org",
    displayName: "Bea",
    roles: ["Writer"],
  });
  await other.page.goto(`${origin}/admin/documents/${id}`);
  const text = richText(other.page);
  // A click would hold on to the text area that the editor takes the place of.
  await text.waitFor();
  await text.click();
  await paste(text, `<p>One</p><img src="${site.at}/lamp.png">`);
  await other.page.getByText(
    "Not pasted: an image. You can add images as files.",
  ).waitFor();
  assertEquals(await written(other.page), ["normal: One"]);
  assertEquals(site.counts.size, 0);
  await other.context.close();
});
