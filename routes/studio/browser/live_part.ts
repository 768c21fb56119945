/**
 * Runs in the browser. A part of a page that follows what happens: the server draws the page again, and
 * the part is taken from it while nobody reads or uses what it holds.
 *
 * @module
 */
const LOOK_MS = 3_000;

/** Follows; the part is known by its id. */
export function startLivePart(part: HTMLElement): void {
  setTimeout(() => {
    if (document.visibilityState === "visible" && !isUsed(part)) redraw(part);
    startLivePart(part);
  }, LOOK_MS);
}

function isUsed(part: HTMLElement): boolean {
  return part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}

/** Without a connection what is shown stays; the next look asks again. */
function redraw(part: HTMLElement): void {
  const request = new XMLHttpRequest();
  request.open("GET", location.href);
  // Parsed by the browser as a document of its own: a text may not be parsed here.
  request.responseType = "document";
  request.addEventListener("load", () => {
    const fresh = (request.response as Document | null)?.getElementById(part.id);
    if (!fresh || request.status !== 200 || isUsed(part) || fresh.isEqualNode(part)) return;
    part.replaceChildren(...fresh.childNodes);
  });
  request.send();
}
