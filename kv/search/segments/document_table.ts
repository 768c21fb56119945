/**
 * The documents of a segment: their ids in order, collections and lengths, and the ids of the documents
 * that the segment removes from the ones before it. A document is known by its index here, its ordinal.
 *
 * @module
 */
import { ID_WORDS } from "../../index/segments/id_words.ts";
import { PARTS } from "./occurrence.ts";

const ID_BYTES = ID_WORDS * 4;

/** The documents of a segment. */
export interface DocumentTable {
  documents: number;
  /** Sorted. */
  ids: Uint32Array;
  /** Per document the index of its collection in `collectionIds`, and of its language in `languages`. */
  collections: Uint16Array;
  /** A collection once for each language of its documents. */
  collectionIds: string[];
  /** Languages, parallel to `collectionIds`; empty if unknown. */
  languages: string[];
  /** Per document three packed lengths. */
  lengths: Uint8Array;
  /** Sorted ids of removed documents. */
  tombstones: Uint32Array;
}

/** An empty table with room for so many documents and tombstones. */
export function newDocumentTable(documents: number, tombstones: number): DocumentTable {
  return {
    documents,
    ids: new Uint32Array(documents * ID_WORDS),
    collections: new Uint16Array(documents),
    collectionIds: [],
    languages: [],
    lengths: new Uint8Array(documents * PARTS.length),
    tombstones: new Uint32Array(tombstones * ID_WORDS),
  };
}

/** The table as bytes; collection ids, languages and counts are kept by the segment's head. */
export function tableBytes(table: DocumentTable): Uint8Array {
  const columns = [table.ids, table.tombstones, table.collections, table.lengths];
  const bytes = new Uint8Array(columns.reduce((sum, column) => sum + column.byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of columns) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** How many bytes a table of this size has. */
export function tableLength(documents: number, tombstones: number): number {
  return documents * (ID_BYTES + 2 + PARTS.length) + tombstones * ID_BYTES;
}

/** The table from bytes that it owns. */
export function readTable(
  bytes: Uint8Array,
  documents: number,
  tombstones: number,
  { collectionIds, languages = [] }: { collectionIds: string[]; languages?: string[] },
): DocumentTable {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset } = aligned;
  const tombstonesAt = byteOffset + documents * ID_BYTES;
  const collectionsAt = tombstonesAt + tombstones * ID_BYTES;
  return {
    documents,
    ids: new Uint32Array(buffer, byteOffset, documents * ID_WORDS),
    tombstones: new Uint32Array(buffer, tombstonesAt, tombstones * ID_WORDS),
    collections: new Uint16Array(buffer, collectionsAt, documents),
    lengths: new Uint8Array(buffer, collectionsAt + documents * 2, documents * PARTS.length),
    collectionIds,
    languages: collectionIds.map((_id, index) => languages[index] ?? ""),
  };
}

/** The language of a document; empty if unknown. */
export function languageAt({ languages, collections }: DocumentTable, ordinal: number): string {
  return languages[collections[ordinal] ?? -1] ?? "";
}

/** The index of a collection and language among the table's, added when it is new. */
export function collectionIndex(
  table: DocumentTable,
  collectionId: string,
  language: string,
): number {
  const index = table.collectionIds.findIndex((id, at) =>
    id === collectionId && table.languages[at] === language
  );
  if (index >= 0) return index;
  table.languages.push(language);
  return table.collectionIds.push(collectionId) - 1;
}
