/**
 * The posting of one published document: its terms, how often and where they occur. It is what a publish
 * writes, what a query reads until the next compaction, and what segments are built from.
 *
 * @module
 */
import { ORIGINALS, type SearchKeys } from "../search_keys.ts";
import { CHUNK_BYTES } from "../../limits/store.ts";
import { INDEXED_TEXT_CHARS_MAX, INDEXED_WORDS_MAX, POSTING_BYTES_MAX } from "../../tuning.ts";
import type { BlockDefinition, Collection } from "../../model/entities/collection.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import type { Entry, Operation } from "../../store/operation.ts";
import { ByteReader } from "./byte_reader.ts";
import { ByteWriter } from "./byte_writer.ts";
import { EMPTY_MANIFEST, type SearchManifest } from "./manifest.ts";
import { EXACT_COUNTS, packLength, packOccurrence } from "./occurrence.ts";
import type { PostingPiece } from "./posting_pieces.ts";
import { type Searchable, searchable } from "../analysis/searched_text.ts";
import { detectLanguage, searchedLanguage } from "../analysis/detect_language.ts";
import { eachTerm } from "../analysis/tokens.ts";
import { unspacedLength } from "../analysis/unspaced_length.ts";

/** How often a term occurs in each part, and where in the document. */
interface Occurrences {
  counts: [title: number, texts: number, rich: number];
  positions: number[];
}

/** The terms of one document. */
export interface DocumentTerms {
  terms: Map<string, Occurrences>;
  /** Words per part; of a title positions, elsewhere a run without spaces counts for fewer than it takes. */
  lengths: [title: number, texts: number, rich: number];
  /** The language of the texts; empty if unknown. */
  language: string;
}

/**
 * Takes texts apart. Phrases do not reach from one value into the next. The language, BCP 47, is detected if it is
 * not given.
 */
function collectTerms(text: Omit<Searchable, "paths">, language?: string): DocumentTerms {
  const terms = new Map<string, Occurrences>();
  const lengths: DocumentTerms["lengths"] = [0, 0, 0];
  let position = 0;
  let charsLeft = INDEXED_TEXT_CHARS_MAX;
  const read = (part: 0 | 1 | 2, field: string) => {
    const seen = field.slice(0, charsLeft);
    charsLeft -= seen.length;
    position = 1 + eachTerm(seen, position, (term, at, isUnspaced) => {
      lengths[part] += isUnspaced && part > 0 ? unspacedLength(term) : 1;
      if (at >= INDEXED_WORDS_MAX) return;
      const known = terms.get(term);
      if (known !== undefined) {
        known.counts[part] += 1;
        known.positions.push(at);
      } else {
        const counts: Occurrences["counts"] = [0, 0, 0];
        counts[part] = 1;
        terms.set(term, { counts, positions: [at] });
      }
    });
  };
  read(0, text.title);
  for (const field of text.texts) read(1, field);
  read(2, text.rich);
  for (const heading of text.headings) read(2, heading);
  return { terms, lengths, language: languageOf(terms, language) };
}

/** The language that is set, else the one detected from the words of the text. */
function languageOf(terms: DocumentTerms["terms"], set?: string): string {
  if (set !== undefined) return searchedLanguage(set);
  return detectLanguage(terms, ({ counts: [title, texts, rich] }) => title + texts + rich);
}

/** The posting of a document, as bytes. */
export function encodePosting(collectionId: string, { terms, lengths }: DocumentTerms): Uint8Array {
  const writer = new ByteWriter(64 + terms.size * 10);
  writer.text(collectionId);
  for (const length of lengths) writer.byte(packLength(length));
  let before = "";
  for (const term of [...terms.keys()].sort()) {
    const found = terms.get(term);
    if (found === undefined || writer.length > POSTING_BYTES_MAX) break;
    const { counts, positions } = found;
    const shared = sharedUnits(before, term);
    writer.byte(shared);
    writer.text(term, shared);
    const occurrence = packOccurrence(...counts);
    writer.byte(occurrence);
    writePositions(writer, occurrence, positions);
    before = term;
  }
  return writer.take();
}

