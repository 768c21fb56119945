/**
 * What can be embedded: players of the built-in services and of the hosts that the site allows, which the page
 * contains.
 *
 * @module
 */
/// <reference lib="dom" />
import { type Embed, EMBED_NAMES, embedOf } from "../../../../kv/model/values/embed.ts";

/** The hosts that this site allows; none without a page. */
function allowedHosts(): string[] {
  const carrier = globalThis.document?.querySelector<HTMLElement>("[data-embed-hosts]");
  return carrier?.dataset.embedHosts?.split(" ") ?? [];
}

/** The player for a URL; null if it cannot be embedded. */
export function allowedEmbed(address: unknown): Embed | null {
  return embedOf(address, allowedHosts());
}

/** Everything that may be embedded, as people call it. */
export function embedNames(): string {
  return new Intl.ListFormat("en").format([...EMBED_NAMES, ...allowedHosts()]);
}
