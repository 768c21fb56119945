/**
 * Lists of documents of one or all collections. The URL contains the complete state of the list.
 *
 * @module
 */
import { newButtonLabel } from "../../../wording/new_document.ts";
import { listLayout } from "../../../../../kv/documents/lists/list_layouts.ts";
import { listMarked } from "../../../../../kv/documents/lists/marked_list.ts";
import type { ListPage } from "../../../../../kv/index/query/list_query.ts";
import { idsIn } from "../../../../../kv/model/fields/referenced_ids.ts";
import { fieldType } from "../../../../../kv/model/fields/types/registry.ts";
import { type Collection, getCollection } from "../../../../../kv/model/entities/collection.ts";
import { type Status, STATUSES } from "../../../../../kv/model/entities/document.ts";
import type { ReleaseState } from "../../../../../kv/model/entities/release.ts";
import { adminWire } from "../../../../../kv/model/input/document_wire.ts";
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { Refusal } from "../../../../../kv/refusals.ts";
import {
  AdminVisibility,
  parseDocumentList,
} from "../../../../admin/content/document_list_query.ts";
import type { Deps } from "../../../../deps/deps.ts";
import { findReferenced } from "../../../controls/referenced.ts";
import { isTimeColumn, ListState } from "../../../list_state.ts";
import { page } from "../../../serving/page.tsx";
import { dayAfter, isDay } from "../../../wording/days.ts";
import { Zone } from "../../../wording/zoned_time.ts";
import { type LanguageRow, languageRows } from "../translations/language_rows.ts";
import { ListDownload } from "./list_download.tsx";
import { SavedViews, viewsOf } from "./saved_views.tsx";
import type { StudioContext, Visit } from "../../../serving/studio_env.ts";
import { DocumentTable } from "./document_table.tsx";
import { userNames } from "../../../wording/user_names.ts";
import { findReferenceChoices } from "../reference_choices.ts";
import { EmptyList, ListTools, StatusTabs } from "./list_tools.tsx";
import { ButtonLink } from "../../../components/button.tsx";
import type { Handlers } from "../../../screens.ts";

/** A row of a list. */
export interface ListedRow {
  wire: Record<string, Json>;
  languages: LanguageRow[];
  collection: Collection;
  /** Whether the user may change its values. */
  mayEdit: boolean;
}

/** `/content` and `/content/:slug`. */
export function documentListScreens(deps: Deps): Handlers<"documents" | "collectionDocuments"> {
  return {
    documents: (c) => listPage(deps, c, null),
    collectionDocuments: async (c) => {
      const visit = c.get("visit");
      const collection = getCollection(visit.schema, c.req.param("slug"));
      if (collection.singleton && visit.url.search === "") {
        return await openSingleton(deps, c, collection);
      }
      return await listPage(deps, c, collection);
    },
  };
}

/** The form of a collection's only document, or of the one that is still to be written. */
async function openSingleton(
  deps: Deps,
  c: StudioContext,
  collection: Collection,
): Promise<Response> {
  const { documents } = c.get("visit");
  if (!documents.in("read", collection.id)) throw new Refusal("FORBIDDEN");
  const id = await singleDocument(deps, collection);
  if (id !== null) return c.redirect(`/admin/documents/${id}`);
  if (!documents.in("create", collection.id)) return await listPage(deps, c, collection);
  return c.redirect(`/admin/content/${collection.slug}/new`);
}

/** The id of the document that a singleton has; null before it is written. */
export async function singleDocument(
  { content }: Deps,
  collection: Collection,
): Promise<string | null> {
  const { rows } = await content.index.list({
    collections: [collection],
    statuses: STATUSES.filter((status) => status !== "trashed"),
    sort: [{ by: "createdAt", descending: false }],
    offset: 0,
    limit: 1,
  });
  return rows[0]?.id ?? null;
}

