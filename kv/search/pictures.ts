/**
 * Keeps one picture of the search index current. Each query reads the search version; when it is not the
 * picture's, everything that may have changed is read again, which is one range.
 *
 * @module
 */
import { Bits } from "../index/bits.ts";
import type { ByteLru } from "../index/byte_lru.ts";
import {
  searchManifestKey,
  searchNowPrefix,
  searchPostingPrefix,
  searchRemovalPrefix,
  searchVersionKey,
} from "../keys.ts";
import { type Entry, keyText } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { DeltaDocument } from "./delta_document.ts";
import { EMPTY_MANIFEST, type SearchManifest } from "./manifest.ts";
import { corpusOf, idTable, type Layer, maskIds, maskOlder, type Picture } from "./picture.ts";
import type { PostingPiece } from "./posting.ts";
import { Segment } from "./segment.ts";

/** Entries that are read in one snapshot. */
const SNAPSHOT_ENTRIES = 500;
/** How often a larger delta is read again because it changed meanwhile. */
const READS_MAX = 4;

/** The manifest, the postings and the removals as they stand, without the segments. */
export interface SearchNow {
  stamp: string | null;
  manifestEntry: Entry<SearchManifest>;
  manifest: SearchManifest;
  /** Newest posting per document. */
  postings: Map<string, StoredPosting>;
  removedIds: string[];
}

/** A posting of the delta, as it is stored. */
export interface StoredPosting {
  documentId: string;
  versionstamp: string;
  bytes: Uint8Array;
}

/** The current picture. */
export class Pictures {
  readonly #store: Store;
  readonly #cache: ByteLru;
  #picture: Picture | null = null;
  #refreshing: { startedAt: number; done: Promise<Picture> } | null = null;
  /** Orders what happened here: a refresh serves those whose call came before it began. */
  #clock = 0;
  #delta = new Map<string, DeltaDocument>();
  /** What segments mask in one another; what the delta masks besides is in the picture's copy. */
  #layers = new Map<string, Layer>();

  constructor(store: Store, cache: ByteLru) {
    this.#store = store;
    this.#cache = cache;
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
      const segment = layer?.segment ?? await Segment.open(this.#store, info, this.#cache);
      fresh.set(info.id, layer ?? { segment, masked: new Bits(info.documents) });
    }));
    segments.forEach((older, place) => {
      for (const newer of segments.slice(place + 1)) {
        if (known.has(older.id) && known.has(newer.id)) continue;
        maskOlder(fresh.get(older.id)!, fresh.get(newer.id)!.segment);
      }
    });
    for (const id of known.keys()) if (!fresh.has(id)) this.#cache.forget(`${id}/`);
    this.#layers = fresh;
    return this.#picture = this.#draw(now, segments.map(({ id }) => fresh.get(id)!));
  }

  #draw(now: SearchNow, base: readonly Layer[]): Picture {
    const delta = new Map<string, DeltaDocument>();
    for (const { documentId, versionstamp, bytes } of now.postings.values()) {
      const known = this.#delta.get(documentId);
      const document = known?.versionstamp === versionstamp
        ? known
        : new DeltaDocument(documentId, versionstamp, bytes);
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
    return { stamp, manifest, layers, delta: documents, deltaIds, ...corpusOf(layers, documents) };
  }
}

/**
 * Reads what is not in segments. Up to 500 entries are one snapshot. More are read in several, and read
 * again while they change; then it is enough that no compaction came in between: every posting and
 * removal from before the call is in the result, and the stamp is so old that the next query reads again.
 */
export async function readNow(store: Store): Promise<SearchNow> {
  for (let read = 1;; read++) {
    const before = await store.getMany([searchVersionKey, searchManifestKey]);
    const entries: Entry[] = [];
    const range = { prefix: searchNowPrefix };
    for await (const entry of store.list(range, { batchSize: SNAPSHOT_ENTRIES })) {
      entries.push(entry);
    }
    if (entries.length < SNAPSHOT_ENTRIES) return assemble(entries, stampOf(entries));
    if (hasTornPosting(entries)) continue;
    const after = await store.getMany([searchVersionKey, searchManifestKey]);
    const [version, manifest] = after.map((entry, place) =>
      entry.versionstamp === before[place]!.versionstamp
    );
    if (manifest && (version || read >= READS_MAX)) {
      return assemble(entries, before[0]!.versionstamp);
    }
  }
}

/** Whether pieces of one posting are from different commits. */
function hasTornPosting(entries: readonly Entry[]): boolean {
  return entries.some(({ key, versionstamp }, at) => {
    const first = entries[at - Number(key[5])];
    return key[2] === searchPostingPrefix[2] && Number(key[5]) > 0 &&
      Number(key[5]) < ((first?.value as PostingPiece | undefined)?.pieces ?? 0) &&
      first!.versionstamp !== versionstamp;
  });
}

function stampOf(entries: readonly Entry[]): string | null {
  const name = keyText(searchVersionKey);
  return entries.find(({ key }) => keyText(key) === name)?.versionstamp ?? null;
}

function assemble(entries: readonly Entry[], stamp: string | null): SearchNow {
  const manifestEntry = entries.find(({ key }) => key[2] === searchManifestKey[2]) as
    | Entry<SearchManifest>
    | undefined;
  const manifest = manifestEntry?.value ?? EMPTY_MANIFEST;
  const removedIds = entries.filter(({ key }) => key[2] === searchRemovalPrefix[2])
    .map(({ key }) => key[3] as string);
  const removed = new Set(removedIds);
  const pieces = entries.filter(({ key }) =>
    key[2] === searchPostingPrefix[2] && (key[3] as number) >= manifest.firstEpoch &&
    !removed.has(key[4] as string)
  ) as Entry<PostingPiece>[];
  return {
    stamp,
    manifestEntry: manifestEntry ??
      { key: searchManifestKey, value: null, versionstamp: null },
    manifest,
    postings: joinPieces(pieces),
    removedIds,
  };
}

/** Pieces come in order of epoch, document and piece; a later epoch replaces an earlier one. */
function joinPieces(entries: readonly Entry<PostingPiece>[]): Map<string, StoredPosting> {
  const postings = new Map<string, StoredPosting>();
  for (let at = 0; at < entries.length; at++) {
    const { key, value, versionstamp } = entries[at]!;
    // What a longer posting of the same epoch left behind comes after the last piece.
    if (key[5] !== 0) continue;
    const { pieces, bytes } = value!;
    const documentId = key[4] as string;
    const rest = entries.slice(at + 1, at + pieces).map((entry) => entry.value!.bytes);
    const whole = rest.length === 0 ? bytes : joined([bytes, ...rest]);
    postings.set(documentId, { documentId, versionstamp: versionstamp!, bytes: whole });
  }
  return postings;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
