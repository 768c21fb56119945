/**
 * Runs in the browser. Pages and parts of pages as the server draws them now.
 *
 * @module
 */
/// <reference lib="dom" />

/** Fetches the current page; null if the request fails. */
export function freshPage(): Promise<Document | null> {
  return pageAt(location.href);
}

/** Fetches the page at an address; null if the request fails. Nothing in it runs or is loaded. */
export function pageAt(address: string): Promise<Document | null> {
  return askForPage("GET", address);
}

/** Fetches a rendered part; null if the request fails. */
export function drawnOf(path: string, body: unknown): Promise<Document | null> {
  return askForPage("POST", path, JSON.stringify(body));
}

function askForPage(method: string, path: string, body?: string): Promise<Document | null> {
  const request = new XMLHttpRequest();
  request.open(method, path);
  // The browser parses the response as a separate document, because the page's policy forbids parsing text as
  // HTML.
  request.responseType = "document";
  if (body !== undefined) request.setRequestHeader("content-type", "application/json");
  request.send(body);
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => {
      resolve(request.status === 200 ? request.response as Document | null : null);
    });
  });
}
