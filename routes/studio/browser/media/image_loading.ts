/**
 * Runs in the browser. An upload goes before the pictures of the page: a browser has six connections to a server, and
 * pictures that are still being made smaller there would hold all of them.
 *
 * @module
 */
import { all } from "../page/elements.ts";

/** Nothing to be seen, of any size. */
const EMPTY = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** Pictures that wait, with their addresses. */
const waiting = new Map<HTMLImageElement, string>();
let uploads = 0;

/** Does something while the pictures that are not there yet wait. */
export async function pauseImagesDuring<T>(upload: () => Promise<T>): Promise<T> {
  uploads += 1;
  for (const image of all<HTMLImageElement>(document, "img[src]")) {
    if (image.complete || waiting.has(image)) continue;
    waiting.set(image, image.src);
    // Another address ends the request for the one before.
    image.src = EMPTY;
  }
  try {
    return await upload();
  } finally {
    uploads -= 1;
    if (uploads === 0) resumeImages();
  }
}

function resumeImages(): void {
  for (const [image, src] of waiting) if (image.src === EMPTY) image.src = src;
  waiting.clear();
}
