/**
 * What a process knows of a collection's index at one moment: the base as layers, and the delta as one
 * more segment. A picture never changes; a write makes the next reader take a new one.
 *
 * @module
 */
import { indexManifestKey } from "../keys.ts";
import type { Entry } from "../store/operation.ts";
import { type Store, unavailable } from "../store/store.ts";
import { ByteLru } from "./byte_lru.ts";
import { type DeltaRow, newestRows, readDelta, TornRow } from "./delta.ts";
import { hiddenRows, Layer, replacedRows, visibleCount } from "./layer.ts";
import { EMPTY_MANIFEST, type Manifest, SegmentGone } from "./manifest.ts";
import { deltaSegment, openSegment, type Segment, storedColumns } from "./segment.ts";

/** How often a picture is taken anew because a compaction went on meanwhile. */
const ATTEMPTS_MAX = 10;
/** Bytes of what is worked out about one state of the delta. */
const DELTA_CACHE_BYTES_MAX = 4_000_000;

/** The base of an index: the segments of one manifest. */
interface Base {
  manifest: Entry<Manifest>;
  segments: Map<number, Segment>;
  layers: Layer[];
  /** The last reading of documents for columns that the base lacks; one goes on at a time. */
  completing: Promise<void>;
}

/** A collection's index at one moment. */
export class Picture {
  /** The layer of the delta: what was written since the last compaction. */
  readonly delta: Layer;
  /** For each layer of the base the rows that the delta replaces. */
  readonly replaced: Uint32Array[];

  constructor(
    /** The index version, read before anything else was: the picture is no older. */
    readonly version: string | null,
    readonly base: Base,
    /** Sorted by id. */
    readonly deltaRows: DeltaRow[],
  ) {
    const segment = deltaSegment(deltaRows);
    this.delta = new Layer("delta", segment, segment.gone, new ByteLru(DELTA_CACHE_BYTES_MAX));
    this.replaced = base.layers.map((layer) => {
      const rows = replacedRows(layer.segment, segment);
      return layer.hidden === null ? rows : rows.filter((row) => !layer.hidden!.has(row));
    });
  }

  get manifest(): Manifest {
    return this.base.manifest.value ?? EMPTY_MANIFEST;
  }

  /** Every layer, the delta last. */
  get layers(): Layer[] {
    return [...this.base.layers, this.delta];
  }

  /** Bytes of the base and its loaded columns. */
  get bytes(): number {
    return this.base.layers.reduce((bytes, layer) => bytes + layer.segment.bytes, 1024);
  }
}

/** What is needed to take pictures. */
export interface PictureOptions {
  store: Store;
  cache: ByteLru;
  /** A name that no other layer has. */
  newName: () => string;
}

/**
 * Takes a picture at least as new as `version`, which was read before. What `previous` knows is used
 * again: segments never change, and delta rows with the same versionstamp are the same.
 */
export async function takePicture(
  options: PictureOptions,
  collectionId: string,
  version: string | null,
  previous: Picture | undefined,
): Promise<Picture> {
  const { store } = options;
  const manifestKey = indexManifestKey(collectionId);
  const known = new Map(previous?.deltaRows.map((row) => [row.id, row]));
  let manifest = previous?.base.manifest ?? await store.get<Manifest>(manifestKey);
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    try {
      const base = await openBase(options, collectionId, manifest, previous?.base);
      const after = manifest.value?.mergedThrough ?? null;
      const rows = await readDelta(store, collectionId, { after }, known);
      // Rows are deleted only after the manifest has been swapped: unchanged, none was missed.
      const again = await store.get<Manifest>(manifestKey);
      if (again.versionstamp === manifest.versionstamp) {
        return new Picture(version, base, newestRows(rows));
      }
      manifest = again;
    } catch (error) {
      if (!(error instanceof SegmentGone || error instanceof TornRow)) throw error;
      cause = error;
      manifest = await store.get<Manifest>(manifestKey);
    }
  }
  throw unavailable(cause);
}

/** Opens the segments of a manifest; those that the previous base has are taken from it. */
async function openBase(
  options: PictureOptions,
  collectionId: string,
  manifest: Entry<Manifest>,
  previous: Base | undefined,
): Promise<Base> {
  if (previous !== undefined && previous.manifest.versionstamp === manifest.versionstamp) {
    return previous;
  }
  const { store, newName } = options;
  const entries = (manifest.value ?? EMPTY_MANIFEST).segments;
  const opened = await Promise.all(entries.map((entry) => {
    const known = previous?.segments.get(entry.id);
    if (known === undefined) return openSegment(newName(), store, collectionId, entry);
    known.readFrom(storedColumns(store, collectionId, entry));
    return known;
  }));
  const segments = new Map(entries.map((entry, place) => [entry.id, opened[place]!]));
  const layers = layersOf(options, opened, previous);
  for (const layer of previous?.layers ?? []) {
    if (!layers.includes(layer)) options.cache.forget(`${layer.name} `);
    if (!opened.includes(layer.segment)) options.cache.forget(`${layer.segment.name} `);
  }
  return { manifest, segments, layers, completing: Promise.resolve() };
}

/** Layers of segments; one of the previous base serves again when no more of its rows are hidden. */
function layersOf(
  { cache, newName }: PictureOptions,
  segments: Segment[],
  previous: Base | undefined,
): Layer[] {
  const hidden = hiddenRows(segments);
  return segments.map((segment, place) => {
    const layer = new Layer(newName(), segment, hidden[place]!, cache);
    const before = previous?.layers.find((one) => one.segment === segment);
    return before !== undefined && visibleCount(before) === visibleCount(layer) ? before : layer;
  });
}
