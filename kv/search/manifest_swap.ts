/**
 * The one commit that changes what the index is made of. Every reader sees the manifest before or after it;
 * both say the same about every document.
 *
 * @module
 */
import { searchManifestKey, searchVersionKey } from "../keys.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { retireSegment } from "./garbage.ts";
import { EMPTY_MANIFEST, type SearchManifest } from "./manifest.ts";
import type { SegmentClaim } from "./segment_writer.ts";

/** What goes with a change of the manifest. */
export interface Swap {
  /** Claims of the segments that are new in it. */
  claims?: readonly SegmentClaim[];
  /** Segments that are no longer in it. */
  retired?: readonly string[];
  now: number;
  /** More of the same commit. */
  more?: (operation: Operation) => void;
}

/** Replaces the manifest; null when it has changed meanwhile, or a claim was lost. */
export async function swapManifest(
  store: Store,
  before: Entry<SearchManifest>,
  manifest: SearchManifest,
  { claims = [], retired = [], now, more }: Swap,
): Promise<Entry<SearchManifest> | null> {
  const operation = new Operation().check(before).set(searchManifestKey, manifest);
  for (const claim of claims) operation.check(claim).delete(claim.key);
  for (const id of retired) retireSegment(operation, id, now);
  more?.(operation);
  const result = await store.commit(operation.touch(searchVersionKey));
  if (!result.ok) return null;
  return { key: searchManifestKey, value: manifest, versionstamp: result.versionstamp };
}

/** Closes the open epoch: from here on postings are written under the next one. */
export async function closeEpoch(
  store: Store,
  before: Entry<SearchManifest>,
  now: number,
): Promise<Entry<SearchManifest> | null> {
  const manifest = before.value ?? EMPTY_MANIFEST;
  return await swapManifest(store, before, { ...manifest, epoch: manifest.epoch + 1 }, { now });
}
