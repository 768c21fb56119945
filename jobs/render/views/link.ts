/**
 * Links from content: only schemes that cannot run code.
 *
 * @module
 */
import { URL_CHARS_MAX } from "../../../kv/limits/content.ts";

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/** Any origin works: it only distinguishes relative from absolute URLs. */
const SOMEWHERE = "https://relative.invalid";

/** The link as a safe `href`; null if it is invalid or its scheme is not allowed. */
export function safeLink(link: unknown): string | null {
  if (typeof link !== "string" || link.length > URL_CHARS_MAX) return null;
  const text = link.trim();
  // The same parser as the browser's, so that both see the same scheme.
  const url = URL.parse(text, SOMEWHERE);
  if (text === "" || url === null || !SCHEMES.has(url.protocol)) return null;
  if (url.username !== "" || url.password !== "") return null;
  return url.origin === SOMEWHERE ? url.href.slice(SOMEWHERE.length) || "/" : url.href;
}
