/**
 * Runs in the browser. Finding and creating elements; no code in this folder parses HTML.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

export { type Attributes, element as make } from "../../../browser/elements.ts";

/** The element that a selector finds; one that must be there. */
export function get<E extends Element = HTMLElement>(within: ParentNode, selector: string): E {
  const found = within.querySelector<E>(selector);
  if (found === null) throw new Error(`The page has no ${selector}`);
  return found;
}

/** Every element that a selector finds. */
export function all<E extends Element = HTMLElement>(within: ParentNode, selector: string): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

/** JSON embedded in an element of the page, by name if there are several. */
export function embedded<T>(within: ParentNode, name?: string): T {
  const selector = `script[type="application/json"]${name ? `[data-json="${name}"]` : ""}`;
  return JSON.parse(get(within, selector).textContent);
}

/** An icon made of one path. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const drawn = document.createElementNS("http://www.w3.org/2000/svg", "path");
  drawn.setAttribute("d", path);
  svg.append(drawn);
  return svg;
}

/** Shows a popover without a button of its own beside an element. */
export function showBeside(popover: HTMLElement, source: HTMLElement): void {
  (popover as HTMLElement & { showPopover(options: { source: HTMLElement }): void })
    .showPopover({ source });
}

/** Takes a popover out of the page whenever it has been closed. */
export function removeWhenClosed(popover: HTMLElement): void {
  popover.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "closed") popover.remove();
  });
}
