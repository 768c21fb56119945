/**
 * Documents that are searched as a language shows them: how they differ from those of the index of originals.
 *
 * @module
 */
import type { FoundDocument } from "../query/found_document.ts";
import type { VisibleResult } from "../query/visible_matches.ts";
import { collectionIdOf, idOf, type SearchReader } from "../search_reader.ts";
import { partsOfSearched } from "./searched_id.ts";

/** The language that a document is shown in; undefined for one of the index of originals. */
export function languageOfFound(reader: SearchReader, found: FoundDocument): string | undefined {
  return partsOfSearched(collectionIdOf(reader, found)).language;
}

/** Of documents that are found in several languages the best match of each, and the ranks wanted of these. */
export function onceEach(
  { reader, found }: VisibleResult,
  { from, to }: { from: number; to: number },
): VisibleResult {
  const best = new Map<string, FoundDocument>();
  for (const one of found.documents) {
    const id = idOf(reader, one);
    if (!best.has(id)) best.set(id, one);
  }
  const documents = [...best.values()];
  const counts = new Map<string, number>();
  for (const one of documents) {
    const id = collectionIdOf(reader, one);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const page = documents.slice(from, to);
  return { reader, found: { total: documents.length, documents: page, counts } };
}
