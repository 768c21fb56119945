/**
 * Finds and scores every document that matches all clauses.
 *
 * @module
 */
import { zip } from "../../model/primitives/zip.ts";
import { RESCORED_MAX } from "../../tuning.ts";
import { searchedLanguage } from "../analysis/detect_language.ts";
import { allOf } from "./all_of.ts";
import {
  type ClauseList,
  type ClauseOccurrences,
  isInexact,
  matchDelta,
  matchSegment,
} from "./clause_match.ts";
import type { DeltaDocument } from "../delta/delta_document.ts";
import { candidatesOf, type LayerQuery, matchLayer } from "./layer_match.ts";
import { FoundDocument } from "./found_document.ts";
import type { MatchBuffers, MatchColumns } from "./match_buffers.ts";
import { languageFactor } from "./language_preference.ts";
import { loadPositions, rescored } from "./rescoring.ts";
import { countWithout } from "../segments/posting_list.ts";
import type { Layer, SearchReader } from "../search_reader.ts";
import { type ClauseWeight, clauseWeight } from "./scoring.ts";
import type { Clause } from "./search_query.ts";
import { type Matches, topHits } from "./top_hits.ts";

/** The clauses, collections and ranks of a search. */
export interface MatchRequest {
  clauses: readonly Clause[];
  collectionIds: ReadonlySet<string>;
  /** The ranks wanted, from 0; `to` is not among them. */
  from: number;
  to: number;
  /** Whether matches are counted by collection. */
  counts?: boolean;
  /** The language (BCP 47) whose documents rank first; empty for none. */
  language: string;
}

/** The matches of a search. */
export interface MatchResult {
  total: number;
  /** Those of the wanted ranks, best first. */
  documents: FoundDocument[];
  /** Matches by collection, when they were to be counted. */
  counts: ReadonlyMap<string, number>;
}

/** Matches among the documents of some collections. */
export async function findMatches(
  reader: SearchReader,
  buffers: MatchBuffers,
  request: MatchRequest,
): Promise<MatchResult> {
  const { clauses, collectionIds, from, to } = request;
  const language = searchedLanguage(request.language);
  const areRescored = from < RESCORED_MAX;
  const segments = reader.layers.map(({ segment }) => segment);
  const [lists, positions] = await Promise.all([
    Promise.all(segments.map((segment) => listsOf(segment, clauses))),
    // One clause has no neighbours to be near to.
    Promise.all(
      areRescored && clauses.length > 1
        ? segments.map((segment) => loadPositions(segment, clauses))
        : [],
    ),
  ]);
  // From here on nothing waits: the buffers belong to this query.
  const delta = reader.delta.map((document) =>
    clauses.map((clause) => matchDelta(document, clause))
  );
  const { scorer, layers } = reader;
  const weights = weightsOf(reader, clauses, lists, delta);
  const columns = buffers.columns(lists.reduce((sum, list) => sum + candidatesOf(list), 0));
  const query = { weights, scorer, collectionIds, language };
  const sources: Matches[] = [];
  let start = 0;
  for (const [layer, own] of zip(layers, lists)) {
    const rest = columnsFrom(columns, start);
    const count = matchLayer(layer, { ...query, lists: own }, rest);
    const { ordinals, scores } = rest;
    sources.push({ ids: layer.segment.table.ids, ordinals, scores, count });
    start += count;
  }
  sources.push(scoreDelta(reader, delta, query));
  const range = areRescored ? [0, Math.max(to, RESCORED_MAX)] as const : [from, to] as const;
  const best = topHits(sources, ...range).map(({ source, row }) => {
    const { ordinals, scores } = sources[source]!;
    return new FoundDocument(source, ordinals[row]!, scores[row]!);
  });
  const rescoring = { clauses, weights, positions, language, lists, matched: delta };
  const documents = areRescored ? rescored(reader, rescoring, best).slice(from, to) : best;
  const counts = request.counts ? countsOf(reader, sources) : new Map<string, number>();
  return { total: sources.reduce((sum, { count }) => sum + count, 0), documents, counts };
}

function countsOf({ layers, delta }: SearchReader, sources: readonly Matches[]) {
  const counts = new Map<string, number>();
  sources.forEach(({ ordinals, count }, source) => {
    const table = layers[source]?.segment.table;
    for (let row = 0; row < count; row++) {
      const ordinal = ordinals[row]!;
      const collectionId = table === undefined
        ? delta[ordinal]!.collectionId
        : table.collectionIds[table.collections[ordinal]!]!;
      counts.set(collectionId, (counts.get(collectionId) ?? 0) + 1);
    }
  });
  return counts;
}

function columnsFrom({ ordinals, scores, all, exact }: MatchColumns, start: number): MatchColumns {
  return { ordinals: ordinals.subarray(start), scores: scores.subarray(start), all, exact };
}

/** How much each clause counts, by how many documents match it. */
function weightsOf(
  { scorer, layers }: SearchReader,
  clauses: readonly Clause[],
  lists: readonly ClauseList[][],
  delta: readonly ClauseOccurrences[][],
): ClauseWeight[] {
  return clauses.map((clause, index) => {
    let all = 0;
    let exact = 0;
    for (const [{ replaced }, segmentLists] of zip(layers, lists)) {
      const list = segmentLists[index];
      if (list === undefined) continue;
      all += countWithout(list.all, replaced);
      if (list.exact !== null) exact += countWithout(list.exact, replaced);
    }
    for (const matched of delta) {
      const [ofAll, ofExact] = matched[index] ?? [0, 0];
      all += Math.sign(ofAll);
      exact += Math.sign(ofExact);
    }
    return clauseWeight(scorer, isInexact(clause), all, exact);
  });
}

function listsOf(
  segment: Layer["segment"],
  clauses: readonly Clause[],
): ClauseList[] | Promise<ClauseList[]> {
  return allOf(clauses.map((clause) => matchSegment(segment, clause)));
}

function scoreDelta(
  { delta, deltaIds }: { delta: readonly DeltaDocument[]; deltaIds: Uint32Array },
  matched: readonly ClauseOccurrences[][],
  { collectionIds, weights, scorer, language: preferred }: Omit<LayerQuery, "lists">,
): Matches {
  const ordinals: number[] = [];
  const scores: number[] = [];
  delta.forEach(({ collectionId, lengths, language }, ordinal) => {
    const occurrences = matched[ordinal] ?? [];
    if (!collectionIds.has(collectionId) || occurrences.some(([all]) => all === 0)) return;
    ordinals.push(ordinal);
    scores.push(
      languageFactor(language, preferred) *
        zip(weights, occurrences).reduce((sum, [weight, [all, exact]]) => {
          return sum + scorer.clauseScore(weight, all, weight.exact === 0 ? 0 : exact, lengths, 0);
        }, 0),
    );
  });
  return {
    ids: deltaIds,
    ordinals: Uint32Array.from(ordinals),
    scores: Float32Array.from(scores),
    count: ordinals.length,
  };
}
