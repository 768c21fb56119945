/**
 * Documents that are searched as a language shows them: how they differ from those of the index.
 *
 * @module
 */
import type { FoundDocument } from "./found_document.ts";
import type { VisibleResult } from "./visible_matches.ts";
import { idOf, type SearchReader } from "../search_reader.ts";

/** The id under which a collection's documents are searched as a language shows them. */
export function idInLanguage(collectionId: string, code: string): string {
  return `${collectionId}/${code}`;
}

/** The collection of a searched document, and the language that it is shown in. */
export function partsOfSearched(collectionId: string): { collectionId: string; language?: string } {
  const [id = "", language] = collectionId.split("/");
  return { collectionId: id, ...(language !== undefined && { language }) };
}

/** The language that a document is shown in; undefined for one that the index holds. */
export function languageOfFound(reader: SearchReader, found: FoundDocument): string | undefined {
  return partsOfSearched(collectionOf(reader, found)).language;
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
    const id = collectionOf(reader, one);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const page = documents.slice(from, to);
  return { reader, found: { total: documents.length, documents: page, counts } };
}

function collectionOf({ layers, delta }: SearchReader, { source, ordinal }: FoundDocument): string {
  const table = layers[source]?.segment.table;
  return table === undefined
    ? delta[ordinal]?.collectionId ?? ""
    : table.collectionIds[table.collections[ordinal]!] ?? "";
}
