/**
 * Caches documents that a search analyzes in addition to those that the index holds.
 *
 * @module
 */
import type { SecondChanceCache } from "../../cache/second_chance_cache.ts";
import { DeltaDocument } from "../delta/delta_document.ts";
import { encodePosting, postedDocument } from "../segments/posting.ts";
import type { LoadedDocument } from "../search_index.ts";

/** Bytes that a document takes in memory besides its posting, and for each byte of that, about. */
const DOCUMENT_BYTES = 1_000;
const BYTES_PER_BYTE = 4;

/** A document by the texts that it has now, kept under a name; `cacheNumber` is what its text is called. */
export function analyzeCached(
  kept: SecondChanceCache,
  name: string,
  { state, collection, blocks }: LoadedDocument,
  cacheNumber: number,
): DeltaDocument {
  const { terms, paths } = postedDocument(collection, state, blocks);
  const bytes = encodePosting(collection.id, terms);
  const posting = { documentId: state.id, versionstamp: "", bytes, paths };
  const document = new DeltaDocument({ ...posting, language: terms.language }, cacheNumber);
  return kept.set(name, document, DOCUMENT_BYTES + BYTES_PER_BYTE * bytes.length);
}
