/**
 * What may be embedded in the texts of a page: players of the services that every site knows, and the hosts that this
 * one allows besides, which its pages carry.
 *
 * @module
 */
/// <reference lib="dom" />
import { type Embed, EMBED_NAMES, embedOf } from "../../../../kv/model/values/embed.ts";

/** The hosts that this site allows; none where there is no page. */
function allowedHosts(): string[] {
  const carrier = globalThis.document?.querySelector<HTMLElement>("[data-embed-hosts]");
  return carrier?.dataset.embedHosts?.split(" ") ?? [];
}

/** The player of an address; null where it may not be embedded. */
export function allowedEmbed(address: unknown): Embed | null {
  return embedOf(address, allowedHosts());
}

/** Everything that may be embedded, as people call it. */
export function embedNames(): string {
  return new Intl.ListFormat("en").format([...EMBED_NAMES, ...allowedHosts()]);
}
