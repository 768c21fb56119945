/**
 * Writing documents over the headless API. The order of checks: authentication and quota (`bearer.ts`),
 * body size and type, collection, scope, repetition, body, document.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import type { IdempotencyRecord, IdempotentRequest } from "../../../kv/documents/idempotency.ts";
import {
  type Body,
  createDocument,
  type DocumentWriteOptions,
  patchDocument,
  trashDocument,
} from "../../../kv/documents/documents.ts";
import { upsertDocument } from "../../../kv/documents/upsert.ts";
import type { StoredDocument } from "../../../kv/documents/write.ts";
import { slugKey } from "../../../kv/keys.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { toWire } from "../../../kv/model/input/document_wire.ts";
import { isSlug } from "../../../kv/model/values/slug.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Deps } from "../../deps/deps.ts";
import { parseJsonObject, readJsonBytes } from "../../input/body.ts";
import { dryRunOf, refuseDryRun } from "../../query/dry_run.ts";
import { parameterInvalid } from "../../query/parameters.ts";
import type { bearerRoutes } from "../bearer/bearer_routes.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";
import { actorOf, exposedCollection, requireScope, tagged } from "../collection_call.ts";
import { guessKeys, keysOfWrite } from "../documents.ts";
import { documentTag, versionCondition } from "../reading/etag.ts";
import { Idempotency, idempotencyKeys, replayedHeaders } from "./idempotency.ts";
import { json } from "../respond.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** A write that may proceed: whose collection, with which body. */
interface WriteCall extends BearerCall {
  collection: Collection;
  bytes: Uint8Array;
}

/** The result of a write. */
interface WriteAnswer {
  stored: StoredDocument;
  status: 200 | 201;
}

/** `/api/v1/{collection}…`: create, change, create or change by slug, trash. */
export function documentWriteRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const idempotency = new Idempotency(deps.content.context);
  const slugKeys = (http: HttpContext) => {
    const slug = pathParameter(http, "slug");
    return isSlug(slug, "unicode") ? guessKeys(deps, http, (id) => slugKey(id, slug)) : [];
  };
  /** A route whose body is a document, and whose answer is one. */
  const documentRoute = (
    keys: (http: HttpContext) => ReturnType<typeof idempotencyKeys>,
    write: (call: WriteCall, options: DocumentWriteOptions) => Promise<WriteAnswer>,
  ) =>
    bearer(keys, async (call) => {
      const opened = await openWrite(call);
      return await idempotency.once(
        call,
        opened.bytes,
        async (request) => {
          const options = writeOptions(call, request);
          return await answer(deps, call, await write(opened, options), options);
        },
        (record) => replay(deps, opened, record),
      );
    }, { absent: idempotencyKeys, optimistic: (http) => http.req.query("dryRun") === undefined });
  return new Hono()
    .post("/:collection", documentRoute(() => [], (call, options) => create(deps, call, options)))
    .patch(
      "/:collection/:id",
      documentRoute(keysOfWrite, (call, options) => patch(deps, call, options)),
    )
    .put(
      "/:collection/by-slug/:slug",
      documentRoute(slugKeys, (call, options) => put(deps, call, options)),
    )
    .delete(
      "/:collection/:id",
      bearer(
        (http) => [...keysOfWrite(http), ...idempotencyKeys(http)],
        (call) => deleteDocument(deps, call, idempotency),
      ),
    );
}

async function openWrite(call: BearerCall): Promise<WriteCall> {
  const bytes = await bodyBytes(call.http);
  const collection = exposedCollection(call);
  requireScope(call, collection, "write");
  return { ...call, collection, bytes };
}

/** The body can be read only once, even if the request starts again. */
export async function bodyBytes(http: HttpContext): Promise<Uint8Array> {
  const received = http.get("bodyBytes") as Promise<Uint8Array> | undefined;
  if (received !== undefined) return await received;
  const receiving = readJsonBytes(http.req.raw);
  http.set("bodyBytes", receiving);
  return await receiving;
}

function bodyOf({ bytes }: WriteCall): Body {
  return parseJsonObject(bytes);
}

