/**
 * Where menus open: beside their button, whole inside of the window, at any width and wherever the button
 * stands, and still there when the page is scrolled.
 */
import type { Locator, Page } from "playwright-core";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { browserTest } from "../../support/browser/chromium.ts";
import { magazine, somePosts } from "../../support/sites/studio_site.ts";
import { type StudioVisit, studioVisit } from "../../support/browser/studio_visit.ts";

const WINDOWS = [
  { width: 375, height: 667 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 1440, height: 420 },
];
/** How far a menu may be from its button, CSS pixels. */
const GAP_MAX = 12;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is wrong with where a menu stands; nothing when it stands beside its button. */
function misplaced(button: Box, menu: Box, window: { width: number; height: number }): string[] {
  const right = (box: Box) => box.x + box.width;
  const bottom = (box: Box) => box.y + box.height;
  const between = (a: [number, number], b: [number, number]) => Math.max(a[0] - b[1], b[0] - a[1]);
  const across = between([button.x, right(button)], [menu.x, right(menu)]);
  const along = between([button.y, bottom(button)], [menu.y, bottom(menu)]);
  const faults: string[] = [];
  if (across < -1 && along < -1) faults.push("covers its button");
  if (Math.max(across, along) > GAP_MAX) faults.push(`is ${Math.max(across, along)} px away`);
  if (menu.x < -1 || right(menu) > window.width + 1) faults.push("leaves the window sideways");
  if (menu.y < -1 || bottom(menu) > window.height + 1) faults.push("leaves the window");
  if (menu.height < 40) faults.push(`is ${menu.height} px high`);
  return faults;
}

/** Where two elements stand in one and the same frame. */
async function boxesOf(button: Locator, menu: Locator): Promise<[Box, Box]> {
  const other = await menu.elementHandle();
  return await button.evaluate(async (button, menu) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    await frame();
    const [from, to] = [button, menu as Element].map((one) => one.getBoundingClientRect().toJSON());
    return [from, to] as [Box, Box];
  }, other);
}

/** Puts an element at a height of the window; scrolls as far as the page goes. */
async function scrollTo(element: Locator, part: number): Promise<void> {
  await element.evaluate((node, part) => {
    const { top } = node.getBoundingClientRect();
    scrollBy({ top: top - innerHeight * part, behavior: "instant" });
  }, part);
}

/** Opens the account menu, which is inside of the navigation; answers what is wrong. */
async function openAccount(page: Page): Promise<string[]> {
  const window = page.viewportSize()!;
  const account = page.locator("[popovertarget=user-menu]");
  if (!(await account.isVisible())) {
    await page.getByRole("button", { name: "Navigation" }).click();
    await page.locator("#navigation:popover-open").waitFor();
  }
  await account.click();
  const menu = page.locator("#user-menu");
  await menu.waitFor();
  const found = misplaced(...await boxesOf(account, menu), window);
  return found.map((fault) => `the account at ${window.width} × ${window.height} ${fault}`);
}

/** Opens every menu of the page wherever its button can stand; answers what is wrong. */
async function openAll(page: Page, where: string): Promise<{ opened: number; faults: string[] }> {
  const faults: string[] = [];
  let opened = 0;
  const window = page.viewportSize()!;
  const buttons = page.locator(
    "[popovertarget]:not([popovertarget=navigation], [popovertarget=user-menu])",
  );
  for (const button of await buttons.all()) {
    for (const part of [0.2, 0.5, 0.9]) {
      await scrollTo(button, part);
      const box = await button.boundingBox();
      if (box === null || box.y < 0 || box.y + box.height > window.height) continue;
      const id = (await button.getAttribute("popovertarget"))!;
      await button.click();
      const menu = page.locator(`[id="${id}"]`);
      await menu.waitFor();
      opened += 1;
      const look = async (when: string) => {
        const [from, to] = await boxesOf(button, menu);
        // A button that has left the window leaves nothing to stand beside.
        if (from.y < 0 || from.y + from.height > window.height) return;
        const name = `${where} at ${window.width} × ${window.height}, ${id} at ${part}${when}`;
        faults.push(...misplaced(from, to, window).map((fault) => `${name} ${fault}`));
      };
      await look("");
      await page.mouse.move(window.width / 2, 5);
      await page.evaluate("scrollBy({ top: 60, behavior: 'instant' })");
      await look(", scrolled");
      await page.keyboard.press("Escape");
      await menu.waitFor({ state: "hidden" });
    }
  }
  return { opened, faults };
}

async function screensOf(visit: StudioVisit): Promise<string[]> {
  await magazine(visit);
  const ids = await somePosts(visit);
  await visit.ask("PATCH", `/documents/${ids[1]}`, { teaser: "Other words." });
  const { json: hook } = await visit.ask("POST", "/webhooks", {
    name: "Build",
    url: "https://hooks.example.org/build",
    events: ["document.published"],
    enabled: true,
  });
  return [
    "/components",
    "",
    "/content/posts",
    `/documents/${ids[0]}`,
    `/documents/${ids[1]}`,
    `/versions/document/${ids[1]}`,
    `/webhooks/${hook.id}`,
  ];
}

browserTest("every menu opens beside its button, whole, at every width", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, complaints } = visit;
  const screens = await screensOf(visit);
  const faults: string[] = [];
  const opened: Record<string, number> = {};

  for (const window of WINDOWS) {
    await page.setViewportSize(window);
    for (const path of screens) {
      await open(`/admin${path}`);
      const found = await openAll(page, path);
      faults.push(...found.faults);
      opened[path] = (opened[path] ?? 0) + found.opened;
    }
    faults.push(...await openAccount(page));
  }

  assertEquals(faults, []);
  for (const path of screens) assert(opened[path]! > 0, `${path} has no menu`);
  assertEquals(complaints, []);
});

browserTest("the menu of a slash stands beside what is typed, and stays there", async (browser) => {
  await using visit = await studioVisit(browser);
  const { page, open, ask, complaints } = visit;
  await magazine(visit);
  const body = Array.from({ length: 30 }, (_, n) => ({
    _type: "block",
    _key: `k${n}`,
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: `s${n}`, text: n === 15 ? "" : `Line ${n}`, marks: [] }],
  }));
  const made = await ask("POST", "/documents", { collection: "posts", title: "Light", body });
  assertEquals(made.status, 201, made.text);
  const faults: string[] = [];

  for (const window of WINDOWS) {
    await page.setViewportSize(window);
    await open(`/admin/documents/${made.json.id}`);
    const line = page.locator(".ProseMirror > *").nth(15);
    for (const part of [0.25, 0.5, 0.85]) {
      await scrollTo(line, part);
      await line.click();
      await page.keyboard.type("/");
      const menu = page.locator(".pt-slash");
      await menu.waitFor();
      const look = async (when: string) => {
        const [from, to] = await boxesOf(line, menu);
        if (from.y < 0 || from.y + from.height > window.height) return;
        const name = `at ${window.width} × ${window.height}, ${part}${when}`;
        faults.push(...misplaced(from, to, window).map((fault) => `${name} ${fault}`));
      };
      await look("");
      await page.evaluate("scrollBy({ top: 60, behavior: 'instant' })");
      await look(", scrolled");
      await page.keyboard.press("Backspace");
      await menu.waitFor({ state: "hidden" });
    }
  }

  assertEquals(faults, []);
  assertEquals(complaints, []);
});
