/**
 * The documents that use something, limited to those the user may read. Their total is shown to every user who
 * may remove it.
 *
 * @module
 */
import type { MediaUse } from "../../kv/media/uses.ts";
import type { Visit } from "./serving/studio_env.ts";

/** Those uses that the visitor may know by name. */
export function readableUses({ readable }: Pick<Visit, "readable">, uses: MediaUse[]): MediaUse[] {
  const slugs = new Set(readable.map(({ slug }) => slug));
  return uses.filter(({ collection }) => slugs.has(collection));
}
