/**
 * Lists of the documents that have a mark: a working copy, or a review that is asked for.
 *
 * @module
 */
import type { Content } from "../content.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import type { Mark } from "../reference_rows.ts";
import { markedRows, readWholeRows } from "../rows.ts";
import type { ListPage, ListQuery } from "../../index/query/list_query.ts";
import { listRows } from "../../index/row_list.ts";

/** A page of the documents with all of some marks that `accepts` wants; of all documents where there is none. */
export async function listMarked(
  content: Content,
  marks: readonly Mark[],
  query: ListQuery,
  accepts?: (state: DocumentState) => boolean,
): Promise<ListPage> {
  if (marks.length === 0) return await content.index.list(query);
  const rows = await markedRows(content, marks, query.collections, accepts);
  return await listRows(query, {
    rowsOf: ({ id }) => rows.get(id) ?? [],
    wholeRows: (collection, versions, items) =>
      readWholeRows(content.context, collection, versions, { items }),
  });
}
