/**
 * The best matches in a better order: what costs too much for every match is looked at for the first few
 * only, as Lucene's rescorers do.
 *
 * @module
 */
import { zip } from "../../model/primitives/zip.ts";
import { RESCORED_MAX } from "../../tuning.ts";
import { allOf } from "./all_of.ts";
import { type ClauseList, type ClauseOccurrences, clauseStarts } from "./clause_match.ts";
import { FoundDocument } from "./found_document.ts";
import { languageAt } from "../segments/document_table.ts";
import { LENGTHS, levelIn, PARTS } from "../segments/occurrence.ts";
import { languageFactor } from "./language_preference.ts";
import { NO_POSITIONS, type PositionList, positionsIn } from "../segments/position_list.ts";
import { type PlacedClause, proximity } from "./proximity.ts";
import type { ClauseWeight } from "./scoring.ts";
import { type Clause, placingTerms } from "./search_query.ts";
import { occurrenceIn } from "../segments/posting_list.ts";
import type { SearchReader } from "../search_reader.ts";
import type { Segment } from "../segments/segment.ts";

/** The positions of each term of each clause in a segment. */
export type ClausePositions = readonly (readonly PositionList[])[];

/** The clauses and positions that rescore the best matches. */
export interface RescoringQuery {
  clauses: readonly Clause[];
  weights: readonly ClauseWeight[];
  /** Per layer of the reader. */
  positions: readonly ClausePositions[];
  /** The language whose documents rank first, as they are filed under it; empty for none. */
  language: string;
  /** Per layer the lists of each clause. */
  lists: readonly (readonly ClauseList[])[];
  /** Of each document of the delta the occurrences of each clause. */
  matched: readonly (readonly ClauseOccurrences[])[];
}

/** Reads positions; without a promise when all are in the cache. */
export function loadPositions(
  segment: Segment,
  clauses: readonly Clause[],
): ClausePositions | Promise<ClausePositions> {
  const isSparse = allOf(
    clauses.map((clause) =>
      allOf(placingTerms(clause).map((term) => segment.hasFewPositions(term)))
    ),
  );
  return isSparse instanceof Promise
    ? isSparse.then((isSparse) => positionsBeside(segment, clauses, isSparse))
    : positionsBeside(segment, clauses, isSparse);
}

/** The positions of clauses that have a neighbor whose positions are read, too. */
function positionsBeside(
  segment: Segment,
  clauses: readonly Clause[],
  isSparse: readonly (readonly boolean[])[],
): ClausePositions | Promise<ClausePositions> {
  const isRead = isSparse.map((terms) => !terms.includes(false));
  return allOf(clauses.map((clause, at) => {
    const terms = placingTerms(clause);
    if (!isRead[at] || !(isRead[at - 1] || isRead[at + 1])) return terms.map(() => NO_POSITIONS);
    return allOf(terms.map((term) => segment.positionList(term)));
  }));
}

/** The matches, best first, of which the first {@linkcode RESCORED_MAX} have been looked at again. */
export function rescored(
  reader: SearchReader,
  query: RescoringQuery,
  documents: readonly FoundDocument[],
): FoundDocument[] {
  const best = documents.slice(0, RESCORED_MAX).map((document) => {
    const { source, ordinal, score } = document;
    return new FoundDocument(source, ordinal, score + gainOf(reader, query, document));
  });
  // Stable: what scores alike stays in order of id.
  best.sort((a, b) => b.score - a.score);
  return [...best, ...documents.slice(RESCORED_MAX)];
}

/** The occurrences of a clause in a document. */
function occurrencesOf(
  { lists, matched }: RescoringQuery,
  { source, ordinal }: FoundDocument,
  clause: number,
): ClauseOccurrences {
  const list = lists[source]?.[clause];
  if (list === undefined) return matched[ordinal]?.[clause] ?? [0, 0];
  const exact = list.exact === null ? 0 : occurrenceIn(list.exact, ordinal);
  return [occurrenceIn(list.all, ordinal), exact];
}

/** How much of a clause the title has: 1 as it was asked for, less in another form. */
function titleShare({ all, exact }: ClauseWeight, [any, whole]: ClauseOccurrences): number {
  if (levelIn(0, exact === 0 ? any : whole) > 0) return 1;
  return levelIn(0, any) > 0 ? all / Math.max(all, exact) : 0;
}

function gainOf(
  { layers, delta }: SearchReader,
  query: RescoringQuery,
  found: FoundDocument,
): number {
  const { clauses, weights, positions } = query;
  const { source, ordinal } = found;
  const layer = layers[source];
  const document = layer === undefined ? delta[ordinal] : undefined;
  const lengths = document?.lengths ?? layer?.segment.table.lengths ?? [];
  const titleAt = layer === undefined ? 0 : ordinal * PARTS.length;
  const placed = zip(clauses, weights).map(([clause, weight], index): PlacedClause => {
    const terms = placingTerms(clause);
    const lists = positions[source]?.[index] ?? [];
    const starts = clauseStarts(
      clause,
      (term) =>
        document === undefined
          ? positionsIn(lists[term] ?? NO_POSITIONS, ordinal)
          : document.positions(terms[term] ?? ""),
    );
    const inTitle = titleShare(weight, occurrencesOf(query, found, index));
    return { weight: Math.max(weight.all, weight.exact), span: clause.span, starts, inTitle };
  });
  const own = document?.language ??
    (layer === undefined ? "" : languageAt(layer.segment.table, ordinal));
  return languageFactor(own, query.language) *
    proximity(placed, Math.round(LENGTHS[lengths[titleAt]!]!));
}
