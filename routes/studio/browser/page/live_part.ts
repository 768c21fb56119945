/**
 * Runs in the browser. A part of a page that follows what happens: the server draws the page again, and
 * the part is taken from it while nobody reads or uses what it holds.
 *
 * @module
 */
import { freshPage } from "./fresh_page.ts";

const LOOK_MS = 3_000;

/** Follows; the part is known by its id. */
export function startLivePart(part: HTMLElement): void {
  setTimeout(() => {
    if (document.visibilityState === "visible" && !isUsed(part)) void redraw(part);
    startLivePart(part);
  }, LOOK_MS);
}

function isUsed(part: HTMLElement): boolean {
  return part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}

/** Without a connection what is shown stays; the next look asks again. */
async function redraw(part: HTMLElement): Promise<void> {
  const fresh = (await freshPage())?.getElementById(part.id);
  if (!fresh || isUsed(part) || fresh.isEqualNode(part)) return;
  part.replaceChildren(...fresh.childNodes);
}
