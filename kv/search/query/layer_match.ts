/**
 * Which documents of a segment match every clause, and how well: column by column, in loops that do
 * nothing else.
 *
 * @module
 */
import type { Bits } from "../../index/segments/bits.ts";
import { zip } from "../../model/primitives/zip.ts";
import type { ClauseList } from "./clause_match.ts";
import type { DocumentTable } from "../segments/document_table.ts";
import { languageFactor } from "./language_preference.ts";
import type { MatchColumns } from "./match_buffers.ts";
import {
  gallop,
  keepListed,
  NO_POSTINGS,
  type PostingList,
  shortestFirst,
} from "../segments/posting_list.ts";
import type { Layer } from "../search_reader.ts";
import type { ClauseWeight, Scorer } from "./scoring.ts";

/** The clauses to match in a layer, and the scorer. */
export interface LayerQuery {
  /** Of each clause. */
  lists: readonly ClauseList[];
  weights: readonly ClauseWeight[];
  scorer: Scorer;
  collectionIds: ReadonlySet<string>;
  /** The language whose documents rank first, as they are filed under it; empty for none. */
  language: string;
}

/** How many documents the columns must have room for. */
export function candidatesOf(lists: readonly ClauseList[]): number {
  return Math.min(...lists.map(({ all }) => all.documents.length));
}

/** Writes ordinals, rising, and scores of the matches into the columns; returns how many there are. */
export function matchLayer(
  { segment: { table }, masked }: Layer,
  { lists, weights, scorer, collectionIds, language }: LayerQuery,
  columns: MatchColumns,
): number {
  const { ordinals, scores, all, exact } = columns;
  const [shortest = NO_POSTINGS, ...others] = shortestFirst(lists.map((list) => list.all));
  let count = wantedOf(shortest.documents, table, collectionIds, masked, ordinals);
  for (const list of others) count = keepListed(ordinals, count, list);
  scores.fill(0, 0, count);
  for (const [list, weight] of zip(lists, weights)) {
    readOccurrences(list.all, ordinals, count, all);
    if (list.exact !== null) readOccurrences(list.exact, ordinals, count, exact);
    const matches = { ordinals, scores, count, lengths: table.lengths };
    scorer.add(matches, weight, all, list.exact === null ? null : exact);
  }
  preferLanguage(table, language, columns, count);
  return count;
}

/** Lowers the scores of documents in other languages. */
function preferLanguage(
  { languages, collections }: DocumentTable,
  preferred: string,
  { ordinals, scores }: MatchColumns,
  count: number,
): void {
  const factors = languages.map((language) => languageFactor(language, preferred));
  if (factors.every((factor) => factor === 1)) return;
  for (let n = 0; n < count; n++) scores[n]! *= factors[collections[ordinals[n]!]!]!;
}

/** The documents of wanted collections that nothing newer masks. */
function wantedOf(
  documents: Uint32Array,
  { collections, collectionIds }: DocumentTable,
  wantedIds: ReadonlySet<string>,
  masked: Bits,
  ordinals: Uint32Array,
): number {
  const wanted = Uint8Array.from(collectionIds, (id) => wantedIds.has(id) ? 1 : 0);
  const areAllWanted = !wanted.includes(0);
  let count = 0;
  for (let row = 0; row < documents.length; row++) {
    const ordinal = documents[row]!;
    if (masked.has(ordinal)) continue;
    if (areAllWanted || wanted[collections[ordinal]!] === 1) ordinals[count++] = ordinal;
  }
  return count;
}

/** Writes the occurrence byte of each ordinal, 0 where the list does not have it. */
function readOccurrences(
  { documents, occurrences, dense }: PostingList,
  ordinals: Uint32Array,
  count: number,
  column: Uint8Array,
): void {
  if (dense !== null) {
    for (let n = 0; n < count; n++) column[n] = dense[ordinals[n]!]!;
    return;
  }
  let row = 0;
  for (let n = 0; n < count; n++) {
    row = gallop(documents, row, ordinals[n]!);
    column[n] = documents[row] === ordinals[n] ? occurrences[row]! : 0;
  }
}
