/**
 * The delta as a compaction takes it: closed epochs, which no process writes to any more, and removals.
 *
 * @module
 */
import { ORIGINALS, type SearchKeys } from "../search_keys.ts";
import { KV_CHECKS_MAX } from "../../limits/store.ts";
import { deleteRange } from "../../segments/delete_range.ts";
import { type Entry, Operation, type StoredEntry } from "../../store/operation.ts";
import { forEachConcurrent } from "../../store/concurrency.ts";
import type { Store } from "../../store/store.ts";
import { DELTA_DELETES_MAX, SEGMENT_DOCUMENTS_MAX, SEGMENT_REMOVALS_MAX } from "../../tuning.ts";
import { joinPieces, type PostingPiece, type StoredPosting } from "../segments/posting_pieces.ts";

/** Bytes of postings that become one segment; more wait for the next. */
const POSTING_BYTES = 6_000_000;

/** Postings and removals that wait for a compaction, counted up to `max`. */
export async function countPending(
  store: Store,
  max: number,
  { removals, postings }: SearchKeys = ORIGINALS,
): Promise<number> {
  const families = [removals, postings];
  const found = await Promise.all(
    families.map((prefix) => store.listAll({ prefix }, { limit: max })),
  );
  return Math.min(max, found.flat().length);
}

/** Postings of closed epochs. */
export interface ClosedPostings {
  /** The newest of each document. */
  postings: StoredPosting[];
  /** The keys that store the postings. */
  keys: Entry["key"][];
  /** Whether there are no more. */
  isAll: boolean;
}

/** Reads the oldest postings of the epochs from `first` to before `end`. */
export async function readClosed(
  store: Store,
  first: number,
  end: number,
  { postings: prefix }: SearchKeys = ORIGINALS,
): Promise<ClosedPostings> {
  const entries: StoredEntry<PostingPiece>[] = [];
  const range = {
    start: [...prefix, first],
    end: [...prefix, end],
  };
  let bytes = 0;
  let isAll = true;
  for await (const entry of store.list<PostingPiece>(range, { batchSize: 200 })) {
    const isFirst = entry.key[5] === 0;
    if (isFirst && (bytes > POSTING_BYTES || entries.length > SEGMENT_DOCUMENTS_MAX)) {
      isAll = false;
      break;
    }
    bytes += entry.value.bytes.length;
    entries.push(entry);
  }
  const postings = [...joinPieces(entries).values()];
  return { postings, keys: entries.map(({ key }) => key), isAll };
}

/** Reads removals, by document. */
export async function readRemovals(
  store: Store,
  { removals }: SearchKeys = ORIGINALS,
): Promise<Map<string, Entry>> {
  const entries = await store.listAll({ prefix: removals }, {
    limit: SEGMENT_REMOVALS_MAX,
  });
  return new Map(entries.map((entry) => [entry.key.at(-1) as string, entry]));
}

/** Those of some removals that stand unchanged. */
export async function standingRemovals(
  store: Store,
  removals: ReadonlyMap<string, Entry>,
  { removal }: SearchKeys = ORIGINALS,
): Promise<Map<string, Entry>> {
  const entries = await store.getMany([...removals.keys()].map(removal));
  return new Map(
    entries.map((entry): [string, Entry] => [entry.key.at(-1) as string, entry])
      .filter(([id, entry]) => entry.versionstamp === removals.get(id)?.versionstamp),
  );
}

/** Deletes removals that are in a segment now, except where there has been a newer one. */
export async function deleteRemovals(store: Store, removals: readonly Entry[]): Promise<void> {
  const portions = function* () {
    for (let at = 0; at < removals.length; at += KV_CHECKS_MAX) {
      yield removals.slice(at, at + KV_CHECKS_MAX);
    }
  };
  await forEachConcurrent(portions(), store.concurrency(1), async (some) => {
    if (await deleteUnchanged(store, some)) return;
    for (const removal of some) await deleteUnchanged(store, [removal]);
  });
}

async function deleteUnchanged(store: Store, entries: readonly Entry[]): Promise<boolean> {
  const operation = new Operation();
  for (const entry of entries) operation.check(entry).delete(entry.key);
  return (await store.commit(operation)).ok;
}

/** Deletes the postings of epochs before `end`, which no reader looks at. */
export async function deletePostings(
  store: Store,
  end: number,
  { postings }: SearchKeys = ORIGINALS,
): Promise<void> {
  const range = { start: postings, end: [...postings, end] };
  await deleteRange(store, range, DELTA_DELETES_MAX);
}
