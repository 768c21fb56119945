/**
 * `GET /api/v1/{collection}/{id}/versions…`: the history of a document, for tokens with the scope of history.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { zip } from "../../../kv/model/primitives/zip.ts";
import { readHead, type VersionRow } from "../../../kv/versioning/entities.ts";
import { stateBeforeTombstone } from "../../../kv/history/restore/lost_states.ts";
import { findKeptState, listVersions, type VersionHead } from "../../../kv/versioning/versions.ts";
import type { PastReader } from "../../../kv/history/past_collections.ts";
import { currentKey, versionKey } from "../../../kv/keys.ts";
import { VERSIONS_LISTED_MAX } from "../../../kv/limits/requests.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState, Status } from "../../../kv/model/entities/document.ts";
import { modernized } from "../../../kv/model/fields/field_migration.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Deps } from "../../deps/deps.ts";
import { Parameters } from "../../query/parameters.ts";
import { DOCUMENT_KEYS, parseProjection } from "../../query/projection.ts";
import { languagesOfVersion, parseVersionLanguage } from "../../query/version_languages.ts";
import { parsePaging } from "../../query/paging.ts";
import type { bearerRoutes } from "../bearer/bearer_routes.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";
import { exposedCollection, textAnswer } from "../collection_call.ts";
import { LANGUAGE_KEYS } from "../../../kv/model/languages/seen_language.ts";
import { shownAs, viewOf } from "./draft_view.ts";
import { LANGUAGE_PARAMETERS, parseLanguage } from "./language.ts";
import { loadIncludes } from "./includes.ts";
import { projectedWire } from "./projected.ts";
import { FILTERED_FRAMING } from "../../query/filter_target.ts";
import { FILTERED_STATUSES } from "../../query/status.ts";
import { targetSource } from "./list_source.ts";
import { pastView } from "./viewpoint.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** A version on the wire. */
interface VersionItem {
  version: number;
  changedAt: number;
  /** The languages that it changed; absent where the site has one. */
  languages?: string[];
  /** Null for tokens and unattended writes. */
  changedBy: string | null;
  summary: string | null;
  status: Status;
}

/** The versions of a document, and one of them. */
export function historyRoutes(
  deps: Deps,
  past: PastReader,
  bearer: ReturnType<typeof bearerRoutes>,
): Hono {
  return new Hono()
    .get("/:collection/:id/versions", bearer(() => [], (call) => list(deps, call)))
    .get("/:collection/:id/versions/:n", bearer(() => [], (call) => read(deps, past, call)));
}

async function list(deps: Deps, call: BearerCall): Promise<Response> {
  const { collection, id, visible } = await documentOf(deps, call, "FORBIDDEN");
  const parameters = new Parameters(new URL(call.http.req.url).search);
  const { languages } = call.schema;
  parameters.refuseMisspelled(["page", "perPage", ...languages ? ["language"] : []]);
  const language = parseVersionLanguage(parameters, languages);
  const { page, perPage } = parsePaging({ getAll: (name) => parameters.values(name) });
  const offset = (page - 1) * perPage;
  const found = await visibleVersions(deps, collection, id, visible);
  if (found.length === 0) throw new Refusal("NOT_FOUND");
  const all = found.map(({ languages: changed, original, ...item }): VersionItem =>
    languages === undefined ? item : {
      ...item,
      languages: languagesOfVersion(
        { ...changed && { languages: changed } },
        original ?? languages.original,
      ),
    }
  ).filter((item) => language === null || item.languages?.includes(language));
  const data = all.slice(offset, offset + perPage);
  const meta = { page, perPage, total: all.length };
  return textAnswer(call, JSON.stringify({ data, meta }));
}

