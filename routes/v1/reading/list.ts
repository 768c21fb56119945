/**
 * `GET /api/v1/{collection}`: the documents that a query selects, in the form that it asks for.
 *
 * @module
 */
import type { StoredDocument } from "../../../kv/documents/write.ts";
import { targetsOf } from "../../../kv/index/query/condition.ts";
import type { ListPage, ListQuery } from "../../../kv/index/query/list_query.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { toWire } from "../../../kv/model/input/document_wire.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { LANGUAGE_KEYS } from "../../../kv/model/languages/seen_language.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { PastReader } from "../../../kv/history/past_collections.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Deps } from "../../deps/deps.ts";
import { inCollation, parseCollation } from "../../query/collation.ts";
import { listMeta } from "../../query/list_meta.ts";
import { FILTERED_FRAMING } from "../../query/filter_target.ts";
import { type ListRequest, type ListScope, parseListRequest } from "../../query/list_request.ts";
import { parameterInvalid, Parameters } from "../../query/parameters.ts";
import {
  DOCUMENT_KEYS,
  isWhole,
  type ListFormat,
  parseProjection,
  type Projection,
  RANK_KEYS,
} from "../../query/projection.ts";
import { parseTogether } from "../../query/read_together.ts";
import { FILTERED_STATUSES, parseStatus } from "../../query/status.ts";
import { asRefusal } from "../../answers/refusal_response.ts";
import { logFault } from "../../middleware/request_log.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";
import { exposedCollection, requireScope } from "../collection_call.ts";
import { isFresh, listTag } from "./etag.ts";
import { type DraftView, draftViewOf, shownAs, viewOf } from "./draft_view.ts";
import { type Included, loadIncludesOfPage } from "./includes.ts";
import {
  allPages,
  exportedList,
  type ListedPage,
  PAGE_PARAMETERS,
  parseListFormat,
} from "./exported_list.ts";
import { indexVersionKey } from "../../../kv/index/index_keys.ts";
import { LANGUAGE_PARAMETERS, parseLanguage, queryOf } from "./language.ts";
import { listBody, publicListBody } from "./list_body.ts";
import { projectedWire } from "./projected.ts";
import { listSource, type SourcePage, targetSource, withOverlay } from "./list_source.ts";
import { type RandomOrder, randomPage } from "../../query/random_order.ts";
import { type SearchMatches, searchWithin } from "./list_search.ts";
import { json, notModified, readHeader } from "../respond.ts";
import type { TokenVisibility } from "./token_visibility.ts";
import { listedToday, parseAt, pastView, presentView } from "./viewpoint.ts";

/** Parameters of lists, apart from filters by name. */
export const LIST_PARAMETERS = [
  "page",
  "perPage",
  "sort",
  "status",
  "filter",
  "fields",
  "include",
  "cursor",
  "facets",
  "q",
  "at",
  "draft",
  "release",
  "richText",
  "format",
  "counts",
  "seed",
  "collate",
] as const;

/** A parsed list request of a token. */
interface ListCall {
  collection: Collection;
  visibility: TokenVisibility;
  request: ListRequest;
  projection: Projection;
  query: ListQuery;
  draft: DraftView;
  /** The end of a second in the past; null for now. */
  at: number | null;
  /** Null for a page in its envelope. */
  format: ListFormat | null;
}

/** The documents of a page, and what is shown with them. */
interface ShownPage extends ListedPage {
  words: SearchMatches | null;
  incomplete?: true;
  included: Included;
}

