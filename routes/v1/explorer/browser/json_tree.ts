/**
 * Runs in the browser. JSON as a tree that collapses.
 *
 * @module
 */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { button, element } from "../../../browser/elements.ts";

/** A node of the tree; its children are created when it is opened. */
export function jsonTree(value: unknown, key: string | null, depth: number): HTMLElement {
  const name = key === null ? [] : [element("span", { class: "key" }, key), ": "];
  if (typeof value !== "object" || value === null) {
    return element("div", { class: "leaf" }, ...name, jsonLeaf(value));
  }
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) {
    return element("div", { class: "leaf" }, ...name, `${open}${close}`);
  }
  const count = element("span", { class: "count" }, `${entries.length}`);
  const node = element(
    "details",
    {},
    element("summary", {}, ...name, open, count, close),
  );
  let filled = false;
  const fill = () => {
    if (filled || !node.open) return;
    filled = true;
    const inside = element("div", { class: "inside" });
    node.append(inside);
    appendEntries(inside, entries, Array.isArray(value), depth + 1, 0);
  };
  node.addEventListener("toggle", fill);
  node.open = depth < 3;
  fill();
  return node;
}

/** Adds entries from a place on, at most two hundred at a time. */
export function appendEntries(
  inside: HTMLElement,
  entries: [string, unknown][],
  isArray: boolean,
  depth: number,
  from: number,
): void {
  const to = Math.min(entries.length, from + 200);
  for (const [key, value] of entries.slice(from, to)) {
    inside.append(jsonTree(value, isArray ? key : JSON.stringify(key), depth));
  }
  if (to === entries.length) return;
  const more = button(`Show ${entries.length - to} more`, () => {
    more.remove();
    appendEntries(inside, entries, isArray, depth, to);
  });
  inside.append(more);
}

/** Text, number, boolean or null. */
export function jsonLeaf(value: unknown): HTMLElement {
  const kind = value === null ? "null" : typeof value;
  return element("span", { class: `value ${kind}` }, JSON.stringify(value));
}

/** Opens or closes all nodes below; in very large trees, unopened nodes stay closed. */
export function collapseAll(tree: HTMLElement, open: boolean): void {
  for (let round = 0; round < 20; round++) {
    const nodes = [...tree.querySelectorAll("details")].filter((node) => node.open !== open);
    if (nodes.length === 0 || tree.querySelectorAll("*").length > 50_000) return;
    for (const node of nodes) {
      node.open = open;
      node.dispatchEvent(new Event("toggle"));
    }
  }
}
