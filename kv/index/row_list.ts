/**
 * Lists over a few documents that are known by other means than the index: same conditions, sorts and pages.
 *
 * @module
 */
import { SecondChanceCache } from "../second_chance_cache.ts";
import type { IndexRow } from "./index_row.ts";
import { Layer, wantedOf } from "./layer.ts";
import { absentColumns } from "./list_index.ts";
import {
  conditionColumns,
  conditionsOf,
  type ListPage,
  type ListQuery,
  sortColumn,
} from "./list_query.ts";
import { cutPage, Run } from "./run.ts";
import { deltaSegment } from "./segment.ts";
import { runAtOnce } from "./slices.ts";

/** Lists are worked out for one answer. */
const CACHE_BYTES_MAX = 1_000_000;

/** Answers a query as if the rows, by collection, were all there is. */
export async function listRows(
  query: ListQuery,
  rows: ReadonlyMap<string, readonly IndexRow[]>,
): Promise<ListPage> {
  const conditions = conditionsOf(query);
  const columns = [...conditionColumns(conditions), ...query.sort.map(sortColumn)];
  const cache = new SecondChanceCache(CACHE_BYTES_MAX);
  const runs: Run[] = [];
  for (const collection of query.collections) {
    const absent = absentColumns(collection, columns);
    const sorted = [...rows.get(collection.id) ?? []].sort((a, b) => a.id < b.id ? -1 : 1)
      .map((row) => ({ id: row.id, epoch: 0, versionstamp: "", row }));
    const segment = deltaSegment(collection.id, sorted);
    for (const column of columns) if (!absent.has(column)) await segment.load(column);
    const layer = new Layer(collection.id, segment, null, cache);
    const listing = layer.list(wantedOf(query.sort, conditions, absent));
    const { sort, rows: matching } = runAtOnce(listing);
    runs.push(new Run(collection.id, segment, sort, matching, new Uint32Array(0)));
  }
  const total = runs.reduce((sum, run) => sum + run.count, 0);
  return { total, rows: cutPage(runs, query.offset, query.limit) };
}
