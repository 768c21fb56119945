/**
 * The search index as it was at one search version: its segments, which of their documents newer parts
 * have replaced, and the delta. A reader never changes; a newer version makes a new one.
 *
 * @module
 */
import { Bits } from "../index/segments/bits.ts";
import { compareIds, findId, ID_WORDS, readId, writeId } from "../index/segments/id_words.ts";
import type { DeltaDocument } from "./delta/delta_document.ts";
import type { FoundDocument } from "./query/found_document.ts";
import type { SearchManifest } from "./segments/manifest.ts";
import { LENGTHS, PARTS } from "./segments/occurrence.ts";
import { type Corpus, Scorer } from "./query/scoring.ts";
import { postingId } from "./languages/language_posting.ts";
import { partsOfSearched } from "./languages/searched_id.ts";
import type { Segment } from "./segments/segment.ts";

/** A segment, and the ordinals in it that are not to be found. */
export interface Layer {
  segment: Segment;
  masked: Bits;
  /** Those of them that newer parts have replaced or removed: they count neither as documents nor as matches. */
  replaced: Bits;
}

/** A segment on its own, with what newer segments have replaced. */
export type Masked = Pick<Layer, "segment" | "masked">;

/** A snapshot of the index that queries run on. */
export interface SearchReader {
  /** The search version; null before the first change. */
  version: string | null;
  manifest: SearchManifest;
  /** What the index of languages was built for; null for that of originals. */
  builtFor: string | null;
  /** Oldest first. */
  layers: readonly Layer[];
  /** In order of id. */
  delta: readonly DeltaDocument[];
  /** The ids of the delta. */
  deltaIds: Uint32Array;
  scorer: Scorer;
}

/** Masks in `older` what `newer` replaces or removes. */
export function maskOlder(older: Masked, newer: Segment): void {
  const { ids, tombstones } = newer.table;
  maskIds(older, ids);
  maskIds(older, tombstones);
}

/** Masks the documents with these ids, which are sorted. */
export function maskIds({ segment, masked }: Masked, ids: Uint32Array): void {
  const own = segment.table.ids;
  const count = ids.length / ID_WORDS;
  const ownCount = own.length / ID_WORDS;
  if (count * 20 < ownCount) {
    for (let row = 0; row < count; row++) {
      const ordinal = findId(own, ids, row);
      if (ordinal >= 0) masked.add(ordinal);
    }
    return;
  }
  for (let row = 0, ordinal = 0; row < count && ordinal < ownCount;) {
    const order = compareIds(own, ordinal, ids, row);
    if (order === 0) masked.add(ordinal);
    if (order <= 0) ordinal += 1;
    if (order >= 0) row += 1;
  }
}

/** Ids as they are kept in tables, sorted. */
export function idTable(ids: readonly string[]): Uint32Array {
  const table = new Uint32Array(ids.length * ID_WORDS);
  [...ids].sort().forEach((id, row) => writeId(table, row, id));
  return table;
}

/** A reader that has more documents in its delta. */
export function withDocuments(
  reader: SearchReader,
  more: readonly DeltaDocument[],
): SearchReader {
  const delta = [...reader.delta, ...more]
    .sort((a, b) => a.documentId < b.documentId ? -1 : 1);
  return { ...reader, delta, deltaIds: idTable(delta.map(({ documentId }) => documentId)) };
}

/** A reader of the same version that finds nothing. */
export function withoutPostings(reader: SearchReader): SearchReader {
  return { ...reader, layers: [], delta: [], deltaIds: new Uint32Array(0) };
}

/** The same reader without some postings, as if they had been removed. */
export function withoutSome(reader: SearchReader, ids: readonly string[]): SearchReader {
  if (ids.length === 0) return reader;
  const gone = new Set(ids);
  const table = idTable(ids);
  const layers = reader.layers.map(({ segment, masked, replaced }): Layer => {
    const copy = { segment, masked: masked.copy(), replaced: replaced.copy() };
    maskIds(copy, table);
    maskIds({ segment, masked: copy.replaced }, table);
    return copy;
  });
  const delta = reader.delta.filter(({ documentId }) => !gone.has(documentId));
  return { ...reader, layers, delta, deltaIds: idTable(delta.map((one) => one.documentId)) };
}

/** Where a reader has a document. */
type FoundPlace = Pick<FoundDocument, "source" | "ordinal">;

/** The document that was found. */
export function idOf(reader: SearchReader, found: FoundPlace): string {
  const { layers, delta } = reader;
  const { source, ordinal } = found;
  const layer = layers[source];
  const id = layer === undefined
    ? delta[ordinal]?.documentId ?? ""
    : readId(layer.segment.table.ids, ordinal);
  const { language, kind } = partsOfSearched(collectionIdOf(reader, found));
  return language === undefined || kind === undefined ? id : postingId(id, language, kind);
}

/** What the document that was found is searched under. */
export function collectionIdOf(
  { layers, delta }: SearchReader,
  { source, ordinal }: FoundPlace,
): string {
  const table = layers[source]?.segment.table;
  return table === undefined
    ? delta[ordinal]?.collectionId ?? ""
    : table.collectionIds[table.collections[ordinal] ?? -1] ?? "";
}

const joined = new WeakMap<SearchReader, WeakMap<SearchReader, SearchReader>>();

/** A reader of two indexes. */
export function joinedReader(one: SearchReader, other: SearchReader): SearchReader {
  const known = joined.get(one) ?? new WeakMap<SearchReader, SearchReader>();
  joined.set(one, known);
  let reader = known.get(other);
  if (reader === undefined) {
    const layers = [...one.layers, ...other.layers];
    const both = withDocuments({ ...one, layers }, other.delta);
    const version = `${one.version} ${other.version}`;
    const scorer = new Scorer(corpusOf(layers, both.delta));
    known.set(other, reader = { ...both, version, builtFor: other.builtFor, scorer });
  }
  return reader;
}

/** How many documents and words there are; replaced documents do not count, as in a fresh index. */
export function corpusOf(layers: readonly Layer[], delta: readonly DeltaDocument[]): Corpus {
  const lengthSums = PARTS.map(() => 0);
  let documents = delta.length;
  for (const { segment: { info, head, table }, replaced } of layers) {
    documents += info.documents;
    head.lengthSums.forEach((sum, part) => lengthSums[part]! += sum);
    for (const ordinal of replaced.list()) {
      documents -= 1;
      PARTS.forEach((_part, part) =>
        lengthSums[part]! -= LENGTHS[table.lengths[ordinal * PARTS.length + part]!]!
      );
    }
  }
  for (const { lengths } of delta) {
    lengths.forEach((length, part) => lengthSums[part]! += LENGTHS[length]!);
  }
  return { documents, lengthSums };
}
