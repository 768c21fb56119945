/**
 * Whether a client would rather have Markdown than HTML (RFC 9110, section 12.5.1). Only a client that names
 * `text/markdown` does; browsers do not.
 *
 * @module
 */
import { parseAccept } from "@hono/hono/utils/accept";

/** Whether an `Accept` header names Markdown, and HTML, if at all, after it. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false;
  const weights = new Map(
    parseAccept(accept).map(({ type, q }) => [type.toLowerCase(), q] as const).reverse(),
  );
  const markdown = weights.get("text/markdown") ?? 0;
  return markdown > 0 && markdown >= (weights.get("text/html") ?? 0);
}
