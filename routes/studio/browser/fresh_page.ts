/**
 * Runs in the browser. The present page as the server draws it now.
 *
 * @module
 */
/// <reference lib="dom" />

/** Asks for the page; null where it does not come. */
export function freshPage(): Promise<Document | null> {
  const request = new XMLHttpRequest();
  request.open("GET", location.href);
  // Parsed by the browser as a document of its own: a text may not be parsed here.
  request.responseType = "document";
  request.send();
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => {
      resolve(request.status === 200 ? request.response as Document | null : null);
    });
  });
}
