/**
 * The current part of the search index that is not in segments.
 *
 * @module
 */
import { zip } from "../../model/primitives/zip.ts";
import { ORIGINALS, type SearchKeys } from "../search_keys.ts";
import { type Entry, keyText, type StoredEntry } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { DELTA_READS_MAX } from "../../tuning.ts";
import { EMPTY_MANIFEST, type SearchManifest } from "../segments/manifest.ts";
import {
  hasTornPosting,
  joinPieces,
  type PostingPiece,
  type StoredPosting,
} from "../segments/posting_pieces.ts";

/** Entries that are read in one snapshot. */
const SNAPSHOT_ENTRIES = 500;

/** The manifest, the postings and the removals as they stand, without the segments. */
export interface SearchNow {
  stamp: string | null;
  manifestEntry: Entry<SearchManifest>;
  manifest: SearchManifest;
  /** Newest posting per document. */
  postings: Map<string, StoredPosting>;
  removedIds: string[];
  /** What the index of languages was built for; null before that, and for the index of originals. */
  builtFor: string | null;
}

/**
 * Reads what is not in segments. Up to 500 entries are one snapshot. More are read in several, and read
 * again while they change; then it is enough that no compaction came in between: every posting and
 * removal from before the call is in the result, and the stamp is so old that the next query reads again.
 */
export async function readNow(
  store: Store,
  keys: SearchKeys = ORIGINALS,
): Promise<SearchNow> {
  for (let read = 1;; read++) {
    const before = await store.getMany([keys.version, keys.manifest]);
    const entries: Entry[] = [];
    const range = { prefix: keys.now };
    for await (const entry of store.list(range, { batchSize: SNAPSHOT_ENTRIES })) {
      entries.push(entry);
    }
    if (entries.length < SNAPSHOT_ENTRIES) return assemble(keys, entries, stampOf(keys, entries));
    if (hasTornPosting(entries)) continue;
    const after = await store.getMany([keys.version, keys.manifest]);
    const [version, manifest] = zip(before, after).map(([earlier, later]) =>
      later.versionstamp === earlier.versionstamp
    );
    if (manifest && (version || read >= DELTA_READS_MAX)) {
      return assemble(keys, entries, before[0].versionstamp);
    }
  }
}

function stampOf({ version }: SearchKeys, entries: readonly Entry[]): string | null {
  const name = keyText(version);
  return entries.find(({ key }) => keyText(key) === name)?.versionstamp ?? null;
}

function assemble(keys: SearchKeys, entries: readonly Entry[], stamp: string | null): SearchNow {
  const builtFor = entries.find(({ key }) => key[2] === keys.builtFor[2])?.value ?? null;
  const manifestEntry = entries.find(({ key }) => key[2] === keys.manifest[2]) as
    | Entry<SearchManifest>
    | undefined;
  const manifest = manifestEntry?.value ?? EMPTY_MANIFEST;
  const removedIds = entries.filter(({ key }) => key[2] === keys.removals[2])
    .map(({ key }) => key[3] as string);
  const removed = new Set(removedIds);
  const pieces = entries.filter(({ key }) =>
    key[2] === keys.postings[2] && (key[3] as number) >= manifest.firstEpoch &&
    !removed.has(key[4] as string)
  ) as StoredEntry<PostingPiece>[];
  return {
    stamp,
    manifestEntry: manifestEntry ??
      { key: keys.manifest, value: null, versionstamp: null },
    manifest,
    postings: joinPieces(pieces),
    removedIds,
    builtFor: builtFor as string | null,
  };
}
