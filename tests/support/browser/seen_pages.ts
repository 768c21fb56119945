/**
 * What was to be read on the pages of a browser test at its end: most failures are understood by it.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Browser, BrowserContext } from "playwright-core";
import { inTime } from "../harness/in_time.ts";

const CHARACTERS_MAX = 1_500;
/** Milliseconds after which a page is reported as not answering, for example while a dialog is open. */
const ANSWER_MS_MAX = 2_000;
/** A context that is closed while its page loads may never end: it goes with its browser. */
const CLOSE_MS_MAX = 10_000;

/** What pages said when their contexts were closed, and what those say that are still open. */
export interface SeenPages {
  told(): Promise<string[]>;
  /** Forgets what closed pages said; the next test begins. */
  forget(): void;
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
      await inTime(close(), CLOSE_MS_MAX, () => {});
    };
    return context;
  };
  return {
    told: async () => [...seen, ...(await Promise.all(browser.contexts().map(textsOf))).flat()],
    forget: () => void (seen.length = 0),
  };
}

function textsOf(context: BrowserContext): Promise<string[]> {
  return Promise.all(
    context.pages().map(async (page) => {
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
      const lines = await inTime(told, ANSWER_MS_MAX, () => ["(no answer)"])
        .catch((error) => [String(error)]);
      return [
        `── ${page.url()}`,
        ...lines.map((line) => line.replaceAll(/\n+/g, "\n").slice(0, CHARACTERS_MAX)),
      ].join("\n");
    }),
  );
}
