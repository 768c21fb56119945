/**
 * Keeps one reader of the search index current. Each query reads the search version; when it is not the
 * reader's, everything that may have changed is read again, which is one range.
 *
 * @module
 */
import { Bits } from "../index/segments/bits.ts";
import type { SearchKeys } from "./search_keys.ts";
import type { Store } from "../store/store.ts";

import { DeltaDocument } from "./delta/delta_document.ts";
import { searchSegments, type SegmentInfo } from "./segments/manifest.ts";
import {
  corpusOf,
  idTable,
  type Layer,
  type Masked,
  maskIds,
  maskOlder,
  type SearchReader,
} from "./search_reader.ts";
import { ReferenceManager } from "../cache/reference_manager.ts";
import { COMPACTION_PENDING_MIN } from "../tuning.ts";
import { readNow, type SearchNow } from "./query/search_now.ts";
import type { SearchMemory } from "./search_memory.ts";
import { Scorer } from "./query/scoring.ts";
import { Segment } from "./segments/segment.ts";

/** Postings and removals from which every new reader takes noticeably long. */
const LONG_DELTA = 2 * COMPACTION_PENDING_MIN;

/** The current reader. */
export class ReaderManager {
  readonly #store: Store;
  readonly #memory: SearchMemory;
  readonly #readers = new ReferenceManager<SearchReader>(() => this.#refresh());
  /** Segments and documents of the delta that were opened so far. */
  #opened: number;
  #delta = new Map<string, DeltaDocument>();
  /** Documents that segments mask in one another; the reader's copy adds those that the delta masks. */
  #layers = new Map<string, Masked>();

  /** Whether the delta was long when it was last read. */
  #isLong = false;
  readonly #onLongDelta: () => Promise<void>;
  readonly #keys: SearchKeys;

  /**
   * `onLongDelta` is called once when the delta has become long. Cache numbers count from `firstNumber`: indexes that
   * share a memory need numbers of their own.
   */
  constructor(
    store: Store,
    memory: SearchMemory,
    { keys, firstNumber, onLongDelta }: {
      keys: SearchKeys;
      firstNumber: number;
      onLongDelta: () => Promise<void>;
    },
  ) {
    this.#store = store;
    this.#memory = memory;
    this.#keys = keys;
    this.#opened = firstNumber;
    this.#onLongDelta = onLongDelta;
  }

  /** The reader of this moment: whatever was committed before the call is in it. */
  async current(): Promise<SearchReader> {
    const { versionstamp } = await this.#store.get(this.#keys.version);
    return await this.#readers.at(versionstamp);
  }

  /** Forgets the reader, whose segments turned out to be gone. */
  forget(reader: SearchReader): void {
    this.#readers.forget(reader);
  }

  async #refresh(): Promise<SearchReader> {
    const now = await readNow(this.#store, this.#keys);
    const wasLong = this.#isLong;
    this.#isLong = now.postings.size + now.removedIds.length >= LONG_DELTA;
    if (this.#isLong && !wasLong) await this.#onLongDelta();
    const { segments } = now.manifest;
    const known = this.#layers;
    const fresh = new Map<string, Masked>();
    await Promise.all(segments.map(async (info) => {
      const layer = known.get(info.id);
      const segment = layer?.segment ?? await this.#open(info);
      fresh.set(info.id, layer ?? { segment, masked: new Bits(info.documents) });
    }));
    segments.forEach((older, index) => {
      for (const newer of segments.slice(index + 1)) {
        if (known.has(older.id) && known.has(newer.id)) continue;
        const [layer, above] = [fresh.get(older.id), fresh.get(newer.id)];
        if (layer !== undefined && above !== undefined) maskOlder(layer, above.segment);
      }
    });
    for (const [id, { segment }] of known) {
      if (!fresh.has(id)) this.#memory.forget(segment.cacheNumber);
    }
    this.#layers = fresh;
    this.#memory.forgetAnswers();
    return this.#draw(now, segments.flatMap(({ id }) => fresh.get(id) ?? []));
  }

  #open(info: SegmentInfo): Promise<Segment> {
    return Segment.open(
      searchSegments(this.#store, this.#keys),
      info,
      this.#memory,
      this.#opened++,
    );
  }

  #draw(now: SearchNow, base: readonly Masked[]): SearchReader {
    const delta = new Map<string, DeltaDocument>();
    for (const posting of now.postings.values()) {
      const { documentId, versionstamp } = posting;
      const known = this.#delta.get(documentId);
      const document = known?.versionstamp === versionstamp
        ? known
        : new DeltaDocument(posting, this.#opened++);
      delta.set(documentId, document);
    }
    this.#delta = delta;
    const documents = [...delta.values()]
      .sort((a, b) => a.documentId < b.documentId ? -1 : 1);
    const deltaIds = idTable([...delta.keys()]);
    const removedIds = idTable(now.removedIds);
    const layers = base.map(({ segment, masked }) => {
      const copy = new Bits(segment.info.documents);
      copy.words.set(masked.words);
      const layer: Layer = { segment, masked: copy, replaced: copy };
      maskIds(layer, deltaIds);
      maskIds(layer, removedIds);
      return layer;
    });
    const { stamp: version, manifest, builtFor } = now;
    const scorer = new Scorer(corpusOf(layers, documents));
    return { version, manifest, builtFor, layers, delta: documents, deltaIds, scorer };
  }
}