/** Answers a list request; `readVersion` reads the collection's index version. */
export async function listDocuments(
  deps: Deps,
  call: BearerCall,
  past: PastReader,
  readVersion: (collection: Collection) => Promise<Entry>,
): Promise<Response> {
  const { http, schema, headers } = call;
  const collection = exposedCollection(call);
  requireScope(call, collection, "read");
  const { search } = new URL(http.req.url);
  const listCall = await parseListCall(deps, call, collection, search);
  const ifNoneMatch = http.req.header("if-none-match") ?? null;
  const version = await readVersion(collection);
  const { statuses: visible } = call.visibility.access(collection.slug);
  const ownTag = listTag(version.versionstamp, schema.stamp, visible, search);
  // The index changes with drafts as well, so its stamp is for tokens that see them.
  const seesDrafts = visible.includes("draft");
  if (seesDrafts && dependsOnlyOnIndex(listCall) && isFresh(ifNoneMatch, ownTag)) {
    return notModified(headers, { etag: ownTag });
  }

  const { format, projection } = listCall;
  if (format !== null) {
    // A stream is tagged before its bytes are known, and the index's stamp is not for every token.
    const { context } = deps.content;
    const isTagged = seesDrafts && dependsOnlyOnIndex(listCall);
    const etag = isTagged ? ownTag : variantTag([context.newId(context.now())]);
    const read = (query: ListQuery) => readPage(deps, call, { ...listCall, query }, past);
    return exportedList(deps, call, { collection, format, projection, etag }, {
      pages: allPages(listCall.query, read),
      writerOf: ({ included, words }) => writer(deps, call, listCall, included, words),
    });
  }

  const shown = await readPage(deps, call, listCall, past, version);
  const { page, words, incomplete, listed, included } = shown;
  Object.assign(headers, readHeader(page.rows.length + included.read));
  const { draft: { release } } = listCall;
  const meta = { ...listMeta(listCall.request, page), ...(incomplete && { incomplete }) };
  const write = writer(deps, call, listCall, included, words);
  const failed = (error: unknown) => logFault(deps.content.context.log, http, asRefusal(error));
  const body = { listed, meta, write, failed };
  if (!seesDrafts) {
    const { etag, body: text } = await publicListBody(body, search);
    return isFresh(ifNoneMatch, etag)
      ? notModified(headers, { etag })
      : json(text(), headers, { etag });
  }
  const etag = dependsOnlyOnIndex(listCall)
    ? ownTag
    : variantTag([ownTag, meta, page.rows, words?.stamp ?? null, included.versions, release?.name]);
  if (isFresh(ifNoneMatch, etag)) return notModified(headers, { etag });
  return json(listBody(body), headers, { etag });
}

/** Selects and reads the documents of a page. */
async function readPage(
  deps: Deps,
  call: BearerCall,
  listCall: ListCall,
  past: PastReader,
  version?: Entry,
): Promise<ShownPage> {
  const { schema } = call;
  const { at, projection, visibility, draft, collection } = listCall;
  const current = version ?? await deps.content.context.store.get(indexVersionKey(collection.id));
  const selected = await select(deps, call, listCall, past, current);
  const found = await deps.reader.listedOfPage(selected.page);
  const listed = at === null ? found : listedToday(found, schema);
  const base = at === null ? presentView(deps, call.entries) : pastView(deps, schema, past, at);
  const view = viewOf(base, draft, visibility);
  const list = targetSource(deps, past, { ...listCall, schema }, [current]);
  const shown = (stored: StoredDocument) => shownAs(draft, stored) ?? stored;
  const included = await loadIncludesOfPage({ view, visibility, list }, projection, listed, shown);
  return { ...selected, listed, included };
}

