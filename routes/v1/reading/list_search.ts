/**
 * `q` in lists: combines a full-text search with the filters of a query, and adds rank and snippet.
 *
 * @module
 */
import { readId } from "../../../kv/index/segments/id_words.ts";
import { allOf } from "../../../kv/index/query/condition.ts";
import type { ListPage, ListQuery } from "../../../kv/index/query/list_query.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { LanguageView } from "../../../kv/model/languages/in_language.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Unpublished } from "../../../kv/search/query/unpublished.ts";
import type { ListedMatches } from "../../../kv/search/list_searches.ts";
import { SEARCHED_UNPUBLISHED_MAX } from "../../../kv/tuning.ts";
import type { Deps } from "../../deps/deps.ts";
import type { FieldTree } from "../../query/field_path.ts";
import { type LanguageRequest, seenInLanguage, shownView } from "./language.ts";
import { matchesInView } from "./language_matches.ts";
import { searchedRows } from "./searched_rows.ts";

/** A search within the documents of a query. */
export interface ListSearch {
  schema: Schema;
  collection: Collection;
  query: ListQuery;
  text: string;
  isRanked: boolean;
  /** The language in which documents are searched; null for the original. */
  language: LanguageRequest | null;
}

/** The rank and snippet of the documents found. */
export interface SearchMatches {
  /** Changes whenever ranks or snippets can change. */
  stamp: string;
  /** `_rank` and `_snippet`, as far as they are asked for. */
  keysOf(state: DocumentState, fields: FieldTree | null): Record<string, Json>;
}

/** A page of the documents that are found and selected; by rank unless a sort is given. */
export async function searchWithin(
  deps: Deps,
  { schema, collection, query, text, isRanked, language }: ListSearch,
  version: Entry,
  list: (query: ListQuery) => Promise<ListPage>,
): Promise<{ page: ListPage; words: SearchMatches; incomplete?: true }> {
  const { search, content: { index } } = deps;
  const { matches, isCutOff } = await findMatches(
    deps,
    { schema, collection, query, text, language },
    version,
  );
  const { ids, scores, name, clauses } = matches;
  const found = { kind: "documents", ids, name } as const;
  const where = query.where === undefined ? found : allOf(found, query.where);
  const page = isRanked
    ? await index.ranked(query, matches, [version])
    : await list({ ...query, where });
  let ranks: Map<string, number> | null = null;
  const rankOf = (id: string): number => {
    ranks ??= new Map(Array.from(scores, (score, at) => [readId(ids, at), score]));
    return Math.round((ranks.get(id) ?? 0) * 10_000) / 10_000;
  };
  const words: SearchMatches = {
    stamp: sha256(name).slice(0, 16),
    keysOf(state, fields) {
      const keys: Record<string, Json> = {};
      if (fields?.keys.has("_rank")) keys._rank = rankOf(state.id);
      if (fields?.keys.has("_snippet")) {
        keys._snippet = search.snippet(clauses, { state, collection, blocks: schema.blocks });
      }
      return keys;
    },
  };
  return { page, words, ...(isCutOff && { incomplete: true }) };
}

/** The documents that match, and whether there are more than were searched. */
async function findMatches(
  deps: Deps,
  asked: Omit<ListSearch, "isRanked">,
  version: Entry,
): Promise<{ matches: ListedMatches; isCutOff: boolean }> {
  const { schema, collection, text, language } = asked;
  const view = collection.localized && language !== null ? shownView(language) : null;
  // A preview sees the drafts of one document alone.
  if (language !== null && view !== null && language.only === null) {
    const found = await matchesInView(deps, { ...asked, language, view }, version);
    if (found !== null) return found;
  }
  const hidden = await findUnpublished(deps, asked, view, version);
  const matches = await deps.search.matches(text, collection.id, schema, hidden);
  return { matches, isCutOff: hidden?.isCutOff ?? false };
}

/**
 * The selected unpublished documents, which are in no search index, or in a language all that are selected;
 * of very many, those changed last. Null if the request sees none.
 */
async function findUnpublished(
  deps: Deps,
  { schema, collection, query, language }: Omit<ListSearch, "isRanked">,
  view: LanguageView | null,
  version: Entry,
): Promise<Unpublished & { isCutOff: boolean } | null> {
  const { index } = deps.content;
  const statuses = view === null
    ? query.statuses.filter((status) => status !== "published")
    : query.statuses;
  if (statuses.length === 0) return null;
  const page = await index.list({
    collections: query.collections,
    statuses,
    ...(query.where && { where: query.where }),
    ...(query.overlay && { overlay: query.overlay }),
    sort: [{ by: "updatedAt", descending: true }],
    offset: 0,
    limit: SEARCHED_UNPUBLISHED_MAX,
  }, [version]);
  if (page.rows.length === 0 && view === null) return null;
  const show = (state: DocumentState) => {
    const seen = seenInLanguage(language, state);
    return seen && { state: seen, collection, blocks: schema.blocks };
  };
  const shownIn = view && {
    code: view.code,
    seenAs: sha256(JSON.stringify([view, language?.states])).slice(0, 32),
  };
  const rows = searchedRows(deps, [{ page, show }], shownIn ?? undefined);
  return { ...rows, isCutOff: page.total > page.rows.length };
}
