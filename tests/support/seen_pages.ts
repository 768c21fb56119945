/**
 * What was to be read on the pages of a browser test at its end: most failures are understood by it.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Browser, BrowserContext } from "playwright-core";

const CHARACTERS_MAX = 1_500;
/** A page that does not answer, as one that asks something, is told as one. */
const ANSWER_MS_MAX = 2_000;
/** A context that is closed while its page loads may never end: it goes with its browser. */
const CLOSE_MS_MAX = 10_000;

/** What pages said when their contexts were closed, and what those say that are still open. */
export interface SeenPages {
  told(): Promise<string[]>;
}

/** Sees the pages of a browser from now on. */
export function seenPages(browser: Browser): SeenPages {
  const seen: string[] = [];
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    const close = context.close.bind(context);
    context.close = async () => {
      seen.push(...await textsOf(context));
      let bound: ReturnType<typeof setTimeout>;
      const late = new Promise<void>((done) => bound = setTimeout(done, CLOSE_MS_MAX));
      await Promise.race([close(), late]).finally(() => clearTimeout(bound));
    };
    return context;
  };
  return {
    told: async () => [...seen, ...(await Promise.all(browser.contexts().map(textsOf))).flat()],
  };
}

function textsOf(context: BrowserContext): Promise<string[]> {
  const timer = Promise.withResolvers<string[]>();
  const due = setTimeout(() => timer.resolve(["(no answer)"]), ANSWER_MS_MAX);
  const texts = context.pages().map(async (page) => {
    const told = page.evaluate(() => {
      const { activeElement, body } = document;
      const text = (document.querySelector("main") ?? body).innerText;
      const dialog = document.querySelector<HTMLElement>("dialog[open]");
      return [
        text,
        `dialog: ${dialog?.innerText}`,
        `focus: ${activeElement?.outerHTML.slice(0, 200)}`,
        `selected: ${getSelection()}`,
      ];
    });
    // Whatever goes wrong here must not hide why the test failed.
    const lines = await Promise.race([told, timer.promise]).catch((error) => [String(error)]);
    return [
      `── ${page.url()}`,
      ...lines.map((line) => line.replaceAll(/\n+/g, "\n").slice(0, CHARACTERS_MAX)),
    ].join("\n");
  });
  return Promise.all(texts).finally(() => clearTimeout(due));
}
