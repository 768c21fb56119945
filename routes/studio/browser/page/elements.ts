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

/** The nearest element around another one, or itself, that a selector finds; one that must be there. */
export function enclosing<E extends Element = HTMLElement>(within: Element, selector: string): E {
  const found = within.closest<E>(selector);
  if (found === null) throw new Error(`The page has no ${selector} around an element`);
  return found;
}

/** The element that another one is in; every element of the page is in one. */
export function parentOf(element: Element): HTMLElement {
  const { parentElement } = element;
  if (parentElement === null) throw new Error("The element is not on the page");
  return parentElement;
}

/** The value of a `data-` attribute, by its name in the dataset; one that must be there. */
export function dataOf({ dataset }: HTMLElement, name: string): string {
  const value = dataset[name];
  if (value === undefined) throw new Error(`The element has no data attribute ${name}`);
  return value;
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
