/**
 * Reading documents over the headless API. The order of checks: authentication and quota
 * (`bearer.ts`), collection, scope, query, document.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { isUlid } from "../../kv/model/values/ulid.ts";
import type { CurrentRow } from "../../kv/versioning/entities.ts";
import { PastReader } from "../../kv/history/past_collections.ts";
import type { StoredDocument } from "../../kv/documents/write.ts";
import { currentKey, type Key, slugKey } from "../../kv/keys.ts";
import { indexVersionKey } from "../../kv/index/index_keys.ts";
import { editHeadKey } from "../../kv/live/live_keys.ts";
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import { LANGUAGE_KEYS } from "../../kv/model/languages/seen_language.ts";
import { toWire } from "../../kv/model/input/document_wire.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { isSlug } from "../../kv/model/values/slug.ts";
import { Refusal } from "../../kv/refusals.ts";
import { type Entry, keyText } from "../../kv/store/operation.ts";
import type { Deps } from "../deps/deps.ts";
import type { bearerRoutes } from "./bearer/bearer_routes.ts";
import type { BearerCall } from "./bearer/bearer_call.ts";
import { exposedCollection, tagged } from "./collection_call.ts";
import { includedCollections } from "../query/include.ts";
import { Parameters } from "../query/parameters.ts";
import { DOCUMENT_KEYS, isWhole, parseProjection, type Projection } from "../query/projection.ts";
import { documentTag, isFresh, languageTag, publicDocumentTag } from "./reading/etag.ts";
import { loadIncludes } from "./reading/includes.ts";
import { listDocuments } from "./reading/list.ts";
import { projectedWire } from "./reading/projected.ts";
import { type ListSource, targetSource } from "./reading/list_source.ts";
import { readHeader } from "./respond.ts";
import { FILTERED_FRAMING } from "../query/filter_target.ts";
import { FILTERED_STATUSES } from "../query/status.ts";
import { historyRoutes } from "./reading/history.ts";
import {
  type DraftView,
  draftViewOf,
  shownAs,
  viewOf,
  withDraftView,
} from "./reading/draft_view.ts";
import { LANGUAGE_PARAMETERS, type LanguageRequest, parseLanguage } from "./reading/language.ts";
import { findByLanguageSlug, hasSlug } from "./reading/language_slug.ts";
import type { TokenVisibility } from "./reading/token_visibility.ts";
import {
  documentAt,
  parseAt,
  type PastScope,
  pastView,
  presentView,
  type Viewpoint,
} from "./reading/viewpoint.ts";
import { json, notModified } from "./respond.ts";
import { pathParameter } from "../input/path_parameter.ts";

/** Parameters of single reads. */
const READ_PARAMETERS = [
  "fields",
  "include",
  "counts",
  "richText",
  "draft",
  "release",
  "at",
] as const;

const PREVIEWED = { previews: true };

/** `/api/v1/{collection}…`: list and read. */
export function documentRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const listKeys = (http: HttpContext) => {
    const guess = (id: string) => {
      deps.content.index.prefetchIfRecentlyChanged(id);
      return indexVersionKey(id);
    };
    return [...guessKeys(deps, http, guess), ...includeKeys(deps, http)];
  };
  const slugKeys = (http: HttpContext) =>
    isSlug(slugOf(http), "unicode")
      ? [...guessKeys(deps, http, (id) => slugKey(id, slugOf(http))), ...includeKeys(deps, http)]
      : [];
  const documentKeys = (http: HttpContext) => {
    const id = http.req.param("id");
    return isUlid(id) ? [currentKey("document", id), ...includeKeys(deps, http)] : [];
  };
  const onProvisional = (http: HttpContext, { bySlug }: Schema) => {
    const { index, context } = deps.content;
    const collection = bySlug.get(pathParameter(http, "collection"));
    if (collection === undefined) return [];
    index.renew(collection.id);
    return [context.store.get(indexVersionKey(collection.id))];
  };
  const past = new PastReader(deps.content);
  return new Hono()
    .get(
      "/:collection",
      bearer(listKeys, (call) => {
        const readVersion = ({ id }: Collection) => entryOf(deps, call, indexVersionKey(id));
        return listDocuments(deps, call, past, readVersion);
      }, { onProvisional }),
    )
    .get(
      "/:collection/by-slug/:slug",
      bearer(slugKeys, (call) => readBySlug(deps, past, call), PREVIEWED),
    )
    .get(
      "/:collection/:id",
      bearer(documentKeys, (call) => readDocument(deps, past, call), PREVIEWED),
    )
    .route("/", historyRoutes(deps, past, bearer));
}

