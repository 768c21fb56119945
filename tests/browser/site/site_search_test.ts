/** The search page as a visitor uses it: as one types, by address, with hostile content, under its policy. */
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { type Headless, headless } from "../../support/sites/headless.ts";

const HOSTILE = "<img src=x onerror=globalThis.pwned=1> lantern";

interface Visit extends AsyncDisposable {
  site: Headless;
  page: Page;
  origin: string;
  complaints: string[];
}

async function visit(browser: Browser): Promise<Visit> {
  const site = await headless();
  await site.setUp();
  await site.collection({ slug: "people", name: "People", pageless: true, fields: [] });
  await site.post({ title: "The lantern on the pier", summary: HOSTILE, status: "published" });
  for (let n = 1; n <= 25; n++) await site.post({ title: `Fog number ${n}`, status: "published" });
  await site.v1("POST", "/people", { body: { title: "Lantern keeper", status: "published" } });
  await site.runner.drain();
  const handler = (request: Request, info: Deno.ServeHandlerInfo) => site.app.fetch(request, info);
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, handler);
  const page = await (await browser.newContext({ viewport: { width: 375, height: 800 } }))
    .newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return {
    site,
    page,
    origin: `http://127.0.0.1:${server.addr.port}`,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await page.context().close();
      await server.shutdown();
      await site[Symbol.asyncDispose]();
    },
  };
}

browserTest(
  "the search page shows what is found as one types, and leads to it",
  async (browser) => {
    await using open = await visit(browser);
    const { page, origin, complaints } = open;
    await page.goto(`${origin}/`);
    await page.getByRole("link", { name: "Search" }).click();
    const field = page.getByRole("searchbox", { name: "Search" });
    const items = page.locator("[data-search-results] li");

    await page.locator("input:focus").waitFor();
    await page.keyboard.type("lante");
    await page.getByText("1 result", { exact: true }).waitFor();
    assertEquals(await items.count(), 1, "what has no page is left out");
    assertEquals(await page.evaluate("location.search"), "?q=lante");
    const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assertEquals(await page.evaluate(wide), 0);
    await page.getByRole("link", { name: "The lantern on the pier" }).click();
    await page.waitForURL("**/posts/the-lantern-on-the-pier");

    await page.goto(`${origin}/search?q=fog`);
    await page.getByText("25 results").waitFor();
    assertEquals(await items.count(), 20);
    await page.getByRole("button", { name: "Show more" }).click();
    await items.nth(24).waitFor();
    assertEquals(await items.count(), 25);
    const focused = () => page.evaluate("document.activeElement.textContent || 'the field'");
    await field.focus();
    const steps = [];
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"]) {
      await page.keyboard.press(key);
      steps.push(await focused());
    }
    const [first, second] = await items.getByRole("link").allTextContents();
    assertEquals(steps, [first, second, first, "the field"]);
    await field.fill("nowhere");
    await page.getByText("No results for “nowhere”.").waitFor();
    assertEquals(await items.count(), 0);
    assertEquals([complaints, await page.evaluate("globalThis.pwned")], [[], undefined]);
  },
);

browserTest("a result tells its title once, with what was looked for", async (browser) => {
  await using open = await visit(browser);
  const { site, page, origin } = open;
  const long = `Quay ${"and quay ".repeat(32)}`.trim();
  await site.post({ title: "Buoy & bell", summary: "Rings at night", status: "published" });
  await site.post({
    title: "Mooring",
    summary: "A bell, and the rope of a bell",
    status: "published",
  });
  await site.post({ title: "Belfry", status: "published" });
  await site.post({ title: long, status: "published" });
  await site.runner.drain();
  const found = async (q: string, count: string) => {
    await page.goto(`${origin}/search?q=${q}`);
    await page.getByText(count, { exact: true }).waitFor();
    const items = await page.locator("[data-search-results] article").all();
    return await Promise.all(items.map(async (item) => [
      await item.locator("h2 a").innerHTML(),
      ...await item.locator("p:not(.when)").evaluateAll((all: { innerHTML: string }[]) =>
        all.map((one) => one.innerHTML)
      ),
    ]));
  };

  assertEquals(await found("buoy", "1 result"), [[
    "<mark>Buoy</mark> &amp; bell",
    "Rings at night",
  ]]);
  assertEquals((await found("rope", "1 result"))[0]![0], "Mooring");
  assertEquals(
    (await found("rope", "1 result"))[0]![1],
    "A bell, and the <mark>rope</mark> of a bell",
  );
  assertEquals(await found("belfry", "1 result"), [["<mark>Belfry</mark>"]]);
  assertEquals(await found("quay", "1 result"), [[long]]);
});

browserTest(
  "the search page lets no other script run, and passes an accessibility check",
  async (browser) => {
    await using open = await visit(browser);
    const { page, origin } = open;
    await page.goto(`${origin}/search?q=lantern`);
    await page.getByText("1 result", { exact: true }).waitFor();
    await page.evaluate(`{
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
  }`);
    assertEquals(await page.evaluate("globalThis.ran"), undefined);

    const checked = await (await browser.newContext({ bypassCSP: true })).newPage();
    await checked.goto(`${origin}/search?q=fog`);
    await checked.getByText("25 results").waitFor();
    await checked.evaluate(axe.source);
    // deno-lint-ignore no-explicit-any
    const result: any = await checked.evaluate("axe.run()");
    assertEquals(result.violations.map(({ id }: { id: string }) => id), []);
    assert(result.passes.length > 10);
  },
);