/** The positions of a term; preceded by their number if the occurrence byte does not hold it. */
export function writePositions(
  writer: ByteWriter,
  occurrence: number,
  positions: readonly number[],
): void {
  if (EXACT_COUNTS[occurrence] === 0) writer.number(positions.length);
  let before = 0;
  for (const position of positions) {
    writer.number(position - before);
    before = position;
  }
}

/** How many code units two terms have in common at their beginning. */
export function sharedUnits(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < end && one.charCodeAt(shared) === other.charCodeAt(shared)) shared += 1;
  return shared;
}

/** The header of a posting, which is read before its terms. */
export interface PostingHead {
  collectionId: string;
  /** Packed lengths of the parts. */
  lengths: [number, number, number];
}

/** Reads what precedes the terms. */
function readPostingHead(bytes: Uint8Array, reader = new ByteReader(bytes)): PostingHead {
  const collectionId = reader.text();
  return { collectionId, lengths: [reader.byte(), reader.byte(), reader.byte()] };
}

/** Reads a posting: `term` is called once per term, in order; positions are `[start, end)` of the bytes. */
export function readPosting(
  bytes: Uint8Array,
  term: (term: string, occurrence: number, start: number, end: number) => void,
): PostingHead {
  const reader = new ByteReader(bytes);
  const head = readPostingHead(bytes, reader);
  let before = "";
  while (reader.at < bytes.length) {
    const shared = reader.byte();
    before = before.slice(0, shared) + reader.text();
    const occurrence = reader.byte();
    const start = reader.at;
    reader.skipNumbers(EXACT_COUNTS[occurrence] || reader.number());
    term(before, occurrence, start, reader.at);
  }
  return head;
}

/** A document as an index has it. */
export interface PostedDocument {
  id: string;
  collectionId: string;
  terms: DocumentTerms;
  /** Of which definitions its texts are. */
  paths: string[];
}

/** A document by its present texts. */
export function postedDocument(
  collection: Collection,
  state: DocumentState,
  blocks?: ReadonlyMap<string, BlockDefinition>,
): PostedDocument {
  const found = searchable(collection, state, blocks);
  const terms = collectTerms(found, state.originalLanguage);
  return { id: state.id, collectionId: collection.id, terms, paths: found.paths };
}

/**
 * Adds a document's posting to a commit, which must also check the document's current row; `manifest` is the
 * manifest of the index as read in this attempt. Replaces what the index held of the document.
 */
export function recordPosting(
  operation: Operation,
  manifest: Entry,
  { id, collectionId, terms, paths }: PostedDocument,
  { keys = ORIGINALS, bytes = encodePosting(collectionId, terms) }: {
    keys?: SearchKeys;
    bytes?: Uint8Array;
  } = {},
): void {
  const { epoch } = (manifest.value as SearchManifest | null) ?? EMPTY_MANIFEST;
  operation.check(manifest);
  const pieces = Math.ceil(bytes.length / CHUNK_BYTES);
  for (let piece = 0; piece < pieces; piece++) {
    const part = bytes.slice(piece * CHUNK_BYTES, (piece + 1) * CHUNK_BYTES);
    const value: PostingPiece = { pieces, bytes: part };
    if (piece === 0) {
      value.paths = paths;
      if (terms.language !== "") value.language = terms.language;
    }
    operation.set(keys.posting(epoch, id, piece), value);
  }
  operation.delete(keys.removal(id));
  operation.touch(keys.version);
}

/**
 * Adds a document's removal from search to a commit: it is in force for every query that begins after the
 * commit. Needs no check: a removal stands until the document's next posting takes it away.
 */
export function recordRemoval(
  operation: Operation,
  collectionId: string,
  documentId: string,
  keys: SearchKeys = ORIGINALS,
): void {
  operation.set(keys.removal(documentId), collectionId);
  operation.touch(keys.version);
}
