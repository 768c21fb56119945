/**
 * A process's snapshot of a collection's index: the base as layers, and the open part of the delta as one
 * more. A reader never changes; after a write the next query takes a new one.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import { indexEpochKey, indexManifestKey, indexSnapshotRange } from "./index_keys.ts";
import { type Key, type SegmentId } from "../keys.ts";
import { unavailable } from "../refusals.ts";
import { SegmentGone } from "../segments/segment_set.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { SecondChanceCache } from "../cache/second_chance_cache.ts";
import { DELTA_CACHE_BYTES_MAX, RANGE_BATCH_MAX, READ_ATTEMPTS_MAX } from "../tuning.ts";
import type { IndexOverlay } from "./query/list_query.ts";
import {
  type DeltaRow,
  deltaRows,
  ENTRIES_AT_ONCE,
  isBehind,
  newestRows,
  readDelta,
  TornRow,
} from "./segments/delta.ts";
import { Layer } from "./segments/layer.ts";
import { indexSegments, type Manifest, manifestOf } from "./segments/manifest.ts";
import { hiddenRows, replacedRows } from "./replaced_rows.ts";
import {
  deltaSegmentInSlices,
  openSegment,
  type Segment,
  storedColumns,
} from "./segments/segment.ts";
import { runAtOnce, type Sliced, type SliceQueue } from "../store/slices.ts";

/** The stored header of a collection's index: everything except its rows. */
interface Header {
  manifest: Entry<Manifest>;
  epoch: Entry<number>;
}

/** The part that most writes leave unchanged: the stored segments, and the delta of closed epochs. */
interface Base {
  manifest: Entry<Manifest>;
  /** The rows of earlier epochs are all in here: no process writes them any more. */
  openEpoch: number;
  closed: DeltaRow[];
  /** The stored segments by id. */
  segments: Map<SegmentId, Segment>;
  /** Oldest first; when there are closed rows, they make the last one. */
  layers: Layer[];
  /** The last reading of documents for columns that the base lacks; one runs at a time. */
  completing: Promise<void>;
}

/** The rows of the open delta as a layer, and what it replaces. */
interface OpenDelta {
  layer: Layer;
  replaced: Uint32Array[];
}

/** The layers of a collection's index at one moment, as a query sees them. */
export interface ListReader {
  readonly version: string | null;
  /** Oldest first. */
  readonly layers: Layer[];
  /** For each layer the rows that the open delta replaces. */
  readonly replaced: readonly (Uint32Array | undefined)[];
  /** The reader whose layers they are made of. */
  readonly source: IndexReader;
}

/** A collection's index at one moment. */
export class IndexReader implements ListReader {
  /** The layer of the open delta. */
  readonly delta: Layer;
  /** For each layer of the base the rows that the open delta replaces. */
  readonly replaced: Uint32Array[];

  constructor(
    /** The index version, read before anything else was: the reader is no older. */
    readonly version: string | null,
    readonly base: Base,
    { layer, replaced }: OpenDelta,
    /** The open epoch, read after them. */
    readonly epoch: Entry<number>,
  ) {
    this.delta = layer;
    this.replaced = replaced;
  }

  get manifest(): Manifest {
    return manifestOf(this.base.manifest);
  }

  get source(): IndexReader {
    return this;
  }

  /** Every layer, oldest first. */
  get layers(): Layer[] {
    return [...this.base.layers, this.delta];
  }

  /** How many rows wait for a compaction. */
  get deltaRows(): number {
    return this.base.closed.length + this.delta.segment.rows;
  }

  /** Bytes of the base and its loaded columns. */
  get bytes(): number {
    return this.base.layers.reduce((bytes, layer) => bytes + layer.segment.bytes, 1024);
  }
}

/** The open delta over a base; its rows are sorted by id. */
function* openDelta(
  base: Base,
  rows: DeltaRow[],
  slices?: SliceQueue,
): Sliced<OpenDelta> {
  const segment = yield* deltaSegmentInSlices("delta", rows, slices);
  const cache = new SecondChanceCache(DELTA_CACHE_BYTES_MAX);
  const replaced: Uint32Array[] = [];
  for (const { segment: older, hidden } of base.layers) {
    const among = yield* replacedRows(older, segment);
    replaced.push(hidden === null ? among : among.filter((row) => !hidden.has(row)));
    yield;
  }
  return { layer: new Layer("delta", segment, segment.gone, cache), replaced };
}

/** A reader to which some documents are what an overlay says of them. */
export function overlaidReader(
  { version, base, delta, epoch }: IndexReader,
  overlay: IndexOverlay,
  collectionId: string,
): IndexReader {
  const open = new Map((delta.segment.deltaRows ?? []).map((row) => [row.id, row]));
  for (const row of overlay.rows(collectionId)) {
    open.set(row.id, { id: row.id, epoch: epoch.value ?? 0, versionstamp: "", row });
  }
  const sorted = [...open.values()].sort((a, b) => a.id < b.id ? -1 : 1);
  return new IndexReader(
    `${version} ${overlay.name}`,
    base,
    runAtOnce(openDelta(base, sorted)),
    epoch,
  );
}

