/**
 * Index rows made from the documents themselves: for columns that the index does not hold yet.
 *
 * @module
 */
import type { Content } from "./content.ts";
import type { Context } from "../context.ts";
import { isMarked, type Mark, markedDocuments } from "./reference_rows.ts";
import { type CurrentRow, readHead, type VersionRow } from "../versioning/entities.ts";
import { findKeptState } from "../versioning/versions.ts";
import { type IndexRow, indexRow, wholeRow } from "../index/index_row.ts";
import type { ItemsCondition } from "../index/query/condition.ts";
import type { NamedVersion } from "../index/query/list_query.ts";
import { currentKey, versionKey } from "../keys.ts";
import type { Collection } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { hasWorkingCopy } from "../model/entities/working_copy.ts";
import type { Entry } from "../store/operation.ts";

/** The rows of the documents with all of some marks, at least one, that `accepts` wants, by collection. */
export async function markedRows(
  { context }: Pick<Content, "context">,
  marks: readonly Mark[],
  collections: readonly Collection[],
  accepts: (state: DocumentState) => boolean = () => true,
): Promise<Map<string, IndexRow[]>> {
  const byId = new Map(collections.map((collection) => [collection.id, collection]));
  const rows = new Map<string, IndexRow[]>();
  const ids = await markedDocuments(context, marks[0]!);
  const entries = await context.store.getMany(ids.map((id) => currentKey("document", id)));
  for (const entry of entries as Entry<CurrentRow>[]) {
    const { row, state } = await readHead(
      context,
      "document",
      entry.key[2] as string,
      entry.key,
      entry,
    );

    const collection = byId.get(state?.collectionId ?? "");
    if (row === null || state === null || collection === undefined) continue;
    if (!marks.every((mark) => isMarked(state, mark)) || !accepts(state)) continue;
    if (marks.includes("changed") && !hasWorkingCopy(state, collection)) continue;
    rows.set(collection.id, [
      ...rows.get(collection.id) ?? [],
      indexRow(collection, state, row.n),
    ]);
  }
  return rows;
}

/** Documents that are decoded without a pause: they are in their rows, unless they are large. */
const DECODED_AT_ONCE = 50;

/** The current rows of documents; missing documents are left out. */
export async function readIndexRows(
  context: Context,
  collection: Collection,
  ids: string[],
): Promise<IndexRow[]> {
  const entries = await context.store.getMany(ids.map((id) => currentKey("document", id)));
  const rows: IndexRow[] = [];
  for (const [at, entry] of (entries as Entry<CurrentRow>[]).entries()) {
    if (at % DECODED_AT_ONCE === DECODED_AT_ONCE - 1) await context.store.slices.pause();
    const id = entry.key[2] as string;
    const { row, state } = await readHead(context, "document", id, entry.key, entry);
    if (row === null || state === null) continue;
    rows.push(indexRow(collection, state, row.n));
  }
  return rows;
}

/** What rows of documents tell besides their columns. */
export interface WholeRowOptions {
  /** The conditions that only documents decide. */
  items?: readonly ItemsCondition[];
  /** The state that a request sees. */
  seen?: (state: DocumentState) => DocumentState;
}

/**
 * Rows with whole texts of exactly these versions, as `seen` shows them; versions that have been pruned are left out.
 */
export async function readWholeRows(
  context: Context,
  collection: Collection,
  versions: readonly NamedVersion[],
  { items = [], seen = (state) => state }: WholeRowOptions = {},
): Promise<IndexRow[]> {
  const entries = await context.store.getMany(versions.map(({ id }) => currentKey("document", id)));
  const rows = await Promise.all(versions.map(async ({ id, n }, index) => {
    const entry = entries[index] as Entry<CurrentRow>;
    const { row, state } = await readHead(context, "document", id, entry.key, entry);
    const then = row?.n === n ? state : await stateOfVersion(context, id, n);
    return then === null ? [] : [wholeRow(collection, seen(then), n, items)];
  }));
  return rows.flat();
}

async function stateOfVersion(
  context: Context,
  id: string,
  n: number,
): Promise<DocumentState | null> {
  const { value } = await context.store.get<VersionRow>(versionKey("document", id, n));
  return value === null ? null : await findKeptState(context, "document", id, value) ?? null;
}
