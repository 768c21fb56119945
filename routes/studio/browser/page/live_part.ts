/**
 * Runs in the browser. A part of a page that refreshes itself: the page is fetched again and the part replaced
 * while the user is not interacting with it.
 *
 * @module
 */
import { freshPage } from "./fresh_page.ts";

const POLL_MS = 3_000;

/** Follows; the part is known by its id. */
export function startLivePart(part: HTMLElement): void {
  setTimeout(() => {
    if (document.visibilityState === "visible" && !isUsed(part)) void redraw(part);
    startLivePart(part);
  }, POLL_MS);
}

function isUsed(part: HTMLElement): boolean {
  return part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}

/** If the request fails, the part stays until the next poll. */
async function redraw(part: HTMLElement): Promise<void> {
  const fresh = (await freshPage())?.getElementById(part.id);
  if (!fresh || isUsed(part) || fresh.isEqualNode(part)) return;
  part.replaceChildren(...fresh.childNodes);
}
