/**
 * Compaction: what was published and removed since the last one becomes a segment, and segments of like size
 * become one. One bounded piece of work a call. Broken off anywhere it leaves an index that says the
 * same; the next call takes up the rest.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { deleteKeys } from "../../segments/delete_range.ts";
import { LeaseLost, type SegmentLease } from "../../segments/segment_lease.ts";
import type { Swap } from "../../segments/segment_set.ts";
import type { Entry } from "../../store/operation.ts";
import { allSettledOrThrow } from "../../store/concurrency.ts";
import { COMPACTION_PENDING_MIN, DELTA_DELETES_MAX } from "../../tuning.ts";
import {
  countPending,
  deletePostings,
  deleteRemovals,
  readClosed,
  readRemovals,
  standingRemovals,
} from "../delta/delta_rows.ts";
import {
  EMPTY_MANIFEST,
  readManifest,
  type SearchManifest,
  searchSegments,
  type SegmentInfo,
} from "./manifest.ts";
import { type MergePlan, type MergeSizes, planMerge } from "./merge_plan.ts";
import type { StoredPosting } from "./posting_pieces.ts";
import type { SearchKeys } from "../search_keys.ts";
import { SearchMemory } from "../search_memory.ts";
import { Segment } from "./segment.ts";
import { SegmentBuilder } from "./segment_builder.ts";
import { mergeSegments } from "./segment_merge.ts";
import { SegmentWriter } from "./segment_writer.ts";

/** Documents after which a compaction lets others have the thread. */
const DOCUMENTS_AT_ONCE = 200;

/** The environment of a compaction, and the index: that of originals by default. */
export type CompactionContext = Pick<Context, "store" | "now" | "newId"> & { keys?: SearchKeys };

/** How a compaction is made. */
export interface CompactionOptions {
  /** Less than this is left alone. */
  pendingMin?: number;
  /** When segments are merged. */
  sizes?: MergeSizes;
}

/** Whether a compaction has something to do. */
export async function isCompactionDue(
  { store, keys }: Pick<CompactionContext, "store" | "keys">,
  pendingMin = COMPACTION_PENDING_MIN,
): Promise<boolean> {
  return await countPending(store, pendingMin, keys) >= pendingMin;
}

/** Does one piece of the due work; false if none is due, or if another process holds the lease. */
export async function compactSearch(
  context: CompactionContext,
  { pendingMin = COMPACTION_PENDING_MIN, sizes = {} }: CompactionOptions = {},
): Promise<boolean> {
  const { store, now, keys } = context;
  const [entry] = await allSettledOrThrow([
    readManifest(store, keys),
    searchSegments(store, keys).collect(now()),
  ]);
  const manifest = entry.value ?? EMPTY_MANIFEST;
  await deletePostings(store, manifest.firstEpoch, keys);
  const plan = planMerge(manifest, sizes);
  if (plan === null && !await isCompactionDue(context, pendingMin)) return false;
  try {
    return plan === null
      ? await compactDelta(context, entry)
      : await mergePlanned(context, entry, manifest, plan);
  } catch (error) {
    if (error instanceof LeaseLost) return false;
    throw error;
  }
}

/** Makes a segment of the oldest postings; of the removals as well, once no older posting is left. */
async function compactDelta(
  context: CompactionContext,
  open: Entry<SearchManifest>,
): Promise<boolean> {
  const { store, now, keys } = context;
  const set = searchSegments(store, keys);
  // Removals that stand both before and after the epoch is closed are newer than every posting that is
  // in it, and older than every posting that is not.
  const before = await readRemovals(store, keys);
  const opened = open.value ?? EMPTY_MANIFEST;
  const entry = await set.swap(open, { ...opened, epoch: opened.epoch + 1 }, { now: now() });
  if (entry === null) return false;
  const manifest = entry.value!;
  const { epoch, firstEpoch, segments, rebuild } = manifest;
  const [removals, closed] = await allSettledOrThrow([
    standingRemovals(store, before, keys),
    readClosed(store, firstEpoch, epoch, keys),
  ]);
  const postings = closed.postings.filter(({ documentId }) => !removals.has(documentId));
  const hasOlder = segments.length > 0 || rebuild !== null;
  const removed = closed.isAll && hasOlder ? [...removals.keys()] : [];

  const next = { ...manifest, firstEpoch: closed.isAll ? epoch : firstEpoch };
  const swap: Swap = { now: now() };
  if (postings.length > 0 || removed.length > 0) {
    const builder = new SegmentBuilder();
    for (const [index, posting] of sorted(postings).entries()) {
      if (index % DOCUMENTS_AT_ONCE === 0) await store.sleep(0);
      builder.addPosting(posting);
    }
    swap.lease = await beginSegment(context);
    const writer = new SegmentWriter(swap.lease);
    next.segments = [...segments, await builder.write(writer, removed, epoch - 1)];
  }
  if (await set.swap(entry, next, swap) === null) return false;
  if (closed.isAll) {
    await allSettledOrThrow([
      deletePostings(store, epoch, keys),
      deleteRemovals(store, [...removals.values()]),
    ]);
  } else await deleteKeys(store, closed.keys, DELTA_DELETES_MAX);
  return true;
}

function sorted(postings: readonly StoredPosting[]): StoredPosting[] {
  return postings.toSorted((a, b) => a.documentId < b.documentId ? -1 : 1);
}

async function mergePlanned(
  context: CompactionContext,
  entry: Entry<SearchManifest>,
  manifest: SearchManifest,
  plan: MergePlan,
): Promise<boolean> {
  const { store, now, keys } = context;
  const chosen = manifest.segments.slice(plan.start, plan.end);
  const { info, lease } = await mergeInfos(context, chosen, plan.keepTombstones);
  const isEmpty = info.documents + info.tombstones === 0;
  const merged = isEmpty ? [] : [info];
  const segments = manifest.segments.toSpliced(plan.start, chosen.length, ...merged);
  const obsolete = chosen.map(({ id }) => id);
  // The lease of an empty segment stays, and makes it obsolete.
  const swap = { ...(!isEmpty && { lease }), obsolete, now: now() };
  return await searchSegments(store, keys).swap(entry, { ...manifest, segments }, swap) !== null;
}

/** Begins a segment. */
export async function beginSegment(
  { store, now, newId, keys }: CompactionContext,
): Promise<SegmentLease> {
  const lease = await searchSegments(store, keys).begin(newId(now()), now());
  if (lease === null) throw new Error("A commit without checks was refused");
  return lease;
}

/** Merges segments into a new one that no manifest names yet. */
export async function mergeInfos(
  context: CompactionContext,
  infos: readonly SegmentInfo[],
  keepTombstones: boolean,
): Promise<{ info: SegmentInfo; lease: SegmentLease }> {
  const set = searchSegments(context.store, context.keys);
  const memory = new SearchMemory(0);
  const segments = await Promise.all(infos.map((info, n) => Segment.open(set, info, memory, n)));
  const lease = await beginSegment(context);
  const info = await mergeSegments(set, new SegmentWriter(lease), segments, keepTombstones);
  return { info, lease };
}
