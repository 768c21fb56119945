/**
 * Documents that are in no search index and are searched as a request sees them.
 *
 * @module
 */
import { readAhead } from "../../../kv/documents/read_ahead.ts";
import type { ListPage } from "../../../kv/index/query/list_query.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import type { ShownLanguage, Unpublished } from "../../../kv/search/query/unpublished.ts";
import type { LoadedDocument } from "../../../kv/search/search_index.ts";
import type { Deps } from "../../deps/deps.ts";

/** Rows of the list index, and what is searched of their documents; null for one that is not seen. */
export interface SearchedRows {
  page: ListPage;
  show: (state: DocumentState) => LoadedDocument | null;
}

/** The documents of rows, for a search. */
export function searchedRows(
  { reader, content: { context } }: Deps,
  parts: readonly SearchedRows[],
  language?: ShownLanguage,
): Unpublished {
  async function* load(some: readonly string[]): AsyncIterable<LoadedDocument> {
    const ids = new Set(some);
    for (const { page, show } of parts) {
      const rows = page.rows.filter(({ id }) => ids.has(id));
      if (rows.length === 0) continue;
      for await (const taken of readAhead(await reader.listedOfPage({ ...page, rows }))) {
        const shown = "unavailable" in taken ? null : show(taken.stored.state);
        if (shown !== null) yield shown;
      }
    }
  }
  const documents = parts.flatMap(({ page }) => page.rows);
  const identity = [language?.seenAs ?? null, documents.map(({ id, n }) => [id, n])];
  return {
    name: sha256(JSON.stringify(identity)).slice(0, 32),
    ...(language && { language }),
    documents,
    load,
    pause: () => context.store.sleep(0),
  };
}
