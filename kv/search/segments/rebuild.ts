/**
 * Rebuilds the index from the documents. New segments are written while the old ones keep serving. Documents
 * published and removed during the rebuild stay in the delta, which overlays the new segments as it did the
 * old ones when the last commit swaps them.
 *
 * @module
 */
import { searchRebuildKey } from "../search_keys.ts";
import { exists, Operation, type StoredEntry } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { beginSegment, type CompactionContext, compactSearch, mergeInfos } from "./compaction.ts";
import { countPending } from "../delta/delta_rows.ts";
import { EMPTY_MANIFEST, readManifest, searchSegments, type SegmentInfo } from "./manifest.ts";
import { suffixToMerge } from "./merge_plan.ts";
import { collectTerms } from "./posting.ts";
import { searchable } from "../analysis/searched_text.ts";
import type { LoadedDocument } from "../search_index.ts";
import { SegmentBuilder } from "./segment_builder.ts";
import { SegmentWriter } from "./segment_writer.ts";

/** Documents that become one segment. */
export const REBUILD_DOCUMENTS = 4_000;
/** Words (each counted once a document) that become one segment, however few documents they are of. */
const REBUILD_ROWS = 1_000_000;
/** Documents that are in memory at a time. */
const READ_DOCUMENTS = 50;
/** The same, read from a remote store. */
const REMOTE_READ_DOCUMENTS = 500;
/** Segments of one size that become one: more than in a compaction, since they come all at once. */
const FAN = 8;
/** The most pieces of a compaction that precede a rebuild: under constant publishing they never end. */
const COMPACTIONS_BEFORE = 5;
/** How long it is remembered that a rebuild has ended, for a step that runs again. */
const ENDED_MS = 7 * 86_400_000;

/** Reads documents of every status in order of id; the cursor is null after the last of them. */
export type DocumentSource = (
  cursor: string | null,
  limit: number,
) => Promise<{ documents: LoadedDocument[]; cursor: string | null }>;

/** How far a rebuild is. */
export interface RebuildProgress {
  isDone: boolean;
  /** Documents that have been read. */
  done: number;
}

interface RebuildRecord {
  /** The epoch from which on postings lie over the new segments. */
  epoch: number;
  cursor: string | null;
  isRead: boolean;
  done: number;
  /** Oldest first; no two of them have a document in common. */
  segments: SegmentInfo[];
  /** Whether it has been exchanged, or given up for a newer one. */
  hasEnded: boolean;
}

/** Whether the index holds, or will soon hold, something. */
export async function isSearchPopulated(store: Store): Promise<boolean> {
  const manifest = (await readManifest(store)).value ?? EMPTY_MANIFEST;
  return manifest.segments.length > 0 || await countPending(store, 1) > 0;
}

/**
 * Does the next piece of the rebuild with this id, and begins it if it has not begun. A newer rebuild takes
 * the place of one that has not ended, which is done then.
 */
export async function stepRebuild(
  context: CompactionContext,
  source: DocumentSource,
  rebuildId: string,
  documentsMax = REBUILD_DOCUMENTS,
): Promise<RebuildProgress> {
  const { store } = context;
  const entry = await store.get<RebuildRecord>(searchRebuildKey(rebuildId));
  if (!exists(entry)) return await begin(context, rebuildId);
  const record = entry.value;
  if (record.hasEnded) return { isDone: true, done: record.done };
  if (await mergeNew(context, entry)) return { isDone: false, done: record.done };
  if (!record.isRead) return await readMore(context, source, entry, documentsMax);
  return { isDone: await exchange(context, entry, rebuildId), done: record.done };
}

