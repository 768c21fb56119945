/**
 * Keeps one picture of the search index current. Each query reads the search version; when it is not the
 * picture's, everything that may have changed is read again, which is one range.
 *
 * @module
 */
import { Bits } from "../index/bits.ts";
import { searchVersionKey } from "../keys.ts";
import type { Store } from "../store/store.ts";
import { DeltaDocument } from "./delta_document.ts";
import type { SegmentInfo } from "./manifest.ts";
import { corpusOf, idTable, type Layer, maskIds, maskOlder, type Picture } from "./picture.ts";
import { readNow, type SearchNow } from "./search_now.ts";
import type { SearchMemory } from "./search_memory.ts";
import { Scorer } from "./scoring.ts";
import { Segment } from "./segment.ts";

/** The current picture. */
export class Pictures {
  readonly #store: Store;
  readonly #memory: SearchMemory;
  #picture: Picture | null = null;
  #refreshing: { startedAt: number; done: Promise<Picture> } | null = null;
  /** Orders what happened here: a refresh serves those whose call came before it began. */
  #clock = 0;
  /** Segments and documents of the delta that were opened so far. */
  #opened = 0;
  #delta = new Map<string, DeltaDocument>();
  /** What segments mask in one another; what the delta masks besides is in the picture's copy. */
  #layers = new Map<string, Layer>();

  constructor(store: Store, memory: SearchMemory) {
    this.#store = store;
    this.#memory = memory;
  }

  /** The picture of this moment: whatever was committed before the call is in it. */
  async current(): Promise<Picture> {
    const { versionstamp } = await this.#store.get(searchVersionKey);
    const readAt = ++this.#clock;
    for (;;) {
      if (this.#picture !== null && this.#picture.stamp === versionstamp) return this.#picture;
      this.#refreshing ??= this.#startRefresh();
      const { startedAt, done } = this.#refreshing;
      const picture = await done;
      if (startedAt > readAt) return picture;
    }
  }

  /** Forgets the picture, whose segments turned out to be gone. */
  forget(picture: Picture): void {
    if (this.#picture === picture) this.#picture = null;
  }

  #startRefresh(): { startedAt: number; done: Promise<Picture> } {
    const startedAt = ++this.#clock;
    return { startedAt, done: this.#refresh().finally(() => this.#refreshing = null) };
  }

  async #refresh(): Promise<Picture> {
    const now = await readNow(this.#store);
    const { segments } = now.manifest;
    const known = this.#layers;
    const fresh = new Map<string, Layer>();
    await Promise.all(segments.map(async (info) => {
      const layer = known.get(info.id);
      const segment = layer?.segment ?? await this.#open(info);
      fresh.set(info.id, layer ?? { segment, masked: new Bits(info.documents) });
    }));
    segments.forEach((older, place) => {
      for (const newer of segments.slice(place + 1)) {
        if (known.has(older.id) && known.has(newer.id)) continue;
        maskOlder(fresh.get(older.id)!, fresh.get(newer.id)!.segment);
      }
    });
    for (const [id, { segment }] of known) {
      if (!fresh.has(id)) this.#memory.forget(segment.cacheNumber);
    }
    this.#layers = fresh;
    this.#memory.forgetAnswers();
    return this.#picture = this.#draw(now, segments.map(({ id }) => fresh.get(id)!));
  }

  #open(info: SegmentInfo): Promise<Segment> {
    return Segment.open(this.#store, info, this.#memory, this.#opened++);
  }

  #draw(now: SearchNow, base: readonly Layer[]): Picture {
    const delta = new Map<string, DeltaDocument>();
    for (const { documentId, versionstamp, bytes } of now.postings.values()) {
      const known = this.#delta.get(documentId);
      const document = known?.versionstamp === versionstamp
        ? known
        : new DeltaDocument(documentId, versionstamp, bytes, this.#opened++);
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
      const layer = { segment, masked: copy };
      maskIds(layer, deltaIds);
      maskIds(layer, removedIds);
      return layer;
    });
    const { stamp, manifest } = now;
    const scorer = new Scorer(corpusOf(layers, documents));
    return { stamp, manifest, layers, delta: documents, deltaIds, scorer };
  }
}
