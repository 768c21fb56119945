/**
 * The documents that use something, as far as somebody sees them: how many there are is told to everybody who
 * may remove it.
 *
 * @module
 */
import type { MediaUse } from "../../kv/media/uses.ts";
import type { Visit } from "./serving/studio_env.ts";

/** Those uses that the visitor may know by name. */
export function usesSeen({ readable }: Pick<Visit, "readable">, uses: MediaUse[]): MediaUse[] {
  const slugs = new Set(readable.map(({ slug }) => slug));
  return uses.filter(({ collection }) => slugs.has(collection));
}