async function begin(context: CompactionContext, rebuildId: string): Promise<RebuildProgress> {
  const { store, now } = context;
  // Removals that stand now shall not lie over what the rebuild finds.
  for (let piece = 0; piece < COMPACTIONS_BEFORE; piece++) {
    if (!await compactSearch(context, { pendingMin: 1 })) break;
  }
  const entry = await readManifest(store);
  const manifest = entry.value ?? EMPTY_MANIFEST;
  const epoch = manifest.epoch + 1;
  const record: RebuildRecord = {
    epoch,
    cursor: null,
    isRead: false,
    done: 0,
    segments: [],
    hasEnded: false,
  };
  const other = manifest.rebuild === null
    ? null
    : await store.get<RebuildRecord>(searchRebuildKey(manifest.rebuild.id));
  const next = { ...manifest, epoch, rebuild: { id: rebuildId, epoch } };
  await searchSegments(store).swap(entry, next, {
    obsolete: other?.value?.segments.map(({ id }) => id) ?? [],
    now: now(),
    more: (operation) => {
      operation.set(searchRebuildKey(rebuildId), record);
      if (other !== null && exists(other)) end(operation, other);
    },
  });
  return { isDone: false, done: 0 };
}

/** Adds to a commit that a rebuild has ended. */
function end(operation: Operation, entry: StoredEntry<RebuildRecord>): void {
  const ended: RebuildRecord = { ...entry.value, segments: [], hasEnded: true };
  operation.check(entry).set(entry.key, ended, { expireIn: ENDED_MS });
}

async function readMore(
  context: CompactionContext,
  source: DocumentSource,
  entry: StoredEntry<RebuildRecord>,
  documentsMax: number,
): Promise<RebuildProgress> {
  const record = entry.value;
  const builder = new SegmentBuilder();
  let { cursor, isRead, done } = record;
  while (!isRead && done - record.done < documentsMax && builder.rows < REBUILD_ROWS) {
    const limit = context.store.isRemote ? REMOTE_READ_DOCUMENTS : READ_DOCUMENTS;
    const read = await source(cursor, limit);
    for (const { state, collection, blocks } of read.documents) {
      if (state.status !== "published") continue;
      const found = searchable(collection, state, blocks);
      builder.addTerms(
        state.id,
        collection.id,
        collectTerms(found, state.originalLanguage),
        found.paths,
      );
    }
    done += read.documents.length;
    cursor = read.cursor;
    isRead = cursor === null;
  }
  const next = { ...record, cursor, isRead, done };
  const operation = new Operation().check(entry);
  if (builder.documents > 0) {
    const lease = await beginSegment(context);
    const info = await builder.write(new SegmentWriter(lease), [], record.epoch - 1);
    next.segments = [...record.segments, info];
    await lease.stage(operation);
  }
  await context.store.commit(operation.set(entry.key, next));
  return { isDone: false, done };
}

/** Merges new segments as a compaction would. */
async function mergeNew(
  context: CompactionContext,
  entry: StoredEntry<RebuildRecord>,
): Promise<boolean> {
  const record = entry.value;
  const start = suffixToMerge(record.segments, 0, { fan: FAN });
  if (start === null) return false;
  const chosen = record.segments.slice(start);
  const { info, lease } = await mergeInfos(context, chosen, false);
  const segments = [...record.segments.slice(0, start), info];
  const operation = new Operation().check(entry).set(entry.key, { ...record, segments });
  await lease.stage(operation);
  const ids = chosen.map(({ id }) => id);
  searchSegments(context.store).stageObsolete(operation, ids, context.now());
  await context.store.commit(operation);
  return true;
}

/** Puts the new segments in the place of everything from before the rebuild. */
async function exchange(
  { store, now }: CompactionContext,
  record: StoredEntry<RebuildRecord>,
  rebuildId: string,
): Promise<boolean> {
  const { epoch, segments } = record.value;
  const entry = await readManifest(store);
  const manifest = entry.value!;
  if (manifest.rebuild?.id !== rebuildId) return false;
  const kept = manifest.segments.filter((segment) => segment.epoch >= epoch);
  const obsolete = manifest.segments.filter((segment) => segment.epoch < epoch).map(({ id }) => id);
  const next = {
    ...manifest,
    firstEpoch: Math.max(manifest.firstEpoch, epoch),
    segments: [...segments, ...kept],
    rebuild: null,
  };
  const swapped = await searchSegments(store).swap(entry, next, {
    obsolete,
    now: now(),
    more: (operation) => end(operation, record),
  });
  return swapped !== null;
}
