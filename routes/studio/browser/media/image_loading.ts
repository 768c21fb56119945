/**
 * Runs in the browser. An upload takes precedence over loading images: a browser opens six connections to a
 * server, and images that are still being resized there would occupy all of them.
 *
 * @module
 */
import { all } from "../page/elements.ts";

/** An empty image. */
const EMPTY = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

/** Paused images with their URLs. */
const waiting = new Map<HTMLImageElement, string>();
let uploads = 0;

/** Runs an upload while images that have not loaded yet are paused. */
export async function pauseImagesDuring<T>(upload: () => Promise<T>): Promise<T> {
  uploads += 1;
  for (const image of all<HTMLImageElement>(document, "img[src]")) {
    if (image.complete || waiting.has(image)) continue;
    waiting.set(image, image.src);
    // Changing the URL cancels the pending request.
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
