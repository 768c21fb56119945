/**
 * Runs in the browser. The preview of the site beside its design form. The page runs no script, so the studio
 * updates the changed elements in place, without a flash.
 *
 * @module
 */
import { all } from "./page/elements.ts";
import { formValues } from "./forms/form_values.ts";

/** How long one rests before the site is drawn, milliseconds. */
const DRAW_AFTER_MS = 60;
/** The parts of a page that a design changes. */
const LOOK = 'link[rel=stylesheet][href^="/assets/look/"]';

/** Draws the site in the design of a form whenever `draw` is called. */
export class DesignPreview {
  readonly #form: HTMLFormElement;
  readonly #frame: HTMLIFrameElement;
  /** Counts requests: only the newest answer is shown. */
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether anything has changed: the frame starts with the saved design. */
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

  /** Shows the page in another theme, with the design of the form. */
  showTheme(query: string): void {
    const path = this.#frame.contentDocument?.location.pathname;
    if (path === undefined) return;
    this.#hasChanged = true;
    this.#frame.src = path + query;
  }

  #ask(): void {
    const page = this.#frame.contentDocument;
    if (page === null || page.URL === "about:blank") return;
    const request = new XMLHttpRequest();
    const asked = ++this.#asked;
    const given = encodeURIComponent(JSON.stringify(formValues(this.#form)));
    const { pathname, search } = page.location;
    request.open("GET", `${pathname}${search === "" ? "?" : `${search}&`}given=${given}`);
    request.responseType = "document";
    request.onload = () => {
      const next = request.status === 200 ? request.responseXML : null;
      // The frame has navigated away and has no window; the new page is rendered once it has loaded.
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
  if (nextLook === null || address === null) look?.remove();
  else if (look === null) page.head.append(page.adoptNode(nextLook));
  else if (look.getAttribute("href") !== address) look.href = address;
  const { scrollX, scrollY } = window;
  page.body.replaceWith(page.adoptNode(next.body));
  window.scrollTo(scrollX, scrollY);
}

/** Starts the preview if the page has a frame for it. */
export function startDesignPreview(form: HTMLElement): () => void {
  const [frame] = all<HTMLIFrameElement>(document, "iframe[data-design-preview]");
  if (frame === undefined) return () => {};
  const preview = new DesignPreview(form as HTMLFormElement, frame);
  const draw = () => preview.draw();
  form.addEventListener("input", draw);
  form.addEventListener("change", draw);
  for (const radio of all<HTMLInputElement>(document, "[data-preview-theme]")) {
    radio.addEventListener("change", () => preview.showTheme(radio.value));
  }
  return draw;
}
