/**
 * `/preview/client.js`: a script for front ends, so that a page in the studio's preview frame
 * follows the text being typed. The studio sends messages to the frame; without the script it
 * reloads the page.
 *
 * @module
 */
/// <reference lib="dom" />
import { Hono } from "@hono/hono";
import { scrollToText } from "../answers/scroll_to_text.ts";

/** Seconds that browsers keep the script. */
const KEPT_SECONDS = 3_600;

/** Serves the script. */
export function previewScriptRoutes(): Hono {
  const script = `(${follow})(${scrollToText});\n`;
  return new Hono().get("/client.js", (c) =>
    c.body(script, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": `public, max-age=${KEPT_SECONDS}`,
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    }));
}

/** Runs in the front end's page. It is served as text, so it uses nothing from outside of itself. */
function follow(scroll: (page: Document, words: string) => boolean): void {
  // Front ends load it in their own ways, so it may not be the current script.
  const script = document.querySelector<HTMLScriptElement>('script[src$="/preview/client.js"]');
  const framed = globalThis.parent !== globalThis.self;
  if (script === null || !framed) return;
  const studio = new URL(script.src).origin;
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== globalThis.parent || origin !== studio) return;
    if (data?.type === "cms:scroll") scroll(document, String(data.text));
    if (data?.type !== "cms:changed") return;
    const changed = new CustomEvent("cms:changed", { detail: data, cancelable: true });
    // A page that updates itself calls preventDefault().
    if (document.dispatchEvent(changed)) location.reload();
  });
  globalThis.parent.postMessage({ type: "cms:ready" }, studio);
}
