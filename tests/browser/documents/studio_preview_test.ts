/**
 * The preview beside the form: how soon it shows what was typed, where it scrolls, and a front end of one's
 * own in it.
 */
import type { FrameLocator, Page } from "playwright-core";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { inspect, type StudioVisit, studioVisit } from "../../support/browser/studio_visit.ts";

/** From the version that holds what was typed to its sight in the preview, milliseconds. */
const SHOWN_WITHIN_MS = 300;
/** How often one types at most: the best counts, because other processes take turns on the same processor. */
const SIGHTS = 5;
const PARAGRAPHS = 60;

const saved = (page: Page) => page.getByText(/^Saved \d\d:\d\d · version \d+$/).waitFor();

async function longNote({ ask }: StudioVisit): Promise<string> {
  const fields = [
    { name: "lead", label: "Lead", type: "text", options: { multiline: true } },
    { name: "body", label: "Body", type: "rich_text" },
  ];
  await ask("POST", "/collections", { slug: "notes", name: "Notes", fields });
  const body = Array.from({ length: PARAGRAPHS }, (_, n) => ({
    _type: "block",
    _key: `k${n}`,
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: `s${n}`, text: `Paragraph ${n} of many.`, marks: [] }],
  }));
  const note = { collection: "notes", title: "Light", lead: "First words", body };
  const { json, status } = await ask("POST", "/documents", { ...note, status: "published" });
  assertEquals(status, 201);
  return json.id;
}

browserTest(
  "the preview shows what was typed within 300 ms of its version, and scrolls to it",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, complaints } = visit;
    const id = await longNote(visit);
    await open(`/admin/documents/${id}`);
    await page.getByRole("button", { name: "Preview" }).click();
    const frame = page.frameLocator("iframe[title=Preview]");
    await frame.getByText("Paragraph 0 of many.").waitFor();
    await page.locator(".ProseMirror p").last().click();
    await page.keyboard.press("End");
    let took = Infinity;
    let words = "";
    for (let n = 0; n < SIGHTS && took > SHOWN_WITHIN_MS; n++) {
      words = `Sixty miles of light ${n}`;
      await page.evaluate(watchForWords, { words, key: "typed" });
      await page.keyboard.type(` ${words}`);
      // deno-lint-ignore no-explicit-any
      await page.waitForFunction(() => (globalThis as any).typed.shownAt > 0);
      const { savedAt, shownAt } = await page.evaluate("window.typed") as Record<string, number>;
      took = Math.min(took, shownAt! - savedAt!);
    }
    console.log(`shown ${Math.round(took)} ms after the version`);
    assert(took <= SHOWN_WITHIN_MS, `shown ${took} ms after the version`);
    const typed = frame.getByText(words);
    const box = (await typed.boundingBox())!;
    const outer = (await page.locator("iframe[title=Preview]").boundingBox())!;
    assert(box.y >= outer.y && box.y < outer.y + outer.height, "it is in sight");
    assertEquals(await page.evaluate("scrollX"), 0);

    await page.getByLabel("Lead", { exact: true }).click();
    await page.waitForFunction(() =>
      document.querySelector<HTMLIFrameElement>("iframe[title=Preview]")!.contentWindow!.scrollY <
        400
    );
    for (const [width, px] of [["Tablet", 768], ["Phone", 384]] as const) {
      await page.getByLabel(width).check();
      const { width: shown } = (await page.locator("iframe[title=Preview]").boundingBox())!;
      assert(shown <= px, `${width}: ${shown}`);
    }
    await inspect(page, "preview");
    assertEquals(complaints, []);
  },
);

/** Notes when a version is made, and when the words are in the frame. */
function watchForWords({ words, key }: { words: string; key: string }): void {
  const seen = { savedAt: 0, shownAt: 0 };
  Object.assign(globalThis, { [key]: seen });
  document.querySelector("form.editor")!.addEventListener("saved", () => {
    seen.savedAt = performance.now();
  });
  const look = () => {
    const frame = document.querySelector<HTMLIFrameElement>("iframe[title=Preview]")!;
    const text = frame.contentDocument?.body?.textContent ?? "";
    if (text.includes(words)) seen.shownAt = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

/** A player of another service, which runs under its own name; it knows how often it was asked for. */
const player = (loads: number) =>
  `<!doctype html><p>Silent</p><script>
  document.querySelector("p").textContent = "Plays ${loads} as " + origin;
</script>`;

browserTest(
  "players play in previews as on the site, and go on while one types",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, complaints, origin, test } = visit;
    const id = await longNote(visit);
    await ask("PATCH", "/settings", { "embeds.hosts": ["player.example.org"] });
    let loads = 0;
    await page.context().route("https://player.example.org/**", async (route) => {
      await route.fulfill({ contentType: "text/html", body: player(++loads) });
    });
    const plays = (within: Page | FrameLocator, times: number) =>
      within.frameLocator("figure.embed iframe")
        .getByText(`Plays ${times} as https://player.example.org`).waitFor();
    await open(`/admin/documents/${id}`);
    await page.getByRole("button", { name: "Preview" }).click();
    const frame = page.frameLocator("iframe[title=Preview]");
    await frame.getByText("Paragraph 0 of many.").waitFor();

    // The page that is shown lets no player in; the one that has it does.
    await page.locator(".ProseMirror p").first().click();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.type("/embed");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "URL", exact: true }).first()
      .fill("https://player.example.org/v/1");
    await plays(frame, 1);

    await page.getByLabel("Lead", { exact: true }).fill("Other words");
    await frame.getByText("Other words").waitFor();
    await page.locator(".ProseMirror p").last().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("One more");
    await frame.getByText("One more").waitFor();
    await plays(frame, 1);
    await saved(page);

    const { json } = await ask("POST", `/documents/${id}/preview`, {});
    await page.goto(`${origin}/preview/${json.token}`);
    await plays(page, 2);
    await ask("POST", `/documents/${id}/publish`);
    await test.runner.drain();
    await page.goto(`${origin}/notes/light`);
    await plays(page, 3);
    assertEquals(complaints, []);
  },
);

