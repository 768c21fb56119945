/**
 * Lists over documents that are known by other means than the index: the same conditions, sorts, facets and
 * pages.
 *
 * @module
 */
import type { Collection } from "../model/entities/collection.ts";
import { SecondChanceCache } from "../cache/second_chance_cache.ts";
import { ROW_LAYER_ROWS, ROW_LIST_CACHE_BYTES_MAX } from "../tuning.ts";
import type { Bits } from "./segments/bits.ts";
import type { Condition, ItemsCondition } from "./query/condition.ts";
import type { IndexRow } from "./index_row.ts";
import { Layer, type LayerRequest, layerRequest } from "./segments/layer.ts";
import { absentColumns } from "./segments/absent_columns.ts";
import { decideCutRows } from "./query/cut_rows.ts";
import {
  type ListPage,
  type ListQuery,
  type NamedVersion,
  queryColumns,
  selectionOf,
} from "./query/list_query.ts";
import { type ListPart, ListView } from "./list_view.ts";
import type { TargetDocuments } from "./query/matching.ts";
import { Run } from "./segments/run.ts";
import { deltaSegment } from "./segments/segment.ts";
import { runAtOnce, SLICE_MS } from "../store/slices.ts";
import { matchesOf, SelectedDocuments } from "./query/target_documents.ts";

/** The source of the rows. */
export interface RowSource {
  /** The rows of a collection, in any order. */
  rowsOf: (collection: Collection) => readonly IndexRow[];
  /** The same rows with whole texts; those of versions that are not kept any more are left out. */
  wholeRows: (
    collection: Collection,
    versions: readonly NamedVersion[],
    items: readonly ItemsCondition[],
  ) => Promise<IndexRow[]>;
  /** Lets others in between. */
  pause?: () => Promise<void>;
  /** Milliseconds of a clock that only goes forward: says when others have waited for long. */
  monotonic?: () => number;
}

/** Answers a query as if the rows were all there is. */
export async function listRows(query: ListQuery, source: RowSource): Promise<ListPage> {
  const parts: ListPart[] = [];
  const yieldTurn = turnTaker(source);
  for (const collection of query.collections) {
    const { layers, wanted } = await select(query, collection, source, yieldTurn);
    for (const layer of layers) {
      const { sort, rows } = runAtOnce(layer.list(wanted));
      const part = new Run(collection.id, layer.segment, sort, rows, new Uint32Array(0));
      parts.push({ run: part, layer, wanted });
      await yieldTurn();
    }
  }
  const view = new ListView(parts);
  const { rows, next, positions } = view.cut(query.after, query.offset, query.limit);
  const page: ListPage = { total: view.total, rows };
  if (query.after !== undefined) page.next = next();
  if (query.withPositions) page.positions = positions();
  if (query.facets !== undefined) page.facets = runAtOnce(view.facets(query.facets));
  return page;
}

/** The rows of a collection in layers, and what is asked of them. */
async function select(
  query: Omit<ListQuery, "collections" | "offset" | "limit">,
  collection: Collection,
  source: RowSource,
  yieldTurn: () => Promise<void>,
): Promise<{ layers: Layer[]; wanted: LayerRequest }> {
  const selection = selectionOf(query);
  const { where } = selection;
  const columns = queryColumns(query, selection);
  const targets = new Map<Condition, TargetDocuments>();
  for (const { leaf, target } of where === null ? [] : matchesOf(where)) {
    const { layers, wanted } = await select(
      { ...target, sort: [] },
      target.collection,
      source,
      yieldTurn,
    );
    const matching: (Bits | null)[] = [];
    for (const layer of layers) {
      matching.push(runAtOnce(layer.matching(wanted)));
      await yieldTurn();
    }
    const name = `${target.collection.id} ${wanted.text}`;
    targets.set(leaf, new SelectedDocuments(name, { layers }, matching));
  }
  const absent = absentColumns(collection, columns);
  const present = columns.filter((column) => !absent.has(column));
  const layers = await layersOf(collection, present, source, yieldTurn);
  const wanted = await decideCutRows({
    collection,
    reader: { layers, replaced: [] },
    readWhole: (versions, items) => source.wholeRows(collection, versions, items),
    run: async (work) => {
      await yieldTurn();
      return runAtOnce(work);
    },
  }, layerRequest(query.sort, selection, targets, absent));
  return { layers, wanted };
}

/** Rows as layers of which each is worked out without a pause. */
async function layersOf(
  collection: Collection,
  columns: readonly string[],
  source: RowSource,
  yieldTurn: () => Promise<void>,
): Promise<Layer[]> {
  const sorted = [...source.rowsOf(collection)].sort((a, b) => a.id < b.id ? -1 : 1);
  const layers: Layer[] = [];
  for (let from = 0; from < sorted.length; from += ROW_LAYER_ROWS) {
    const rows = sorted.slice(from, from + ROW_LAYER_ROWS)
      .map((row) => ({ id: row.id, epoch: 0, versionstamp: "", row }));
    const name = `${collection.id} ${from}`;
    const segment = deltaSegment(name, rows);
    await yieldTurn();
    for (const column of columns) {
      await segment.load(column);
      await yieldTurn();
    }
    layers.push(new Layer(name, segment, null, new SecondChanceCache(ROW_LIST_CACHE_BYTES_MAX)));
  }
  return layers;
}

/** Lets others in between when some milliseconds have passed since they were last. */
function turnTaker({ pause, monotonic = () => performance.now() }: RowSource): () => Promise<void> {
  let since = monotonic();
  return async () => {
    if (pause === undefined || monotonic() - since < SLICE_MS) return;
    await pause();
    since = monotonic();
  };
}