async function listPage(
  deps: Deps,
  c: StudioContext,
  collection: Collection | null,
): Promise<Response> {
  const visit = c.get("visit");
  const params = new URLSearchParams(visit.url.search);
  if (dropEmpty(params)) return c.redirect(`${visit.url.pathname}?${params}`);
  const asked = queryOf(params, collection, visit.timezone);
  const { query, paging, marks } = parseDocumentList(
    asked,
    visit.schema,
    new AdminVisibility(visit.schema, c.get("session")),
  );
  const collections = collection === null ? visit.readable : [collection];
  const [layout, found, counts, views, references, people] = await Promise.all([
    listLayout(deps.content.context, visit.user.id, collection?.id ?? null),
    listMarked(deps.content, marks, query),
    deps.content.index.countByStatus(collections),
    viewsOf(deps, visit, collection),
    findReferenceChoices(deps, collection, visit, params),
    userNames(deps),
  ]);
  const state = new ListState(visit.url, layout);
  const releases = await openReleases(deps, visit);
  const { rows, unavailable } = await readRows(deps, visit, found);
  const shown = collection === null ? [] : referencesOf(rows);
  const referenced = await findReferenced(deps, shown, visit);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const facts = {
    title: collection?.name ?? "All documents",
    wide: true,
    ...(collection?.description && { intro: collection.description }),
    actions: actionsOf(c, collection),
  };
  const status = params.get("status") as Status | null;
  return await page(
    c,
    facts,
    <div
      class="list-page"
      data-density={visit.density}
      data-island="document-list"
      data-status={status ?? "any"}
      data-query={asked.toString()}
      data-total={found.total}
      data-collection={collection?.slug}
    >
      <StatusTabs state={state} counts={counts} current={status} />
      <ListTools {...{ state, collection, references, people, visit }}>
        <SavedViews views={views} state={state} collection={collection} visit={visit} />
        {collection !== null && <ListDownload query={asked} />}
      </ListTools>
      <Unavailable ids={unavailable} />
      {rows.length === 0 && unavailable.length === 0
        ? <EmptyList state={state} collection={collection} isNew={total === 0} visit={visit} />
        : (
          <DocumentTable
            rows={rows}
            state={state}
            collection={collection}
            referenced={referenced}
            visit={visit}
            releases={releases}
            paging={{ ...paging, total: found.total }}
          />
        )}
    </div>,
  );
}

/** The documents of a page, and the ids of those with missing content. */
async function readRows({ reader }: Deps, visit: Visit, found: ListPage) {
  const { documents, unavailable } = await reader.readableOfPage(found);
  const rows = documents.flatMap(({ state }): ListedRow[] => {
    const collection = visit.schema.byId.get(state.collectionId);
    if (collection === undefined) return [];
    const mayEdit = state.status !== "trashed" && visit.documents.on("edit", state);
    const languages = languageRows(state, collection);
    return [{ wire: adminWire(state, collection), languages, collection, mayEdit }];
  });
  return { rows, unavailable };
}

/** The releases that accept documents. */
async function openReleases({ releases }: Deps, visit: Visit): Promise<ReleaseState[]> {
  if (!visit.can("documents.write")) return [];
  const states = visit.can("documents.publish") ? ["open", "scheduled"] : ["open"];
  return [...(await releases.current()).byId.values()]
    .filter(({ state }) => states.includes(state));
}

/** Lists documents with missing objects; their history may still contain a complete version. */
function Unavailable({ ids }: { ids: string[] }) {
  if (ids.length === 0) return null;
  return (
    <div class="alert bad" role="alert">
      <p>The object store is missing the content of these documents:</p>
      <ul>
        {ids.map((id) => (
          <li>
            <a href={`/admin/versions/document/${id}`}>{id}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The query as the admin API reads it. */
export function queryOf(
  params: URLSearchParams,
  collection: Collection | null,
  timezone: string,
): URLSearchParams {
  const query = new URLSearchParams(params);
  const zone = new Zone(timezone);
  for (const [name, text] of params) {
    const [, end, column] = /^(from|to)\.(.+)$/.exec(name) ?? [];
    if (column === undefined || !isDay(text) || !isTimeColumn(column, collection)) continue;
    // A day lasts to its last second in the site's time zone.
    const at = end === "from" ? zone.instantOf(text) : (zone.instantOf(dayAfter(text, 1)) ?? 0) - 1;
    query.set(name, String(at));
  }
  query.delete("columns");
  query.delete("collection");
  if (collection !== null) query.set("collection", collection.slug);
  if (!query.has("sort")) query.set("sort", "-updatedAt");
  if (!query.has("perPage")) query.set("perPage", "25");
  const status = query.get("status");
  if (status !== null && !STATUSES.some((known) => known === status)) query.delete("status");
  return query;
}

/** A form sends its empty controls too; the address is nicer without them. */
export function dropEmpty(params: URLSearchParams): boolean {
  const empty = [...params].filter(([, value]) => value === "");
  for (const [name] of empty) params.delete(name, "");
  return empty.length > 0;
}

/** The references in the rows. */
function referencesOf(rows: ListedRow[]) {
  return rows.flatMap(({ wire, collection }) =>
    collection.fields.flatMap(({ name, type }) => {
      const { referenceTo } = fieldType(type);
      return referenceTo === null ? [] : idsIn(wire[name]).map((id) => ({ kind: referenceTo, id }));
    })
  );
}

function actionsOf(c: StudioContext, collection: Collection | null) {
  const visit = c.get("visit");
  if (collection === null) return undefined;
  return (
    <>
      {visit.can("collections.write") && (
        <ButtonLink variant="quiet" href={`/admin/collections/${collection.slug}`} icon="structure">
          Fields
        </ButtonLink>
      )}
      {visit.documents.in("create", collection.id) && (
        <ButtonLink variant="primary" href={`/admin/content/${collection.slug}/new`} icon="plus">
          {newButtonLabel(collection)}
        </ButtonLink>
      )}
    </>
  );
}
