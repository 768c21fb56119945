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
import { sha256 } from "../../kv/model/sha256.ts";
import { isSlug } from "../../kv/model/slug.ts";
import { Refusal } from "../../kv/refusals.ts";
import { type Entry, keyText } from "../../kv/store/operation.ts";
import type { Deps } from "../deps.ts";
import type { BearerCall, bearerRoutes } from "./bearer.ts";
import { exposedCollection, tagged } from "./collection_call.ts";
import { Parameters } from "../query/parameters.ts";
import { isWhole, parseProjection } from "../query/projection.ts";
import { documentTag, isFresh } from "./etag.ts";
import { loadIncludes } from "./includes.ts";
import { listDocuments } from "./list.ts";
import { projectedWire } from "./projected.ts";
import { TokenSight } from "./sight.ts";
import { json, notModified } from "./respond.ts";

/** Parameters of single reads. */
const READ_PARAMETERS = ["fields", "include", "richText", "draft", "at"] as const;

/** `/api/v1/{collection}…`: list and read. */
export function documentRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const listKeys = (http: HttpContext) => guessKeys(deps, http, indexVersionKey);
  const slugKeys = (http: HttpContext) =>
    isSlug(slugOf(http)) ? guessKeys(deps, http, (id) => slugKey(id, slugOf(http))) : [];
  return new Hono()
    .get(
      "/:collection",
      bearer(
        listKeys,
        (call) => listDocuments(deps, call, ({ id }) => entryOf(deps, call, indexVersionKey(id))),
      ),
    )
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
async function answerDocument(
  deps: Deps,
  call: BearerCall,
  collection: Collection,
  stored: Stored | null,
): Promise<Response> {
  const { http, token, schema, headers } = call;
  if (stored === null || stored.state.collectionId !== collection.id) {
    throw new Refusal("NOT_FOUND");
  }
  const visible = visibleStatuses(token.scopes, collection.slug);
  if (!visible.includes(stored.state.status)) throw new Refusal("NOT_FOUND");
  const variant = await variantOf(deps, call, collection, stored);
  const etag = documentTag(stored, schema.stamp, variant?.tag);
  const more = tagged(etag);
  if (isFresh(http.req.header("if-none-match") ?? null, etag)) return notModified(headers, more);
  return json(variant?.text() ?? wireText(deps, call, collection, stored), headers, more);
}

/** A document in the form that the query asks for; null when it is answered as it always is. */
async function variantOf(
  deps: Deps,
  { http, token, schema }: BearerCall,
  collection: Collection,
  { state }: Stored,
): Promise<{ tag: string; text: () => string } | null> {
  const { search } = new URL(http.req.url);
  if (search === "") return null;
  const parameters = new Parameters(search);
  parameters.refuseMisspelled(READ_PARAMETERS);
  const sight = new TokenSight(token.scopes, schema);
  const find = (slug: string) => sight.collection(slug);
  const projection = parseProjection(parameters, { collection, find, hasRank: false });
  if (isWhole(projection)) return null;
  const included = await loadIncludes(deps, sight, projection.includes, [state]);
  const { blocks } = schema;
  return {
    tag: sha256(`${search} ${included.versions}`).slice(0, 16),
    text: () => JSON.stringify(projectedWire(state, collection, { projection, included, blocks })),
  };
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
