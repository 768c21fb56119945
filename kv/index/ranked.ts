/**
 * Lists in the order of a full-text search: the selected ones of its matches, best first, equally good ones
 * by id.
 *
 * @module
 */
import { compareIds, readId } from "./id_words.ts";
import type { IndexReader } from "./index_reader.ts";
import type { ListedDocument, ListPage, Position } from "./list_query.ts";
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
  const found: { index: number; listed: ListedDocument }[] = [];
  for (let index = 0; index < scores.length; index++) {
    const at = selected.find(ids, index);
    if (at === null) continue;
    const { segment } = reader.layers[at.layer]!;
    const n = segment.versions[at.row]!;
    found.push({ index, listed: { collectionId, id: "", n } });
  }
  found.sort((a, b) =>
    scores[b.index]! - scores[a.index]! || compareIds(ids, a.index, ids, b.index)
  );
  const total = found.length;
  const rest = after === undefined || after === "start"
    ? found
    : found.filter(({ index }) => isBehind(scores[index]!, readId(ids, index), after));
  const page = rest.slice(offset, offset + limit);
  for (const { index, listed } of page) listed.id = readId(ids, index);
  const rows = page.map(({ listed }) => listed);
  if (after === undefined) return { total, rows };
  const last = page.at(-1);
  const isEnd = last === undefined || rest.length <= offset + limit;
  return { total, rows, next: isEnd ? null : positionOf(scores[last.index]!, last.listed.id) };
}

function positionOf(score: number, id: string): Position {
  return { values: [score], id };
}

function isBehind(score: number, id: string, { values: [best], id: last }: Position): boolean {
  return score < Number(best) || (score === best && id > last);
}
