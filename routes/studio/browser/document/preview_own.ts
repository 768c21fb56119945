/**
 * Runs in the browser. The preview in the site's theme. The page runs no script, so the studio updates the
 * changed elements in place, without a flash.
 *
 * @module
 */
import { scrollToText } from "../../../answers/scroll_to_text.ts";
import { all, dataOf } from "../page/elements.ts";
import { replaceChanged } from "./replace_changed.ts";
import type { PreviewPage } from "./preview.ts";

/** The page of the site's theme in a frame. */
export class OwnPreview implements PreviewPage {
  readonly #frame: HTMLIFrameElement;
  /** Counts requests: only the newest answer is shown. */
  #asked = 0;
  #words: string | null = null;

  constructor(frame: HTMLIFrameElement) {
    this.#frame = frame;
    frame.addEventListener("load", () => this.#scroll());
  }

  draw(): void {
    const request = new XMLHttpRequest();
    const asked = ++this.#asked;
    request.open("GET", dataOf(this.#frame, "address"));
    request.responseType = "document";
    request.onload = () => {
      if (asked === this.#asked) this.#put(request.status === 200 ? request.responseXML : null);
    };
    request.send();
  }

  show(words: string): void {
    this.#words = words;
    this.#scroll();
  }

  close(): void {
    this.#asked += 1;
  }

  #scroll(): void {
    const page = this.#frame.contentDocument;
    if (page !== null && this.#words !== null) scrollToText(page, this.#words);
  }

  #put(next: Document | null): void {
    const page = this.#frame.contentDocument;
    const isShown = page !== null && page.URL !== "about:blank" && next !== null &&
      styleOf(page) === styleOf(next);
    if (!isShown) {
      const hasPlayers = next !== null && next.querySelector("iframe") !== null;
      this.#frame.setAttribute(
        "sandbox",
        hasPlayers ? dataOf(this.#frame, "sandbox") : "allow-same-origin",
      );
      // The query changes the URL; otherwise the frame would not reload.
      this.#frame.src = `${this.#frame.dataset.address}?at=${performance.now()}`;
      return;
    }
    const view = page.defaultView!;
    const { scrollX, scrollY } = view;
    page.title = next.title;
    replaceChanged(page.body, next.body);
    view.scrollTo(scrollX, scrollY);
    this.#scroll();
  }
}

/**
 * The look of a page: another theme or design requires a reload, and so do embedded players, which the page's
 * policy has to allow.
 */
function styleOf(page: Document): string {
  const sheets = all<HTMLLinkElement>(page, "link[rel=stylesheet]");
  const styles = all(page, "style");
  const players = all<HTMLIFrameElement>(page, "iframe").map(({ src }) => new URL(src).origin);
  return [
    ...sheets.map((link) => link.getAttribute("href")),
    ...styles.map((one) => one.textContent),
    ...[...new Set(players)].sort(),
  ]
    .join("\n");
}
