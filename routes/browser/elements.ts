/**
 * Runs in the browser. Elements and their text; nothing here or above it ever parses HTML.
 *
 * @module
 */
/// <reference lib="dom" />

/** Properties of an element: attributes, and listeners as `on…`. */
export type Attributes = Record<string, string | boolean | ((event: Event) => void)>;

/** A new element. Strings become text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(name.slice(2), value);
    else if (value === true) created.setAttribute(name, "");
    else if (value !== false) created.setAttribute(name, value);
  }
  created.append(...children);
  return created;
}

/** The element that the page has under this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}`);
  return found;
}

/** A button. */
export function button(
  label: string,
  onclick: () => void,
  more: Attributes = {},
): HTMLButtonElement {
  return element("button", { type: "button", onclick, ...more }, label);
}