async function parseListCall(
  deps: Deps,
  call: BearerCall,
  collection: Collection,
  search: string,
): Promise<ListCall> {
  const { schema } = call;
  const asked = new Parameters(search);
  asked.refuseMisspelled([
    ...LIST_PARAMETERS,
    ...schema.languages ? [...LANGUAGE_PARAMETERS, "translation"] : [],
  ]);
  const format = parseListFormat(asked.values("format"));
  const parameters = format === null ? asked : new Parameters(search, PAGE_PARAMETERS);
  const at = parseAt(parameters, deps.content.context.now() / 1000);
  const drafts = await draftViewOf(deps, call, collection, parameters, "FORBIDDEN");
  const isPublic = drafts.release !== null;
  const visibility = call.visibility.narrowed({ isPast: at !== null, isPublic });
  if (at !== null && !visibility.can(collection.slug, "read-history")) {
    throw new Refusal("FORBIDDEN");
  }
  const inScope = { collection, visibility, schema, draft: drafts, isList: true };
  const language = parseLanguage(parameters, inScope);
  const collate = parseCollation(parameters);
  const draft = { ...drafts, language };
  const scope: ListScope = {
    ...(language && { seenAs: JSON.stringify([language.view, language.states]) }),
    ...(collate && { seenAs: JSON.stringify([language?.view, language?.states, collate]) }),
    collection,
    framing: FILTERED_FRAMING,
    filtered: FILTERED_STATUSES,
    visibility,
    blocks: schema.blocks,
    hasEnds: false,
    ranksByQuery: true,
  };
  const [request, statuses] = parseTogether(
    () => parseListRequest(parameters, scope),
    () => parseStatus(parameters.values("status"), visibility.statuses(collection) ?? []),
  );
  const projection = parseProjection(parameters, {
    collection,
    find: (slug) => visibility.collection(slug),
    blocks: schema.blocks,
    keys: [...DOCUMENT_KEYS, ...RANK_KEYS, ...schema.languages ? LANGUAGE_KEYS : []],
    filters: scope,
  });
  const overlay = draft.release;
  const seen: ListQuery = queryOf(language, {
    ...request.query,
    collections: [collection],
    statuses,
    ...(overlay && { overlay }),
  });
  const query = inCollation(seen, collate, request.query.sort, collection);
  if ((at !== null || overlay !== null) && request.text !== null) {
    const other = at === null ? "release" : "at";
    throw parameterInvalid(`q searches published content and cannot be combined with ${other}`);
  }
  return { collection, visibility, request, projection, query, at, draft, format };
}

/** Whether an answer depends on nothing but the collection's own index, the schema and the query. */
function dependsOnlyOnIndex(
  { request: { text }, projection, query: { where }, at, draft }: ListCall,
): boolean {
  return text === null && at === null && draft.release === null &&
    projection.includes.length === 0 && projection.counts.length === 0 &&
    (where === undefined || targetsOf(where).length === 0);
}

async function select(
  deps: Deps,
  { schema }: BearerCall,
  asked: ListCall,
  past: PastReader,
  version: Entry,
): Promise<{ page: ListPage; words: SearchMatches | null; incomplete?: true }> {
  const { collection, query, request: { text, isRanked, random } } = asked;
  const list = listSource(deps, past, { ...asked, schema }, [version]);
  const inOrder = (wanted: ListQuery): Promise<SourcePage> =>
    random === null ? list(wanted) : randomPage(wanted, randomFrom(random, wanted), list);
  if (text === null) {
    const { incomplete, ...page } = await inOrder(query);
    return { page, words: null, ...(incomplete && { incomplete }) };
  }
  const overlaid = await withOverlay(deps, { ...asked, schema }, query, [version]);
  const { language } = asked.draft;
  const search = { schema, collection, query: overlaid, text, isRanked, language };
  return await searchWithin(deps, search, version, inOrder);
}

/** The random order of a query, which continues behind its own position. */
function randomFrom({ seed }: RandomOrder, { after }: ListQuery): RandomOrder {
  return { seed, ...(after !== undefined && { after }) };
}

function variantTag(parts: readonly unknown[]): string {
  return `"${sha256(JSON.stringify(parts)).slice(0, 32)}"`;
}

/** Serializes a document; a whole document is serialized once and cached. */
function writer(
  deps: Deps,
  { schema }: BearerCall,
  { collection, projection, draft }: ListCall,
  included: Included,
  words: SearchMatches | null,
): (stored: StoredDocument) => string {
  if (isWhole(projection)) {
    const write = (state: DocumentState) => JSON.stringify(toWire(state, collection));
    return (stored) => {
      const shown = shownAs(draft, stored) ?? stored;
      return shown === stored
        ? deps.reader.wireText(stored, schema.stamp, write)
        : write(shown.state);
    };
  }
  const { blocks } = schema;
  return (stored) => {
    const { state } = shownAs(draft, stored) ?? stored;
    const found: Record<string, Json> = words?.keysOf(state, projection.fields) ?? {};
    return JSON.stringify(
      projectedWire(state, collection, { projection, included, blocks }, found),
    );
  };
}