/** Options for opening readers. */
export interface ReaderOptions {
  store: Store;
  cache: SecondChanceCache;
  /** A name that no other layer or segment has. */
  newName: () => string;
  /** Rows of the open epoch from which a reader closes it, so that it need not read them again. */
  openRowsMax: number;
}

/**
 * Takes a reader at least as new as `version`, which was read before; without one, as new as the entries that
 * it finds say. What `previous` knows is used again: segments and closed epochs never change.
 */
export async function openReader(
  options: ReaderOptions,
  collectionId: string,
  version: string | null | undefined,
  previous: IndexReader | undefined,
): Promise<IndexReader> {
  const { store } = options;
  let cause: unknown;
  for (let attempt = 0; attempt < READ_ATTEMPTS_MAX; attempt++) {
    try {
      const taken = await takeAtOnce(store, collectionId, previous) ??
        await takeInBatches(store, collectionId, previous);
      if (taken === null) continue;
      const { header, rows, epochNow, stamp } = taken;
      const openEpoch = header.epoch.value ?? 0;
      const base = await openBase(options, collectionId, header, rows, previous?.base);
      const ofOpen = rows.filter((row) => row.epoch >= openEpoch);
      const open = await store.slices.run(newestRows(ofOpen));
      const epoch = await closeEpoch(options, epochNow, open);
      const seen = version === undefined ? newerOf(stamp, previous?.version ?? null) : version;
      const delta = await store.slices.run(openDelta(base, open, store.slices));
      return new IndexReader(seen, base, delta, epoch);
    } catch (error) {
      if (!(error instanceof SegmentGone || error instanceof TornRow)) throw error;
      cause = error;
    }
  }
  throw unavailable(cause);
}

/** An index as it was read, apart from its segments. */
interface IndexSnapshot {
  /** Read no later than the rows. */
  header: Header;
  rows: DeltaRow[];
  /** The open epoch, read no earlier than the rows. */
  epochNow: Entry<number>;
  /** A versionstamp of what was read: everything committed until then has been seen. */
  stamp: string | null;
}

/** Reads the rows and the header in one batch, which is one snapshot; null when they do not fit. */
async function takeAtOnce(
  store: Store,
  collectionId: string,
  previous: IndexReader | undefined,
): Promise<IndexSnapshot | null> {
  const known = knownRows(previous);
  const read = async (base: Base | undefined): Promise<IndexSnapshot | null> => {
    const range = indexSnapshotRange(collectionId, base?.openEpoch ?? 0);
    const entries = await store.listAll(range, { limit: RANGE_BATCH_MAX });
    // A second batch would show another moment.
    if (entries.length === RANGE_BATCH_MAX) return null;
    const header = headerAmong(entries, collectionId);
    // The rows of earlier epochs that the base has are merged differently now.
    if (base !== undefined && !isBaseOf(base, header)) return await read(undefined);
    const delta = entries.filter(({ key }) => key[2] === "delta");
    // So many have taken a while to arrive already.
    if (delta.length > ENTRIES_AT_ONCE) await store.slices.pause();
    const rows = await store.slices.run(deltaRows(delta, known));
    const { mergedThrough } = manifestOf(header.manifest);
    return {
      header,
      rows: mergedThrough === null ? rows : rows.filter((row) => isBehind(row, mergedThrough)),
      epochNow: header.epoch,
      stamp: newestStamp(entries),
    };
  };
  return await read(previous?.base);
}

/** Reads any number of rows between two readings of the header; null when it has changed. */
async function takeInBatches(
  store: Store,
  collectionId: string,
  previous: IndexReader | undefined,
): Promise<IndexSnapshot | null> {
  const header = await readHeader(store, collectionId);
  const base = previous?.base;
  const range = base !== undefined && isBaseOf(base, header)
    ? { fromEpoch: base.openEpoch }
    : { after: manifestOf(header.manifest).mergedThrough };
  const rows = await readDelta(store, collectionId, range, knownRows(previous));
  // Rows are deleted only after the manifest has been swapped: unchanged, none was missed.
  const again = await readHeader(store, collectionId);
  if (again.manifest.versionstamp !== header.manifest.versionstamp) return null;
  const stamp = newestStamp([header.manifest, header.epoch]);
  return { header, rows, epochNow: again.epoch, stamp };
}

async function readHeader(store: Store, collectionId: string): Promise<Header> {
  const [manifest, epoch] = await store.getMany([
    indexManifestKey(collectionId),
    indexEpochKey(collectionId),
  ]) as [Entry<Manifest>, Entry<number>];
  return { manifest, epoch };
}

