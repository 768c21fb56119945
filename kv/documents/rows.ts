/**
 * Index rows made from the documents themselves: for columns that the index does not hold yet.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type LiveRow, readHead } from "../entities.ts";
import { type IndexRow, indexRow } from "../index/index_row.ts";
import { liveKey } from "../keys.ts";
import type { Collection } from "../model/collection.ts";
import type { Entry } from "../store/operation.ts";

/** The present rows of documents; those that are not there are left out. */
export async function readIndexRows(
  context: Context,
  collection: Collection,
  ids: string[],
): Promise<IndexRow[]> {
  const entries = await context.store.getMany(ids.map((id) => liveKey("document", id)));
  const rows: IndexRow[] = [];
  for (const entry of entries as Entry<LiveRow>[]) {
    const id = entry.key[2] as string;
    const { row, state } = await readHead(context, "document", id, entry.key, entry);
    if (row === null || state === null) continue;
    rows.push(indexRow(collection, state, row.n));
  }
  return rows;
}
