/**
 * Runs in the browser. The site beside the form of its design, drawn anew as one changes it: nothing of the page
 * runs, so the studio puts what has changed into it, without a flash.
 *
 * @module
 */
import { all } from "./page/elements.ts";
import { formValues } from "./forms/form_values.ts";

/** How long one rests before the site is drawn, milliseconds. */
const DRAW_AFTER_MS = 60;
/** What a design changes of a theme. */
const LOOK = 'link[rel=stylesheet][href^="/assets/look/"]';

/** Draws the site in the design of a form whenever `draw` is called. */
export class DesignPreview {
  readonly #form: HTMLFormElement;
  readonly #frame: HTMLIFrameElement;
  /** Counts requests: only the newest answer is shown. */
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether anything was changed: the frame begins with what is saved. */
  #hasChanged = false;

  constructor(form: HTMLFormElement, frame: HTMLIFrameElement) {
    this.#form = form;
    this.#frame = frame;
    // A link of the page leads to another one, which is to look the same.
    frame.addEventListener("load", () => {
      if (this.#hasChanged) this.draw();
    });
  }

  draw(): void {
    this.#hasChanged = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), DRAW_AFTER_MS);
  }

  #ask(): void {
    const page = this.#frame.contentDocument;
    if (page === null || page.URL === "about:blank") return;
    const request = new XMLHttpRequest();
    const asked = ++this.#asked;
    const given = encodeURIComponent(JSON.stringify(formValues(this.#form)));
    request.open("GET", `${page.location.pathname}?given=${given}`);
    request.responseType = "document";
    request.onload = () => {
      const next = request.status === 200 ? request.responseXML : null;
      // A page that was left meanwhile has no window; the one that came instead is drawn when it is there.
      const window = page.defaultView;
      if (asked === this.#asked && next !== null && window !== null) put(page, next, window);
    };
    request.send();
  }
}

function put(page: Document, next: Document, window: Window): void {
  const look = page.querySelector<HTMLLinkElement>(LOOK);
  const nextLook = next.querySelector<HTMLLinkElement>(LOOK);
  const address = nextLook?.getAttribute("href") ?? null;
  if (address === null) look?.remove();
  else if (look === null) page.head.append(page.adoptNode(nextLook!));
  else if (look.getAttribute("href") !== address) look.href = address;
  const { scrollX, scrollY } = window;
  page.body.replaceWith(page.adoptNode(next.body));
  window.scrollTo(scrollX, scrollY);
}

/** Shows the site beside a form whose page has a place for it. */
export function startDesignPreview(form: HTMLElement): () => void {
  const [frame] = all<HTMLIFrameElement>(document, "iframe[data-design-preview]");
  if (frame === undefined) return () => {};
  const preview = new DesignPreview(form as HTMLFormElement, frame);
  const draw = () => preview.draw();
  form.addEventListener("input", draw);
  form.addEventListener("change", draw);
  return draw;
}
