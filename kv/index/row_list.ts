/**
 * Lists over documents that are known by other means than the index: the same conditions, sorts, facets and
 * pages.
 *
 * @module
 */
import type { Collection } from "../model/collection.ts";
import { SecondChanceCache } from "../second_chance_cache.ts";
import { ROW_LIST_CACHE_BYTES_MAX, SLICED_ROWS_MIN } from "../tuning.ts";
import { type Condition, conditionColumns } from "./condition.ts";
import type { IndexRow } from "./index_row.ts";
import { Layer, type Wanted, wantedOf } from "./layer.ts";
import { absentColumns } from "./absent_columns.ts";
import { decideCutRows } from "./cut_rows.ts";
import {
  type ListPage,
  type ListQuery,
  type NamedVersion,
  selectionOf,
  sortColumn,
} from "./list_query.ts";
import { type ListPart, ListView } from "./list_view.ts";
import type { TargetDocuments } from "./matching.ts";
import { Run } from "./run.ts";
import { deltaSegment } from "./segment.ts";
import { runAtOnce, runInSlices, type Sliced } from "./slices.ts";
import { matchesOf, SelectedDocuments } from "./target_documents.ts";

/** Where rows come from. */
export interface RowSource {
  /** The rows of a collection, in any order. */
  rowsOf: (collection: Collection) => readonly IndexRow[];
  /** The same rows with whole texts; those of versions that are not kept any more are left out. */
  wholeRows: (collection: Collection, versions: readonly NamedVersion[]) => Promise<IndexRow[]>;
  /** Lets others in between. */
  pause?: () => Promise<void>;
}

/** Answers a query as if the rows were all there is. */
export async function listRows(query: ListQuery, source: RowSource): Promise<ListPage> {
  const parts: ListPart[] = [];
  for (const collection of query.collections) {
    const { layer, wanted } = await select(query, collection, source);
    const { sort, rows } = await run(layer, layer.list(wanted), source);
    const part = new Run(collection.id, layer.segment, sort, rows, new Uint32Array(0));
    parts.push({ run: part, layer, wanted });
  }
  const view = new ListView(parts, query.sort);
  const { rows, next } = view.cut(query.after, query.offset, query.limit);
  const page: ListPage = { total: view.total, rows };
  if (query.after !== undefined) page.next = next();
  if (query.facets !== undefined) page.facets = view.facets(query.facets);
  return page;
}

/** The rows of a collection as a layer, and what is asked of it. */
async function select(
  query: Omit<ListQuery, "collections" | "offset" | "limit">,
  collection: Collection,
  source: RowSource,
): Promise<{ layer: Layer; wanted: Wanted }> {
  const selection = selectionOf(query);
  const { where } = selection;
  const columns = [
    ...(where === null ? [] : conditionColumns(where)),
    ...query.sort.map(sortColumn),
    ...(query.facets ?? []).map(sortColumn),
  ];
  const targets = new Map<Condition, TargetDocuments>();
  for (const { leaf, target } of where === null ? [] : matchesOf(where)) {
    const followed = await select({ ...target, sort: [] }, target.collection, source);
    const matching = await run(followed.layer, followed.layer.matching(followed.wanted), source);
    const name = `${target.collection.id} ${followed.wanted.text}`;
    targets.set(leaf, new SelectedDocuments(name, { layers: [followed.layer] }, [matching]));
  }
  const absent = absentColumns(collection, columns);
  const sorted = [...source.rowsOf(collection)].sort((a, b) => a.id < b.id ? -1 : 1)
    .map((row) => ({ id: row.id, epoch: 0, versionstamp: "", row }));
  const segment = deltaSegment(collection.id, sorted);
  for (const column of columns) if (!absent.has(column)) await segment.load(column);
  const layer = new Layer(
    collection.id,
    segment,
    null,
    new SecondChanceCache(ROW_LIST_CACHE_BYTES_MAX),
  );
  const wanted = await decideCutRows({
    collection,
    reader: { layers: [layer], replaced: [] },
    readWhole: (versions) => source.wholeRows(collection, versions),
    run: (layer, work) => run(layer, work, source),
  }, wantedOf(query.sort, selection, targets, absent));
  return { layer, wanted };
}

function run<T>(
  { segment }: Layer,
  work: Sliced<T>,
  { pause = () => Promise.resolve() }: RowSource,
): T | Promise<T> {
  return segment.rows < SLICED_ROWS_MIN ? runAtOnce(work) : runInSlices(work, pause);
}
