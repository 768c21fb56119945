/**
 * Lists in the order of a full-text search: the selected ones of its matches, best first, equally good ones
 * by id.
 *
 * @module
 */
import { mergedRuns } from "../../model/primitives/merge_heap.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";
import { compareIds, readId } from "../segments/id_words.ts";
import type { ListReader } from "../index_reader.ts";
import type { ListedDocument, ListPage, Position } from "./list_query.ts";
import { matchedRows, NO_LAYER } from "./matched_rows.ts";
import type { SelectedDocuments } from "./target_documents.ts";

/** The matches of a search. */
export interface RankedMatches {
  ids: Uint32Array;
  /** One for each id; higher is better. */
  scores: Float32Array;
  /** Identifies the matches in cache keys. */
  name: string;
}

/** Matches that are sorted without a pause. */
const SORTED_AT_ONCE = 512;

/** A cut of a list. */
export interface Cut {
  offset: number;
  limit: number;
  after: Position | "start" | undefined;
}

/** A page of the selected matches. */
export function* rankedPage(
  collectionId: string,
  reader: Pick<ListReader, "layers">,
  selected: SelectedDocuments,
  { ids, scores }: RankedMatches,
  { offset, limit, after }: Cut,
): Sliced<ListPage> {
  const { layers, rows } = yield* matchedRows(reader, ids, scores.length);
  const matches: number[] = [];
  yield* inSlices(scores.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const layer = layers[index]!;
      if (layer !== NO_LAYER && selected.selects(layer, rows[index]!)) matches.push(index);
    }
  });
  const order = (a: number, b: number) => scores[b]! - scores[a]! || compareIds(ids, a, ids, b);
  let found = yield* inOrder(matches, order);
  const total = found.length;
  if (after !== undefined && after !== "start") {
    found = found.filter((index) => isBehind(scores[index]!, readId(ids, index), after));
  }
  const page = found.slice(offset, offset + limit).map((index) => {
    const version = reader.layers[layers[index]!]?.segment.versions[rows[index]!] ?? 0;
    return { index, listed: listedAt(collectionId, ids, index, version) };
  });
  const listed = page.map(({ listed }) => listed);
  if (after === undefined) return { total, rows: listed };
  const last = page.at(-1);
  const isEnd = last === undefined || found.length <= offset + limit;
  return {
    total,
    rows: listed,
    next: isEnd ? null : positionOf(scores[last.index]!, last.listed.id),
  };
}

/** Sorts matches. A search answers in this order already, but for matches that score alike. */
function* inOrder(
  matches: number[],
  order: (a: number, b: number) => number,
): Sliced<number[]> {
  let isInOrder = true;
  const parts: number[][] = [];
  yield* inSlices(matches.length, (from, to) => {
    if (from > 0 && order(matches[from - 1]!, matches[from]!) > 0) isInOrder = false;
    const part = matches.slice(from, to);
    for (let at = 1; at < part.length && isInOrder; at++) {
      isInOrder = order(part[at - 1]!, part[at]!) <= 0;
    }
    parts.push(part.sort(order));
  }, SORTED_AT_ONCE);
  if (isInOrder) return matches;
  const sorted: number[] = [];
  for (const index of mergedRuns(parts, order)) {
    sorted.push(index);
    if (sorted.length % SORTED_AT_ONCE === 0) yield;
  }
  return sorted;
}

function listedAt(
  collectionId: string,
  ids: Uint32Array,
  index: number,
  n: number,
): ListedDocument {
  return { collectionId, id: readId(ids, index), n };
}

function positionOf(score: number, id: string): Position {
  return { values: [score], id };
}

function isBehind(score: number, id: string, { values: [best], id: last }: Position): boolean {
  return score < Number(best) || (score === best && id > last);
}
