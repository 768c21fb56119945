/**
 * The admin application in a browser: a site set up in memory, a server, and a page that is signed in.
 *
 * @module
 */
import axe from "axe-core";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { ulid } from "@std/ulid";
import { ulidSource } from "../../../kv/context.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assertEquals } from "../harness/assert.ts";
import { type Answer, type Call, type TestApp, testApp } from "../sites/app.ts";
import { isWholeRun } from "../harness/whole_run.ts";

/** Who sets the site up. */
export const ADA = {
  email: "ada@example.org",
  displayName: "Ada Lovelace",
  password: "correct horse battery",
};

/** A visit to the admin application. */
export interface StudioVisit extends AsyncDisposable {
  test: TestApp;
  page: Page;
  origin: string;
  /** What the browser complained about. */
  complaints: string[];
  /** A request to the admin API as the one who is signed in. */
  ask(method: string, path: string, body?: Json): Promise<Answer>;
  /** The cookie of the one who is signed in. */
  cookie: () => string;
  /** Opens a page and waits until its code has started. */
  open(path: string): Promise<void>;
}

/** A desktop and a telephone. */
export const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

/** A site with Ada as its administrator (by default), and a page on it. */
export async function studioVisit(
  browser: Browser,
  options: BrowserContextOptions & {
    setUp?: boolean;
    allowLocal?: boolean;
    /** Ids that are the same in every run, and a browser whose clock stands where the server's does. */
    steady?: boolean;
  } = {},
): Promise<StudioVisit> {
  const { setUp = true, allowLocal = false, steady = false, ...contextOptions } = options;
  const test = await testApp({ development: true, guard: { allowLocal } });
  if (steady) test.context.newId = steadyIds();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, test.app.fetch);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const context = await browser.newContext({
    viewport: WIDTHS.wide,
    reducedMotion: "reduce",
    // What makes pictures the same on every machine is a style that the policy of the page would refuse.
    bypassCSP: steady,
    ...contextOptions,
  });
  const page = await context.newPage();
  if (steady) await page.clock.setFixedTime(test.context.now());
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  let cookie = "";
  const ask = async (method: string, path: string, body?: Json): Promise<Answer> => {
    const call: Call = { headers: { cookie }, ...(body !== undefined && { body }) };
    return await test.call(method, `/api/admin${path}`, call);
  };
  if (setUp) {
    const body = { code: "setup-code", siteTitle: "The Lantern", ...ADA };
    const answer = await ask("POST", "/setup", body);
    assertEquals(answer.status, 201);
    cookie = answer.headers.get("set-cookie")!.split(";")[0]!;
    const [name, value] = cookie.split("=");
    await context.addCookies([{ name: name!, value: value!, url: origin }]);
  }
  return {
    test,
    page,
    origin,
    complaints,
    ask,
    cookie: () => cookie,
    open: async (path) => {
      await page.goto(origin + path);
      await page.locator("html[data-ready]").waitFor();
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await test.deps.live.stop();
      await server.shutdown();
      await test[Symbol.asyncDispose]();
    },
  };
}

function steadyIds(): (ms: number) => string {
  return ulidSource((ms) => `${ulid(ms).slice(0, 10)}${"0".repeat(16)}`);
}

/** The application of a visit, called as the user who is signed in there. */
export function asVisitor({ test, cookie }: StudioVisit): TestApp {
  const admin: TestApp["admin"] = (method, path, body, call = {}) => {
    const headers = { cookie: cookie(), ...call.headers };
    const given = body === undefined ? {} : { body };
    return test.call(method, `/api/admin${path}`, { ...call, ...given, headers });
  };
  return { ...test, admin };
}

/** Another user, signed in with a browser of their own. */
export async function colleague(
  { ask, origin, page }: StudioVisit,
  { password = "a password of some length", ...who }: {
    email: string;
    displayName: string;
    roles: string[];
    password?: string;
  },
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page }> {
  assertEquals((await ask("POST", "/users", { ...who, password })).status, 201);
  const context = await page.context().browser()!.newContext({
    reducedMotion: "reduce",
    ...options,
  });
  const own = await context.newPage();
  own.setDefaultTimeout(15_000);
  await own.goto(`${origin}/admin/sign-in`);
  await own.getByLabel("Email").fill(who.email);
  await own.getByLabel("Password").fill(password);
  await own.getByRole("button", { name: "Sign in", exact: true }).click();
  await own.getByRole("heading", { name: /^Good / }).waitFor();
  return { context, page: own };
}

/** Keeps a picture under `SCREENSHOTS`, when that is set. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("SCREENSHOTS");
  if (folder) await page.screenshot({ path: `${folder}/studio-${name}.png`, fullPage: true });
}

/** Rules of what depends on width and colors; the rest is the same in both. */
export const WIDTH_RULES = [
  "color-contrast",
  "target-size",
  "button-name",
  "link-name",
  "scrollable-region-focusable",
];

/** What an accessibility checker finds wrong with the page, and whether it is too wide. */
export async function findings(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const options = rules === undefined ? {} : { runOnly: rules };
  // deno-lint-ignore no-explicit-any
  const found = await page.evaluate((options) => (globalThis as any).axe.run(options), options);
  // deno-lint-ignore no-explicit-any
  const wrong = found.violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html}`);
  const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  return wide ? [...wrong, "the page is wider than the window"] : wrong;
}

/**
 * Looks at the present page in both widths and both colors: pictures, and no findings. Only a whole run does: the
 * checker takes longer than most tests.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  if (!isWholeRun) return;
  for (const [width, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: width === "wide" ? "light" : "dark" });
    // What lies half below the bar would count as too small to touch.
    await page.evaluate("scrollTo(0, 0)");
    await picture(page, `${name}-${width}`);
    const rules = width === "wide" ? undefined : WIDTH_RULES;
    assertEquals(await findings(page, rules), [], `${name}, ${width}`);
  }
  await page.setViewportSize(WIDTHS.wide);
  await page.emulateMedia({ colorScheme: "light" });
}

/** Does what loads the page anew, and waits until it has: what the page said before is gone by then. */
export async function loadedAnew(page: Page, act: () => Promise<void>): Promise<void> {
  const loaded = page.waitForEvent("load");
  await act();
  await loaded;
}

/** Presses keys that move the caret; the browser tells the editor of it a moment later, as it does people. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.evaluate(() =>
      new Promise((told) => requestAnimationFrame(() => setTimeout(told, 50)))
    );
  }
}