/** A write also needs to know whether an editor has pending live edits in the document. */
export function keysOfWrite(http: HttpContext) {
  const id = http.req.param("id");
  return isUlid(id) ? [currentKey("document", id), editHeadKey(id)] : [];
}

/**
 * A key of the collection of the path, by the schema that this process saw last. A guess: the entry
 * counts only if it turns out to be the one that is asked for.
 */
export function guessKeys({ content }: Deps, http: HttpContext, keyOf: (id: string) => Key): Key[] {
  const collection = content.schema.known?.bySlug.get(pathParameter(http, "collection"));
  return collection === undefined ? [] : [keyOf(collection.id)];
}

/** The index versions of included collections, guessed in the same way. */
function includeKeys({ content: { schema: { known } } }: Deps, http: HttpContext): Key[] {
  const names = (http.req.queries("include") ?? []).filter((value) => !value.startsWith("{"))
    .flatMap((value) => value.split(","));
  const collection = known?.bySlug.get(pathParameter(http, "collection"));
  if (names.length === 0 || known === null || collection === undefined) return [];
  const scope = { find: (slug: string) => known.bySlug.get(slug), blocks: known.blocks };
  const targets = includedCollections(names, collection, scope);
  return [...targets].map(({ id }) => indexVersionKey(id));
}

/** The entry of a key: read with the token when the guess was right, now when it was not. */
async function entryOf<T>({ content }: Deps, { entries }: BearerCall, key: Key): Promise<Entry<T>> {
  const guessed = entries.find((entry) => keyText(entry.key) === keyText(key));
  return (guessed ?? await content.context.store.get(key)) as Entry<T>;
}

function slugOf(http: HttpContext): string {
  return pathParameter(http, "slug").normalize("NFC");
}

async function readDocument(deps: Deps, past: PastReader, call: BearerCall): Promise<Response> {
  const read = await parseReadCall(deps, past, call);
  const [entry] = call.entries as [Entry<CurrentRow> | undefined];
  if (entry === undefined) throw new Refusal("NOT_FOUND");
  const id = entry.key[2] as string;
  const stored = read.at === null
    ? await deps.reader.ofEntry(id, entry)
    : await documentAt(deps, past, pastScope(call, read), id, read.at);
  return answerDocument(deps, call, read, stored);
}

async function readBySlug(deps: Deps, past: PastReader, call: BearerCall): Promise<Response> {
  const read = await parseReadCall(deps, past, call);
  const { collection, at, draft: { release } } = read;
  const slug = slugOf(call.http);
  if (!isSlug(slug, "unicode")) throw new Refusal("NOT_FOUND");
  if (at !== null) {
    return answerDocument(deps, call, read, await findBySlugAt(deps, past, call, { ...read, at }));
  }
  if (read.draft.language?.view != null && collection.localized) {
    return answerDocument(
      deps,
      call,
      read,
      await findByLanguageSlug(deps, call.schema, read, slug),
    );
  }
  const entry = await entryOf<string>(deps, call, slugKey(collection.id, slug));
  const stored = await deps.reader.findBySlug(collection.id, slug, entry);
  const found = release === null
    ? await findDraftBySlug(deps, call, read, slug, stored)
    : release.findBySlug(collection.id, slug) ?? ifSlugMatches(slug, release.seen(stored));
  return answerDocument(deps, call, read, found);
}

/**
 * The document that had a slug at an instant; the one that has it today if history does not know.
 */