/** A front end: what it read with the secret of its address, and the script. */
function serveFrontEnd(studio: string, withScript: boolean) {
  const loads: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { searchParams } = new URL(request.url);
    const [token, id] = [searchParams.get("token"), searchParams.get("id")];
    if (token === null) return new Response(null, { status: 404 });
    const answer = await fetch(`${studio}/api/v1/notes/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { lead } = await answer.json();
    loads.push(lead);
    const script = withScript ? `<script src="${studio}/preview/client.js" defer></script>` : "";
    const html = `<!doctype html><title>Front end</title>${script}<p id="lead">${lead}</p>` +
      `<div style="height:300vh"></div><p>Light</p>`;
    return new Response(html, { headers: { "content-type": "text/html" } });
  });
  return { server, loads, origin: `http://localhost:${server.addr.port}` };
}

for (const withScript of [true, false]) {
  const how = withScript ? "that has the script is told" : "without the script is loaded again";
  browserTest(`a front end ${how} of what was typed`, async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, origin, complaints } = visit;
    const id = await longNote(visit);
    const front = serveFrontEnd(origin, withScript);
    await ask("PATCH", "/settings", { "preview.url": `${front.origin}/?token={token}&id={id}` });
    await open(`/admin/documents/${id}`);

    await page.getByRole("button", { name: "Preview" }).click();
    const frame = page.frameLocator("iframe[title=Preview]");
    await frame.getByText("First words").waitFor();
    await page.getByLabel("Lead", { exact: true }).fill("Second words");
    await saved(page);
    await frame.getByText("Second words").waitFor();
    if (withScript) {
      await page.getByLabel("Title", { exact: true }).click();
      await page.frames()[1]!.waitForFunction(() => scrollY > 0);
    }

    assertEquals(front.loads, ["First words", "Second words"]);
    assertEquals((await ask("GET", "/previews")).json.data.length, 1);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.waitForTimeout(300);
    assertEquals((await ask("GET", "/previews")).json.data, [], "its secret ends with it");
    assertEquals(complaints, []);
    await front.server.shutdown();
  });
}

browserTest(
  "a change that reaches a front end while its page loads is not lost",
  async (browser) => {
    await using visit = await studioVisit(browser);
    const { page, open, ask, origin, complaints } = visit;
    const id = await longNote(visit);
    const front = serveSlowFrontEnd(origin);
    await ask("PATCH", "/settings", { "preview.url": `${front.origin}/?token={token}&id={id}` });
    await open(`/admin/documents/${id}`);
    await page.evaluate(() =>
      addEventListener("message", ({ data }) => {
        if (data?.type === "cms:ready") document.documentElement.dataset.frontEnd = "ready";
      })
    );
    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator("html[data-front-end=ready]").waitFor();

    // The page has read the second words and waits for the script when the third are announced.
    const release = front.holdScript();
    const frame = page.frameLocator("iframe[title=Preview]");
    const lead = page.getByLabel("Lead", { exact: true });
    await lead.fill("Second words");
    await frame.getByText("Second words").waitFor();
    await lead.fill("Third words");
    await frame.locator("html[data-heard='cms:changed']").waitFor();
    release();

    await frame.getByText("Third words").waitFor();
    assertEquals(front.loads, ["First words", "Second words", "Third words"]);
    assertEquals(complaints, []);
    await front.server.shutdown();
  },
);

/** A front end whose page notes what it is sent from its first byte on; the tag of the script can be held back. */
function serveSlowFrontEnd(studio: string) {
  const loads: string[] = [];
  let held = Promise.resolve();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { searchParams } = new URL(request.url);
    const [token, id] = [searchParams.get("token"), searchParams.get("id")];
    if (token === null) return new Response(null, { status: 404 });
    const answer = await fetch(`${studio}/api/v1/notes/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { lead } = await answer.json();
    loads.push(lead);
    const parts = async function* () {
      yield `<!doctype html><title>Front end</title><script>
        addEventListener("message", ({ data }) => {
          document.documentElement.dataset.heard = data.type;
        });
      </script><p>${lead}</p>`;
      await held;
      yield `<script src="${studio}/preview/client.js"></script>`;
    };
    const body = ReadableStream.from(parts()).pipeThrough(new TextEncoderStream());
    return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
  });
  return {
    server,
    loads,
    origin: `http://localhost:${server.addr.port}`,
    /** Holds back the script of pages until the function that it returns is called. */
    holdScript: (): () => void => {
      const gate = Promise.withResolvers<void>();
      held = gate.promise;
      return gate.resolve;
    },
  };
}