/** The header among entries of one snapshot; what is not there has no versionstamp. */
function headerAmong(entries: readonly Entry[], collectionId: string): Header {
  const find = (key: Key): Entry =>
    entries.find((entry) => entry.key[2] === key[2]) ?? { key, value: null, versionstamp: null };
  return {
    manifest: find(indexManifestKey(collectionId)) as Entry<Manifest>,
    epoch: find(indexEpochKey(collectionId)) as Entry<number>,
  };
}

/** Whether a base matches a header, up to the epochs that have been closed since. */
function isBaseOf(base: Base, { manifest }: Header): boolean {
  return base.manifest.versionstamp === manifest.versionstamp;
}

/** Rows that need not be decoded again. */
function knownRows(reader: IndexReader | undefined): Map<string, DeltaRow> {
  const known = new Map<string, DeltaRow>();
  for (const row of reader?.base.closed ?? []) known.set(row.id, row);
  for (const row of reader?.delta.segment.deltaRows ?? []) known.set(row.id, row);
  return known;
}

function newestStamp(entries: readonly Entry[]): string | null {
  return entries.reduce<string | null>((newest, one) => newerOf(newest, one.versionstamp), null);
}

function newerOf(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** Closes an epoch that has become long to read; another process may have done so. */
async function closeEpoch(
  { store, openRowsMax }: ReaderOptions,
  epoch: Entry<number>,
  open: DeltaRow[],
): Promise<Entry<number>> {
  const current = epoch.value ?? 0;
  if (open.filter((row) => row.epoch === current).length < openRowsMax) return epoch;
  const result = await store.commit(new Operation().check(epoch).set(epoch.key, current + 1));
  if (!result.ok) return epoch;
  return { key: epoch.key, value: current + 1, versionstamp: result.versionstamp };
}

/** The base under a header that was read before the rows; what the previous base has serves again. */
async function openBase(
  options: ReaderOptions,
  collectionId: string,
  { manifest, epoch }: Header,
  rows: DeltaRow[],
  previous: Base | undefined,
): Promise<Base> {
  const openEpoch = epoch.value ?? 0;
  const same = previous !== undefined && isBaseOf(previous, { manifest, epoch });
  if (same && previous.openEpoch === openEpoch) return previous;
  const { slices } = options.store;
  const closing = await slices.run(newestRows(rows.filter((row) => row.epoch < openEpoch)));
  const closed = same ? await slices.run(newestRows([...previous.closed, ...closing])) : closing;
  const segments = same
    ? previous.segments
    : await openSegments(options, collectionId, manifestOf(manifest), previous);
  const all = [...segments.values()];
  if (closed.length > 0) {
    all.push(await slices.run(deltaSegmentInSlices(options.newName(), closed, slices)));
  }
  // Of closed rows that were there before it is known what they replace.
  const news = same ? await slices.run(deltaSegmentInSlices("", closing)) : null;
  const layers = await slices.run(layersOf(options, all, previous, news));
  for (const layer of previous?.layers ?? []) {
    if (!layers.includes(layer)) options.cache.forget((name) => name.startsWith(`${layer.name} `));
    if (!all.includes(layer.segment)) {
      options.cache.forget((name) => name.startsWith(`${layer.segment.name} `));
    }
  }
  return { manifest, openEpoch, closed, segments, layers, completing: Promise.resolve() };
}

async function openSegments(
  { store, newName }: ReaderOptions,
  collectionId: string,
  { segments }: Manifest,
  previous: Base | undefined,
): Promise<Map<SegmentId, Segment>> {
  const set = indexSegments(store, collectionId);
  const opened = await Promise.all(segments.map((entry) => {
    const known = previous?.segments.get(entry.id);
    if (known === undefined) return openSegment(newName(), set, entry);
    known.readFrom(storedColumns(set, entry));
    return known;
  }));
  return new Map(zip(segments, opened).map(([{ id }, segment]) => [id, segment]));
}

/**
 * Layers of segments; one of the previous base serves again when no more of its rows are hidden. What a segment is
 * behind only grows, so that for one of the previous base only what is new behind it matters: `news`, or the
 * segments that were not there.
 */
function* layersOf(
  { cache, newName }: ReaderOptions,
  segments: Segment[],
  previous: Base | undefined,
  news: Segment | null,
): Sliced<Layer[]> {
  const known = new Map((previous?.layers ?? []).map((layer) => [layer.segment, layer]));
  const layers: Layer[] = [];
  for (const [index, segment] of segments.entries()) {
    const before = known.get(segment);
    let later = segments.slice(index + 1);
    if (before !== undefined) {
      later = news === null ? later.filter((one) => !known.has(one)) : [news];
    }
    const hiddenBefore = before === undefined ? segment.gone : before.hidden;
    const hidden = yield* hiddenRows(segment, hiddenBefore, later);
    const serves = before !== undefined && hidden === hiddenBefore;
    layers.push(serves ? before : new Layer(newName(), segment, hidden, cache));
  }
  return layers;
}
