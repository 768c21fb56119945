/**
 * Rebuilds the index from the documents. New segments are written while the old ones keep serving. Documents
 * published and removed during the rebuild stay in the delta, which overlays the new segments as it did the
 * old ones when the last commit swaps them.
 *
 * @module
 */
import { ORIGINALS } from "../search_keys.ts";
import { exists, Operation, type StoredEntry } from "../../store/operation.ts";
import type { Store } from "../../store/store.ts";
import { beginSegment, type CompactionContext, compactSearch, mergeInfos } from "./compaction.ts";
import { countPending } from "../delta/delta_rows.ts";
import { EMPTY_MANIFEST, readManifest, searchSegments, type SegmentInfo } from "./manifest.ts";
import { suffixToMerge } from "./merge_plan.ts";
import { encodePosting, type PostedDocument, postedDocument } from "./posting.ts";
import type { StoredPosting } from "./posting_pieces.ts";
import type { LoadedDocument } from "../search_index.ts";
import { SegmentBuilder } from "./segment_builder.ts";
import { SegmentWriter } from "./segment_writer.ts";

/** Documents that become one segment. */
const REBUILD_DOCUMENTS = 4_000;
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

/** What becomes the index: by default, each published document once. */
export interface RebuiltIndex {
  /** What the index of languages is built for; a rebuild during which this changes is for nothing. */
  builtFor: string;
  /** The postings of a document. */
  postingsOf: (document: LoadedDocument) => Iterable<PostedDocument>;
}

/** How far a rebuild is. */
export interface RebuildProgress {
  isDone: boolean;
  /** Documents that have been read. */
  done: number;
  /** Set if the index is wanted for another schema than when it began: a new rebuild is due. */
  isAbandoned?: true;
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
  /** What the index of languages is built for. */
  builtFor?: string;
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
  index?: RebuiltIndex,
): Promise<RebuildProgress> {
  const { store, keys = ORIGINALS } = context;
  const entry = await store.get<RebuildRecord>(keys.rebuild(rebuildId));
  if (!exists(entry)) return await begin(context, rebuildId, index);
  const record = entry.value;
  if (record.hasEnded) return { isDone: true, done: record.done };
  if (record.builtFor !== index?.builtFor) return await abandon(context, entry, rebuildId);
  if (await mergeNew(context, entry)) return { isDone: false, done: record.done };
  if (!record.isRead) return await readMore(context, source, entry, { documentsMax, index });
  return { isDone: await exchange(context, entry, rebuildId), done: record.done };
}

async function begin(
  context: CompactionContext,
  rebuildId: string,
  index?: RebuiltIndex,
): Promise<RebuildProgress> {
  const { store, now, keys = ORIGINALS } = context;
  // Removals that stand now shall not lie over what the rebuild finds.
  for (let piece = 0; piece < COMPACTIONS_BEFORE; piece++) {
    if (!await compactSearch(context, { pendingMin: 1 })) break;
  }
  const entry = await readManifest(store, keys);
  const manifest = entry.value ?? EMPTY_MANIFEST;
  const epoch = manifest.epoch + 1;
  const record: RebuildRecord = {
    epoch,
    cursor: null,
    isRead: false,
    done: 0,
    segments: [],
    hasEnded: false,
    ...(index && { builtFor: index.builtFor }),
  };
  const other = manifest.rebuild === null
    ? null
    : await store.get<RebuildRecord>(keys.rebuild(manifest.rebuild.id));
  const next = { ...manifest, epoch, rebuild: { id: rebuildId, epoch } };
  await searchSegments(store, keys).swap(entry, next, {
    obsolete: other?.value?.segments.map(({ id }) => id) ?? [],
    now: now(),
    more: (operation) => {
      operation.set(keys.rebuild(rebuildId), record);
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

/** Ends a rebuild for something that has changed since it began: its postings are deleted, the old ones stay. */
async function abandon(
  { store, now, keys }: CompactionContext,
  record: StoredEntry<RebuildRecord>,
  rebuildId: string,
): Promise<RebuildProgress> {
  const entry = await readManifest(store, keys);
  const manifest = entry.value ?? EMPTY_MANIFEST;
  const rebuild = manifest.rebuild?.id === rebuildId ? null : manifest.rebuild;
  const swapped = await searchSegments(store, keys).swap(entry, { ...manifest, rebuild }, {
    obsolete: record.value.segments.map(({ id }) => id),
    now: now(),
    more: (operation) => end(operation, record),
  });
  return { isDone: swapped !== null, done: record.value.done, isAbandoned: true };
}

async function readMore(
  context: CompactionContext,
  source: DocumentSource,
  entry: StoredEntry<RebuildRecord>,
  { documentsMax, index }: { documentsMax: number; index: RebuiltIndex | undefined },
): Promise<RebuildProgress> {
  const record = entry.value;
  const builder = new SegmentBuilder();
  const gathered: Omit<StoredPosting, "versionstamp">[] = [];
  let rows = 0;
  let { cursor, isRead, done } = record;
  while (!isRead && done - record.done < documentsMax && builder.rows + rows < REBUILD_ROWS) {
    const limit = context.store.isRemote ? REMOTE_READ_DOCUMENTS : READ_DOCUMENTS;
    const read = await source(cursor, limit);
    for (const document of read.documents) {
      const { state, collection, blocks } = document;
      for (const { id, collectionId, terms, paths } of index?.postingsOf(document) ?? []) {
        const { language } = terms;
        gathered.push({
          documentId: id,
          bytes: encodePosting(collectionId, terms),
          paths,
          language,
        });
        rows += terms.terms.size;
      }
      if (index !== undefined || state.status !== "published") continue;
      const { id, collectionId, terms, paths } = postedDocument(collection, state, blocks);
      builder.addTerms(id, collectionId, terms, paths);
    }
    done += read.documents.length;
    cursor = read.cursor;
    isRead = cursor === null;
  }
  // The ids of postings are in another order than those of documents.
  gathered.sort((a, b) => a.documentId < b.documentId ? -1 : 1);
  for (const posting of gathered) builder.addPosting(posting);
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
  searchSegments(context.store, context.keys).stageObsolete(operation, ids, context.now());
  await context.store.commit(operation);
  return true;
}

/** Puts the new segments in the place of everything from before the rebuild. */
async function exchange(
  { store, now, keys = ORIGINALS }: CompactionContext,
  record: StoredEntry<RebuildRecord>,
  rebuildId: string,
): Promise<boolean> {
  const { epoch, segments, builtFor } = record.value;
  const entry = await readManifest(store, keys);
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
  const swapped = await searchSegments(store, keys).swap(entry, next, {
    obsolete,
    now: now(),
    more: (operation) => {
      end(operation, record);
      if (builtFor !== undefined) operation.set(keys.builtFor, builtFor);
    },
  });
  return swapped !== null;
}