async function create(
  deps: Deps,
  call: WriteCall,
  options: DocumentWriteOptions,
): Promise<WriteAnswer> {
  const { slug } = call.collection;
  const body = bodyOf(call);
  return {
    stored: await createDocument(deps.content, actorOf(call), slug, body, options),
    status: 201,
  };
}

async function patch(
  deps: Deps,
  call: WriteCall,
  options: DocumentWriteOptions,
): Promise<WriteAnswer> {
  const inCollection = { ...options, collection: call.collection.slug };
  const id = pathParameter(call.http, "id");
  const body = bodyOf(call);
  return {
    stored: await patchDocument(deps.content, actorOf(call), id, body, inCollection),
    status: 200,
  };
}

async function put(
  deps: Deps,
  call: WriteCall,
  options: DocumentWriteOptions,
): Promise<WriteAnswer> {
  const createOnly = call.http.req.header("if-none-match")?.trim() === "*";
  const slug = pathParameter(call.http, "slug");
  const stored = await upsertDocument(
    deps.content,
    actorOf(call),
    call.collection.slug,
    slug,
    bodyOf(call),
    { ...options, createOnly },
  );
  return { stored, status: stored.created ? 201 : 200 };
}

async function deleteDocument(
  deps: Deps,
  call: BearerCall,
  idempotency: Idempotency,
): Promise<Response> {
  const collection = exposedCollection(call);
  requireScope(call, collection, "write");
  refuseDryRun(call.http.req.queries(), "DELETE");
  const empty = (headers: Record<string, string>) =>
    new Response(null, { status: 204, headers: { ...call.headers, ...headers } });
  return await idempotency.once(call, new Uint8Array(), async (request) => {
    const options = { ...writeOptions(call, request), collection: collection.slug };
    await trashDocument(deps.content, actorOf(call), pathParameter(call.http, "id"), options);
    return empty({});
  }, () => Promise.resolve(empty(replayedHeaders(call))));
}

/** The write may have been decided by a newer schema than the request began with. */
async function answer(
  deps: Deps,
  call: BearerCall,
  { stored, status }: WriteAnswer,
  { dryRun }: DocumentWriteOptions,
  more: Record<string, string> = {},
): Promise<Response> {
  const schema = await deps.content.schema.latest();
  const collection = schema.byId.get(stored.state.collectionId)!;
  const text = JSON.stringify(toWire(stored.state, collection));
  // A dry run has neither a location nor a tag.
  if (dryRun) return json(text, call.headers, { "cache-control": "no-store" });
  const location = `/api/v1/${collection.slug}/${stored.state.id}`;
  return json(text, call.headers, {
    ...tagged(documentTag(stored, schema.stamp)),
    ...(status === 201 && { location }),
    ...more,
  }, status);
}

/** Replays the response of an earlier request: the version that it wrote, while that is stored. */
async function replay(
  deps: Deps,
  call: WriteCall,
  { id, n, created }: IdempotencyRecord,
): Promise<Response> {
  const stored = await deps.reader.atVersion(id, n) ?? await deps.reader.find(id);
  if (stored === null) throw new Refusal("NOT_FOUND");
  return await answer(
    deps,
    call,
    { stored, status: created ? 201 : 200 },
    {},
    replayedHeaders(call),
  );
}

function writeOptions({ http, known, assumption }: BearerCall, request?: IdempotentRequest) {
  const precondition = versionCondition(http.req.header("if-match") ?? null);
  const dryRun = isDryRun(http);
  const options: DocumentWriteOptions = {
    known,
    ...(assumption && { assumption }),
    ...(precondition && { precondition }),
    // A dry run writes nothing that a repetition could write twice.
    ...(dryRun ? { dryRun, leaveEdits: true } : request && { idempotent: request }),
  };
  return options;
}

/** Whether a write is only tried. */
export function isDryRun(http: HttpContext): boolean {
  const dryRun = dryRunOf(http.req.queries());
  if (dryRun === undefined) {
    throw parameterInvalid("dryRun must be true or false, and given only once");
  }
  return dryRun;
}