async function findBySlugAt(
  deps: Deps,
  past: PastReader,
  call: BearerCall,
  read: ReadCall & { at: number },
): Promise<StoredDocument | null> {
  const { collection, at, draft: { draft } } = read;
  const slug = slugOf(call.http);
  const { rows, drafts } = await past.at(call.schema, at, [collection]);
  const find = (id: string) => documentAt(deps, past, pastScope(call, read), id, at);
  for (const from of draft ? [drafts, rows] : [rows]) {
    // A document in the trash may have had the same slug.
    const row = from.get(collection.id)?.find((row) =>
      hasSlug(row, slug, read) && row.status !== "trashed"
    );
    if (row !== undefined) return await find(row.id);
  }
  if (read.draft.language?.view != null) return null;
  const today = await deps.reader.findBySlug(collection.id, slug);
  return today && ifSlugMatches(slug, await find(today.state.id));
}

function pastScope({ schema }: BearerCall, { collection, visibility }: ReadCall): PastScope {
  return {
    schema,
    collection,
    canSeeDrafts: visibility.canSeeDraftsOf({ collectionId: collection.id }),
  };
}

/** The document that has a slug where drafts are shown; its public address leads to it, too. */
async function findDraftBySlug(
  { drafts, reader }: Deps,
  { schema }: BearerCall,
  { collection, draft }: ReadCall,
  slug: string,
  stored: StoredDocument | null,
): Promise<StoredDocument | null> {
  if (!draft.draft) return stored;
  const isHere = (one: StoredDocument | null) =>
    one !== null && withDraftView(draft, one).state.slug === slug;
  if (draft.only !== null) {
    const only = await reader.find(draft.only);
    return isHere(only) ? only : stored;
  }
  if (isHere(stored)) return stored;
  return await drafts.findBySlug(schema, collection, slug) ?? stored;
}

/** A document unless its slug is another one. */
function ifSlugMatches(slug: string, stored: StoredDocument | null): StoredDocument | null {
  return stored?.state.slug === slug ? stored : null;
}

/** A single read, as it was asked for. */
interface ReadCall {
  collection: Collection;
  visibility: TokenVisibility;
  projection: Projection;
  /** The end of a second in the past; null for now. */
  at: number | null;
  view: Viewpoint;
  list: ListSource;
  draft: DraftView;
  search: string;
}

/** The collection and the query of a single read; a scope that is missing hides the document. */
async function parseReadCall(deps: Deps, past: PastReader, call: BearerCall): Promise<ReadCall> {
  const { http, schema } = call;
  const collection = exposedCollection(call);
  requireReadScope(call, collection);
  const { search } = new URL(http.req.url);
  const parameters = new Parameters(search);
  parameters.refuseMisspelled([
    ...READ_PARAMETERS,
    ...schema.languages ? LANGUAGE_PARAMETERS : [],
  ]);
  const at = parseAt(parameters, deps.content.context.now() / 1000);
  const drafts = await draftViewOf(deps, call, collection, parameters, "NOT_FOUND");
  const { release } = drafts;
  const isPublic = release !== null;
  const visibility = call.visibility.narrowed({ isPast: at !== null, isPublic });
  if (at !== null && !visibility.can(collection.slug, "read-history")) {
    throw new Refusal("NOT_FOUND");
  }
  const inScope = { collection, visibility, schema, draft: drafts, isList: false };
  const draft = { ...drafts, language: parseLanguage(parameters, inScope) };
  const find = (slug: string) => visibility.collection(slug);
  const { blocks } = schema;
  const filters = { framing: FILTERED_FRAMING, filtered: FILTERED_STATUSES, visibility, blocks };
  const keys = [...DOCUMENT_KEYS, ...schema.languages ? LANGUAGE_KEYS : []];
  const projection = parseProjection(parameters, { collection, find, blocks, keys, filters });
  const there = at === null ? presentView(deps, call.entries) : pastView(deps, schema, past, at);
  const view = viewOf(there, draft, visibility);
  const list = targetSource(deps, past, { schema, visibility, draft, at }, call.entries);
  return { collection, visibility, projection, at, view, list, draft, search };
}

