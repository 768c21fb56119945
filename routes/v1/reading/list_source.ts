/**
 * Lists as a request sees them: now, with unpublished changes, as a release will leave them, or at an instant
 * of the past. Everything that a request lists goes through here, includes and counts too.
 *
 * @module
 */
import { readWholeRows } from "../../../kv/documents/rows.ts";
import type { PastReader } from "../../../kv/history/past_collections.ts";
import { targetCollections } from "../../../kv/index/query/condition.ts";
import type { ListPage, ListQuery, SortKey } from "../../../kv/index/query/list_query.ts";
import { listRows } from "../../../kv/index/row_list.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { laidOver } from "../../../kv/model/entities/working_copy.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Deps } from "../../deps/deps.ts";
import { targetQuery } from "./language.ts";
import type { DraftView } from "./draft_view.ts";
import type { TokenVisibility } from "./token_visibility.ts";

/** A page; `incomplete` if the past does not know all of it. */
export type SourcePage = ListPage & { incomplete?: true };

/** Answers a list query. */
export type ListSource = (query: ListQuery) => Promise<SourcePage>;

/** What a request sees. */
export interface SourceView {
  schema: Schema;
  visibility: TokenVisibility;
  draft: DraftView;
  /** The end of a second in the past; null for now. */
  at: number | null;
}

/** The lists of a request; `versions` are index versions that it has read. */
export function listSource(
  deps: Deps,
  past: PastReader,
  view: SourceView,
  versions: readonly Entry[] = [],
): ListSource {
  return async (given) => {
    const query = await withOverlay(deps, view, given, versions);
    return view.at === null
      ? await deps.content.index.list(query, versions)
      : await listPast(deps, past, { ...view, at: view.at }, query);
  };
}

/** The lists of documents that are included or counted, in the language of the request. */
export function targetSource(
  deps: Deps,
  past: PastReader,
  view: SourceView,
  versions: readonly Entry[] = [],
): ListSource {
  const list = listSource(deps, past, view, versions);
  return (query) => list(targetQuery(view.draft.language, query));
}

/** The same query with the rows of a release, or of the working copies that the token may see. */
export async function withOverlay(
  { drafts }: Deps,
  { schema, visibility, draft: { draft, only, release }, at }: SourceView,
  query: ListQuery,
  versions: readonly Entry[],
): Promise<ListQuery> {
  if (release !== null) return { ...query, overlay: release };
  if (!draft || only !== null || at !== null || !dependsOnContent(query)) return query;
  const shown = searchedCollections(query).filter(({ id }) =>
    visibility.canSeeDraftsOf({ collectionId: id })
  );
  return { ...query, overlay: await drafts.of(schema, shown, versions) };
}

async function listPast(
  deps: Deps,
  past: PastReader,
  { schema, visibility, draft: { draft }, at }: SourceView & { at: number },
  query: ListQuery,
): Promise<SourcePage> {
  const found = await past.at(schema, at, searchedCollections(query));
  const { context } = deps.content;
  const isDraft = ({ id }: Collection) => draft && visibility.canSeeDraftsOf({ collectionId: id });
  const page = await listRows(query, {
    rowsOf: (one) => (isDraft(one) && found.drafts.get(one.id)) || found.rows.get(one.id) || [],
    wholeRows: (one, versions, items) =>
      readWholeRows(context, one, versions, { items, ...(isDraft(one) && { seen: laidOver }) }),
    pause: () => context.store.sleep(0),
  });
  const isLacking = query.collections.some(({ id }) => {
    const showsDrafts = visibility.canSeeDraftsOf({ collectionId: id });
    return (showsDrafts ? found.incomplete : found.publicIncomplete).has(id);
  });
  return { ...page, ...(isLacking && { incomplete: true as const }) };
}

/** The collections that a query is decided in. */
function searchedCollections({ collections, where }: ListQuery): Collection[] {
  return where === undefined ? [...collections] : [...collections, ...targetCollections(where)];
}

/**
 * Whether a list depends on values that a working copy can change: anything but status, times and
 * IDs.
 */
function dependsOnContent({ where, sort, facets }: ListQuery): boolean {
  const isContent = ({ by }: SortKey) => typeof by !== "string" || by === "title" || by === "slug";
  return where !== undefined || facets !== undefined || sort.some(isContent);
}
