/**
 * Reading documents over the headless API. The order of checks: authentication and quota
 * (`bearer.ts`), collection, scope, query, document.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { isUlid } from "../../kv/model/ulid.ts";
import type { LiveRow } from "../../kv/entities.ts";
import type { Stored } from "../../kv/documents/write.ts";
import { indexVersionKey, type Key, liveKey, slugKey } from "../../kv/keys.ts";
import { editHeadKey } from "../../kv/live/live_keys.ts";
import type { Collection } from "../../kv/model/collection.ts";
import { toWire } from "../../kv/model/document_wire.ts";
import { visibleStatuses } from "../../kv/model/scope.ts";
import { isSlug } from "../../kv/model/slug.ts";
import { Refusal } from "../../kv/refusals.ts";
import { type Entry, keyText } from "../../kv/store/operation.ts";
import type { Deps } from "../deps.ts";
import { asRefusal } from "../refusal_response.ts";
import { logFault } from "../request_log.ts";
import type { BearerCall, bearerRoutes } from "./bearer.ts";
import { exposedCollection, requireScope, tagged } from "./collection_call.ts";
import { documentTag, isFresh, listTag } from "./etag.ts";
import { listBody } from "./list_body.ts";
import { parseFilters, parsePaging, parseSort, parseStatus } from "./list_query.ts";
import { json, notModified } from "./respond.ts";

/** `/api/v1/{collection}…`: list and read. */
export function documentRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const listKeys = (http: HttpContext) => guessKeys(deps, http, indexVersionKey);
  const slugKeys = (http: HttpContext) =>
    isSlug(slugOf(http)) ? guessKeys(deps, http, (id) => slugKey(id, slugOf(http))) : [];
  return new Hono()
    .get("/:collection", bearer(listKeys, (call) => listDocuments(deps, call)))
    .get("/:collection/by-slug/:slug", bearer(slugKeys, (call) => readBySlug(deps, call)))
    .get("/:collection/:id", bearer(documentKeys, (call) => readDocument(deps, call)));
}

/** The document of the path. */
export function documentKeys(http: HttpContext) {
  const id = http.req.param("id");
  return isUlid(id) ? [liveKey("document", id)] : [];
}

/** A write also asks whether somebody is typing into the document. */
export function writtenKeys(http: HttpContext) {
  const id = http.req.param("id");
  return isUlid(id) ? [liveKey("document", id), editHeadKey(id)] : [];
}

/**
 * A key of the collection of the path, by the schema that this process saw last. A guess: the entry
 * counts only if it turns out to be the one that is asked for.
 */
export function guessKeys({ content }: Deps, http: HttpContext, keyOf: (id: string) => Key): Key[] {
  const collection = content.schema.known?.bySlug.get(http.req.param("collection")!);
  return collection === undefined ? [] : [keyOf(collection.id)];
}

/** The entry of a key: read with the token when the guess was right, now when it was not. */
async function entryOf<T>({ content }: Deps, { entries }: BearerCall, key: Key): Promise<Entry<T>> {
  const guessed = entries.find((entry) => keyText(entry.key) === keyText(key));
  return (guessed ?? await content.context.store.get(key)) as Entry<T>;
}

function slugOf(http: HttpContext): string {
  return http.req.param("slug")!;
}

async function listDocuments(deps: Deps, call: BearerCall): Promise<Response> {
  const { http, schema, headers, token } = call;
  const collection = exposedCollection(call);
  requireScope(call, collection, "read");
  const { search, searchParams: query } = new URL(http.req.url);
  const visible = visibleStatuses(token.scopes, collection.slug);
  const paging = parsePaging(query);
  const sort = parseSort(query, collection);
  const statuses = parseStatus(query, visible);
  const filters = parseFilters(search, collection);
  const version = await entryOf(deps, call, indexVersionKey(collection.id));
  const etag = listTag(version.versionstamp, schema.stamp, visible, search);
  if (isFresh(http.req.header("if-none-match") ?? null, etag)) {
    return notModified(headers, { etag });
  }

  const offset = (paging.page - 1) * paging.perPage;
  const page = await deps.content.index.list(
    { collections: [collection], statuses, filters, sort, offset, limit: paging.perPage },
    [version],
  );
  const body = listBody({
    listed: await deps.reader.listedOfPage(page),
    meta: { ...paging, total: page.total },
    write: (stored) => wireText(deps, call, collection, stored),
    failed: (error) => logFault(deps.content.context.log, http, asRefusal(error)),
  });
  return json(body, headers, { etag });
}

async function readDocument(deps: Deps, call: BearerCall): Promise<Response> {
  const collection = exposedCollection(call);
  requireReadScope(call, collection);
  const [entry] = call.entries as [Entry<LiveRow> | undefined];
  if (entry === undefined) throw new Refusal("NOT_FOUND");
  const stored = await deps.reader.ofEntry(entry.key[2] as string, entry);
  return answerDocument(deps, call, collection, stored);
}

async function readBySlug(deps: Deps, call: BearerCall): Promise<Response> {
  const collection = exposedCollection(call);
  requireReadScope(call, collection);
  const slug = slugOf(call.http);
  if (!isSlug(slug)) throw new Refusal("NOT_FOUND");
  const { value: id } = await entryOf<string>(deps, call, slugKey(collection.id, slug));
  const stored = id === null ? null : await deps.reader.find(id);
  // Between the two reads the document may have given up the slug.
  return answerDocument(deps, call, collection, stored?.state.slug === slug ? stored : null);
}

/** Answers a document that the token may see; any other is not there. */
function answerDocument(
  deps: Deps,
  call: BearerCall,
  collection: Collection,
  stored: Stored | null,
): Response {
  const { http, token, schema, headers } = call;
  if (stored === null || stored.state.collectionId !== collection.id) {
    throw new Refusal("NOT_FOUND");
  }
  const visible = visibleStatuses(token.scopes, collection.slug);
  if (!visible.includes(stored.state.status)) throw new Refusal("NOT_FOUND");
  const etag = documentTag(stored, schema.stamp);
  const more = tagged(etag);
  if (isFresh(http.req.header("if-none-match") ?? null, etag)) return notModified(headers, more);
  return json(wireText(deps, call, collection, stored), headers, more);
}

/** A single-document read without the scope does not tell that the document exists. */
function requireReadScope({ token }: BearerCall, { slug }: Collection): void {
  if (visibleStatuses(token.scopes, slug).length === 0) throw new Refusal("NOT_FOUND");
}

function wireText(deps: Deps, call: BearerCall, collection: Collection, stored: Stored): string {
  return deps.reader.wireText(
    stored,
    call.schema.stamp,
    (state) => JSON.stringify(toWire(state, collection)),
  );
}
