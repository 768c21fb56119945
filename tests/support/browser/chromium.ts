/**
 * A Chromium for the browser tests, where the machine has one.
 *
 * @module
 */
import { type Browser, chromium } from "playwright-core";
import { inTime } from "../harness/in_time.ts";
import { type SeenPages, seenPages } from "./seen_pages.ts";

/** The longest test takes half a minute on a busy machine; what a page never answers has no bound of its own. */
const TEST_MS_MAX = 240_000;
/** A context that is closed while its page loads may never end. */
const CLOSE_MS_MAX = 12_000;

/** The headless shell first: it starts faster and takes a third less processor time than the whole browser. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Compositing and network requests run in the browser's process: what the processes tell one another takes a tenth of
 * all processor time. The last list of features replaces that of the driver, so it repeats those.
 */
const FEWER_PROCESSES = [
  "--in-process-gpu",
  "--enable-features=" +
  "NetworkServiceInProcess2,CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies",
];

/** Which fonts of a Debian machine it sees, and one that it must have for that. */
const FONTS = new URL("./fonts.conf", import.meta.url).pathname;
const FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

/** Where Chromium is: `CHROMIUM_PATH`, or one of its usual places; null when there is none. */
export function findChromium(): string | null {
  const places = [Deno.env.get("CHROMIUM_PATH") ?? "", ...PLACES];
  return places.find((path) => path !== "" && isFile(path)) ?? null;
}

/** The browser of this process, started with the first test that needs one. */
let shared: { browser: Browser; pages: SeenPages } | null = null;

/**
 * A test in a browser; without Chromium it is skipped, and its title says why, unless `REQUIRE_BROWSER` is
 * set, as in CI: then it fails. Tests of one process share a Chromium. Each has contexts of its own, which are closed
 * after it. Sanitizers are off, because the driver keeps timers and pipes of its own until the process ends.
 */
export function browserTest(name: string, run: (browser: Browser) => Promise<void>): void {
  const executablePath = findChromium();
  const skipped = executablePath === null && !Deno.env.get("REQUIRE_BROWSER");
  Deno.test({
    name: skipped ? `${name} (skipped: no Chromium found)` : name,
    ignore: skipped,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      if (executablePath === null) {
        throw new Error("REQUIRE_BROWSER is set and there is no Chromium");
      }
      const { browser, pages } = shared ??= await launch(executablePath);
      try {
        await inTime(run(browser), TEST_MS_MAX, () => {
          throw new Error("It has not ended");
        });
      } catch (error) {
        const seen = await pages.told();
        throw new Error(["It failed, and its pages said:", ...seen].join("\n"), { cause: error });
      } finally {
        await clear(browser, pages);
      }
    },
  });
}

/** Closes what a test left open; a browser that does not manage is replaced by the next test. */
async function clear(browser: Browser, pages: SeenPages): Promise<void> {
  pages.forget();
  const closed = Promise.all(browser.contexts().map((context) => context.close()));
  const isClosed = await inTime(closed.then(() => true), CLOSE_MS_MAX, () => false);
  if (isClosed && browser.contexts().length === 0 && browser.isConnected()) return;
  shared = null;
  await inTime(browser.close(), CLOSE_MS_MAX, () => {});
}

async function launch(executablePath: string): Promise<{ browser: Browser; pages: SeenPages }> {
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ...FEWER_PROCESSES],
    env: { ...Deno.env.toObject(), ...(isFile(FONT) && { FONTCONFIG_FILE: FONTS }) },
  });
  return { browser, pages: seenPages(browser) };
}

Deno.test.afterAll(async () => await shared?.browser.close());

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}
