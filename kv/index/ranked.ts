/**
 * Lists in the order of a full-text search: the selected ones of its matches, best first, equally good ones
 * by id.
 *
 * @module
 */
import { compareIds, readId } from "./id_words.ts";
import type { IndexReader } from "./index_reader.ts";
import type { ListedDocument, ListPage, Position } from "./list_query.ts";
import { matchedRows, NO_LAYER } from "./matched_rows.ts";
import type { SelectedDocuments } from "./target_documents.ts";

/** What a search has found. */
export interface RankedMatches {
  ids: Uint32Array;
  /** One for each id; higher is better. */
  scores: Float32Array;
  /** Stands for them in a cache. */
  name: string;
}

/** A cut of a list. */
export interface Cut {
  offset: number;
  limit: number;
  after: Position | "start" | undefined;
}

/** A page of the selected matches. */
export function rankedPage(
  collectionId: string,
  reader: IndexReader,
  selected: SelectedDocuments,
  { ids, scores }: RankedMatches,
  { offset, limit, after }: Cut,
): ListPage {
  const { layers, rows } = matchedRows(reader, ids, scores.length);
  let found: number[] = [];
  for (let index = 0; index < scores.length; index++) {
    const layer = layers[index]!;
    if (layer !== NO_LAYER && selected.selects(layer, rows[index]!)) found.push(index);
  }
  const order = (a: number, b: number) => scores[b]! - scores[a]! || compareIds(ids, a, ids, b);
  // A search answers in this order already, but for matches that score alike.
  if (!found.every((index, at) => at === 0 || order(found[at - 1]!, index) <= 0)) found.sort(order);
  const total = found.length;
  if (after !== undefined && after !== "start") {
    found = found.filter((index) => isBehind(scores[index]!, readId(ids, index), after));
  }
  const page = found.slice(offset, offset + limit).map((index) => {
    const { segment } = reader.layers[layers[index]!]!;
    return { index, listed: listedAt(collectionId, ids, index, segment.versions[rows[index]!]!) };
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
