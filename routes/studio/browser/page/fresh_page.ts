/**
 * Runs in the browser. Pages and parts of pages as the server draws them now.
 *
 * @module
 */
/// <reference lib="dom" />

/** Asks for the present page; null where it does not come. */
export function freshPage(): Promise<Document | null> {
  return askForPage("GET", location.href);
}

/** Asks what the server draws of something; null where it does not come. */
export function drawnOf(path: string, body: unknown): Promise<Document | null> {
  return askForPage("POST", path, JSON.stringify(body));
}

function askForPage(method: string, path: string, body?: string): Promise<Document | null> {
  const request = new XMLHttpRequest();
  request.open(method, path);
  // Parsed by the browser as a document of its own: a text may not be parsed here.
  request.responseType = "document";
  if (body !== undefined) request.setRequestHeader("content-type", "application/json");
  request.send(body);
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => {
      resolve(request.status === 200 ? request.response as Document | null : null);
    });
  });
}
