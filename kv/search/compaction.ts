/**
 * Compaction: what was published and removed since the last one becomes a segment, and segments of like size
 * become one. One bounded piece of work a call. Broken off anywhere it leaves an index that says the
 * same; the next call takes up the rest.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Entry } from "../store/operation.ts";
import {
  countPending,
  deleteKeys,
  deletePostings,
  deleteRemovals,
  readClosed,
  readRemovals,
  standingRemovals,
} from "./delta_rows.ts";
import { collectGarbage } from "./garbage.ts";
import { EMPTY_MANIFEST, readManifest, type SearchManifest, type SegmentInfo } from "./manifest.ts";
import { closeEpoch, swapManifest } from "./manifest_swap.ts";
import { type MergePlan, type MergeSizes, planMerge } from "./merge_plan.ts";
import type { StoredPosting } from "./posting_pieces.ts";
import { SearchMemory } from "./search_memory.ts";
import { Segment } from "./segment.ts";
import { SegmentBuilder } from "./segment_builder.ts";
import { mergeSegments } from "./segment_merge.ts";
import { SegmentWriter } from "./segment_writer.ts";

/** Postings and removals from which a compaction is worth its commits. */
export const COMPACTION_PENDING_MIN = 256;

/** Documents after which a compaction lets others have the thread. */
const DOCUMENTS_AT_ONCE = 200;

/** The surroundings of a compaction. */
export type CompactionContext = Pick<Context, "store" | "now" | "newId">;

/** How a compaction is made. */
export interface CompactionOptions {
  /** Less than this is left alone. */
  pendingMin?: number;
  /** When segments are merged. */
  sizes?: MergeSizes;
}

/** Whether a compaction has something to do. */
export async function isCompactionDue(
  { store }: Pick<Context, "store">,
  pendingMin = COMPACTION_PENDING_MIN,
): Promise<boolean> {
  return await countPending(store, pendingMin) >= pendingMin;
}

/** Does one piece of what is due; false when nothing is, or somebody else is at it. */
export async function compactSearch(
  context: CompactionContext,
  { pendingMin = COMPACTION_PENDING_MIN, sizes = {} }: CompactionOptions = {},
): Promise<boolean> {
  const { store, now } = context;
  await collectGarbage(store, now());
  const entry = await readManifest(store);
  const manifest = entry.value ?? EMPTY_MANIFEST;
  await deletePostings(store, manifest.firstEpoch);
  const plan = planMerge(manifest, sizes);
  if (plan !== null) return await mergePlanned(context, entry, manifest, plan);
  if (!await isCompactionDue(context, pendingMin)) return false;
  return await searchForm(context, entry);
}

/** Makes a segment of the oldest postings; of the removals as well, once no older posting is left. */
async function searchForm(
  context: CompactionContext,
  open: Entry<SearchManifest>,
): Promise<boolean> {
  const { store, now, newId } = context;
  // Removals that stand both before and after the epoch is closed are newer than every posting that is
  // in it, and older than every posting that is not.
  const before = await readRemovals(store);
  const entry = await closeEpoch(store, open, now());
  if (entry === null) return false;
  const manifest = entry.value!;
  const { epoch, firstEpoch, segments, rebuild } = manifest;
  const removals = await standingRemovals(store, before);
  const closed = await readClosed(store, firstEpoch, epoch);
  const postings = closed.postings.filter(({ documentId }) => !removals.has(documentId));
  const hasOlder = segments.length > 0 || rebuild !== null;
  const removed = closed.isAll && hasOlder ? [...removals.keys()] : [];

  const next = { ...manifest, firstEpoch: closed.isAll ? epoch : firstEpoch };
  if (postings.length === 0 && removed.length === 0) {
    if (await swapManifest(store, entry, next, { now: now() }) === null) return false;
  } else {
    const builder = new SegmentBuilder();
    for (const [index, { documentId, bytes, paths }] of sorted(postings).entries()) {
      if (index % DOCUMENTS_AT_ONCE === 0) await store.sleep(0);
      builder.addPosting(documentId, bytes, paths);
    }
    const writer = await SegmentWriter.open(store, newId(now()), now());
    const info = await builder.write(writer, removed, epoch - 1);
    next.segments = [...segments, info];
    const claims = [writer.claim];
    if (await swapManifest(store, entry, next, { claims, now: now() }) === null) return false;
  }
  if (closed.isAll) {
    await deletePostings(store, epoch);
    await deleteRemovals(store, [...removals.values()]);
  } else await deleteKeys(store, closed.keys);
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
  const { store, now } = context;
  const chosen = manifest.segments.slice(plan.start, plan.end);
  const { info, writer } = await mergeInfos(context, chosen, plan.keepTombstones);
  const merged = info.documents + info.tombstones > 0 ? [info] : [];
  const segments = manifest.segments.toSpliced(plan.start, chosen.length, ...merged);
  const retired = chosen.map(({ id }) => id);
  // The claim of an empty segment stays, and makes it garbage.
  const claims = merged.length > 0 ? [writer.claim] : [];
  const swap = { claims, retired, now: now() };
  return await swapManifest(store, entry, { ...manifest, segments }, swap) !== null;
}

/** Merges segments into a new one that no manifest names yet. */
export async function mergeInfos(
  { store, now, newId }: CompactionContext,
  infos: readonly SegmentInfo[],
  keepTombstones: boolean,
): Promise<{ info: SegmentInfo; writer: SegmentWriter }> {
  const memory = new SearchMemory(0);
  const segments = await Promise.all(infos.map((info, n) => Segment.open(store, info, memory, n)));
  const writer = await SegmentWriter.open(store, newId(now()), now());
  return { info: await mergeSegments(writer, segments, keepTombstones), writer };
}