/** One version, with included documents as of the end of its second. */
async function read(deps: Deps, past: PastReader, call: BearerCall): Promise<Response> {
  const { context } = deps.content;
  const { http, schema } = call;
  const { collection, id, visible } = await documentOf(deps, call, "NOT_FOUND");
  const parameters = new Parameters(new URL(http.req.url).search);
  parameters.refuseMisspelled([
    ...["fields", "include", "counts", "richText"],
    ...schema.languages ? LANGUAGE_PARAMETERS : [],
  ]);
  const { blocks } = schema;
  const visibility = call.visibility.narrowed({ isPast: true });
  const find = (slug: string) => visibility.collection(slug);
  const keys = [...DOCUMENT_KEYS, ...schema.languages ? LANGUAGE_KEYS : []];
  const filters = { framing: FILTERED_FRAMING, filtered: FILTERED_STATUSES, visibility, blocks };
  const scope = { collection, find, blocks, keys, filters };
  const draft = { draft: false, only: null };
  const language = parseLanguage(parameters, {
    collection,
    visibility,
    schema,
    draft,
    isList: false,
  });
  const projection = parseProjection(parameters, scope);
  const n = pathParameter(http, "n");
  if (!/^[1-9]\d{0,8}$/.test(n)) throw new Refusal("NOT_FOUND");
  const { value } = await context.store.get<VersionRow>(versionKey("document", id, Number(n)));
  if (value === null) throw new Refusal("NOT_FOUND");
  const state = await findKeptState(context, "document", id, value) ?? null;
  if (!isVisible(state, collection, visible)) throw new Refusal("NOT_FOUND");
  const then = { ...draft, release: null, language };
  const view = viewOf(pastView(deps, schema, past, value.at), then, visibility);
  const seen = shownAs(then, { state: modernized(state, collection, blocks), n: value.n });
  if (seen === null) throw new Refusal("NOT_FOUND");
  const shown = seen.state;
  const list = targetSource(deps, past, { schema, visibility, draft: then, at: value.at });
  const included = await loadIncludes({ view, visibility, list }, projection, [shown]);
  const wire = projectedWire(shown, collection, { projection, included, blocks });
  return textAnswer(call, JSON.stringify(wire));
}

/** The document of the path, there or removed since, of whose history something may be seen. */
async function documentOf(
  { content: { context } }: Deps,
  call: BearerCall,
  withoutScope: "FORBIDDEN" | "NOT_FOUND",
) {
  const { http } = call;
  const collection = exposedCollection(call);
  const { pastStatuses: visible } = call.visibility.access(collection.slug);
  if (visible.length === 0) throw new Refusal(withoutScope);
  const id = pathParameter(http, "id");
  if (!isUlid(id)) throw new Refusal("NOT_FOUND");
  const { state, row } = await readHead(context, "document", id, currentKey("document", id));
  const last = state ?? await stateBeforeTombstone(context, "document", id, row);
  if (last?.collectionId !== collection.id) throw new Refusal("NOT_FOUND");
  return { collection, id, visible };
}

/** The visible versions, newest first; unpublished ones require read-drafts. */
async function visibleVersions(
  { content: { context } }: Deps,
  collection: Collection,
  id: string,
  visible: readonly Status[],
): Promise<(VersionItem & { original: string | undefined })[]> {
  const range = { skip: 0, limit: VERSIONS_LISTED_MAX };
  const { versions } = await listVersions(context, "document", id, range);
  const keys = versions.map(({ version_number: n }) => versionKey("document", id, n));
  const rows = keys.length === 0 ? [] : await context.store.getMany(keys) as Entry<VersionRow>[];
  const items = await Promise.all(
    zip(versions, rows).map(async ([head, { value: row }]) => {
      const state = row === null ? null : await findKeptState(context, "document", id, row) ?? null;
      return isVisible(state, collection, visible) ? itemOf(head, state) : null;
    }),
  );
  return items.filter((item) => item !== null);
}

function itemOf(
  { version_number, changed_at, changed_by, change_summary, languages }: VersionHead,
  { status, originalLanguage }: DocumentState,
): VersionItem & { original: string | undefined } {
  return {
    version: version_number,
    changedAt: changed_at,
    changedBy: changed_by,
    summary: change_summary,
    status,
    ...(languages && { languages }),
    original: originalLanguage,
  };
}

function isVisible(
  state: DocumentState | null,
  { id }: Collection,
  visible: readonly Status[],
): state is DocumentState {
  return state !== null && state.collectionId === id && visible.includes(state.status);
}