/** Responds with a document if the token may see it, otherwise with NOT_FOUND. */
async function answerDocument(
  deps: Deps,
  call: BearerCall,
  read: ReadCall,
  stored: StoredDocument | null,
): Promise<Response> {
  const { http, schema, headers } = call;
  const { collection } = read;
  const shown = stored && shownAs(read.draft, stored);
  if (stored === null || shown === null || !isVisible(read, shown.state)) {
    throw new Refusal("NOT_FOUND");
  }
  const { release, draft, language } = read.draft;
  const isDraft = shown !== stored || release !== null;
  const variant = await variantOf(call, read, shown);
  const seenAs = release?.name ?? (draft ? "draft" : undefined);
  const text = () =>
    variant?.text() ??
      (isDraft
        ? JSON.stringify(toWire(shown.state, collection))
        : wireText(deps, call, collection, stored));
  if (language !== null) return answerInLanguage(call, read, stored, language, text());
  const shownText = showsVersions(call, collection) ? null : text();
  const etag = shownText === null
    ? documentTag(stored, schema.stamp, variant?.tag ?? seenAs)
    : publicDocumentTag(stored.state, read.search, shownText);
  const more = { ...tagged(etag), ...readHeader(1 + (variant?.read ?? 0)) };
  if (isFresh(http.req.header("if-none-match") ?? null, etag)) return notModified(headers, more);
  return json(shownText ?? text(), headers, more);
}

/** A document in a language: its tag changes with what is shown, and names what `If-Match` compares. */
function answerInLanguage(
  { http, headers, schema }: BearerCall,
  { search, collection }: ReadCall,
  stored: StoredDocument,
  { view }: LanguageRequest,
  text: string,
): Response {
  const shown = `${search}\n${text}`;
  const etag = view === null
    ? documentTag(stored, schema.stamp, sha256(shown).slice(0, 16))
    : languageTag(stored.state, collection, view.code, shown);
  const more = tagged(etag);
  if (isFresh(http.req.header("if-none-match") ?? null, etag)) return notModified(headers, more);
  return json(text, headers, more);
}

/**
 * Whether tags may name versions, which change with working copies, too: to tokens that see those, and to
 * tokens that write, whose `If-Match` is about the newest version.
 */
function showsVersions({ visibility, preview }: BearerCall, { slug }: Collection): boolean {
  const { statuses, canWrite } = visibility.access(slug);
  return preview !== null || canWrite || statuses.includes("draft");
}

/** Whether this read may see the document. A preview sees only its own, whatever its status. */
function isVisible(
  { collection, visibility, draft: { only } }: ReadCall,
  state: DocumentState,
): boolean {
  if (only === null) return visibility.collectionOf(state)?.id === collection.id;
  return only === state.id && state.collectionId === collection.id && state.status !== "trashed";
}

/** A document in the form that the query asks for; null when it is answered as it always is. */
async function variantOf(
  { schema: { blocks } }: BearerCall,
  { collection, visibility, projection, at, view, list, draft, search }: ReadCall,
  { state }: StoredDocument,
): Promise<{ tag: string; text: () => string; read: number } | null> {
  if (isWhole(projection) && at === null) return null;
  const included = await loadIncludes({ view, visibility, list }, projection, [state]);
  return {
    read: included.read,
    tag: sha256(`${search} ${included.versions} ${draft.release?.name ?? ""}`).slice(0, 16),
    text: () => JSON.stringify(projectedWire(state, collection, { projection, included, blocks })),
  };
}

/** A single-document read without the scope does not reveal that the document exists. */
function requireReadScope({ visibility }: BearerCall, { slug }: Collection): void {
  if (!visibility.can(slug, "read")) throw new Refusal("NOT_FOUND");
}

function wireText(
  deps: Deps,
  call: BearerCall,
  collection: Collection,
  stored: StoredDocument,
): string {
  return deps.reader.wireText(
    stored,
    call.schema.stamp,
    (state) => JSON.stringify(toWire(state, collection)),
  );
}
