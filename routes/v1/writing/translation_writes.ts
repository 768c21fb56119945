/**
 * `/api/v1/{collection}/{id}/translations…`: the translations of a document, read and written one by one.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { IdempotentRequest } from "../../../kv/documents/idempotency.ts";
import {
  refuseLanguage,
  type TranslationWriteOptions,
  writeTranslation,
} from "../../../kv/documents/translations/translations.ts";
import { removeTranslation } from "../../../kv/documents/translations/translation_removal.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import type { SiteLanguages } from "../../../kv/model/languages/language.ts";
import { ownWire, translationRows } from "../../../kv/model/languages/translation_view.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Deps } from "../../deps/deps.ts";
import { parseJsonObject } from "../../input/body.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { refuseDryRun } from "../../query/dry_run.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";
import type { bearerRoutes } from "../bearer/bearer_routes.ts";
import {
  actorOf,
  exposedCollection,
  requireScope,
  tagged,
  textAnswer,
} from "../collection_call.ts";
import { keysOfWrite } from "../documents.ts";
import { isFresh, languageCondition, languageTag } from "../reading/etag.ts";
import { knownLanguages } from "../reading/language.ts";
import { json, notModified } from "../respond.ts";
import { bodyBytes, isDryRun } from "./document_writes.ts";
import { Idempotency, idempotencyKeys, replayedHeaders } from "./idempotency.ts";

/** The routes of translations. */
export function translationRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const idempotency = new Idempotency(deps.content.context);
  const write = (replaces: boolean) =>
    bearer(keysOfWrite, async (call) => {
      const bytes = await bodyBytes(call.http);
      const collection = writableCollection(call);
      return await idempotency.once(
        call,
        bytes,
        async (request) => {
          const options = { ...writeOptions(call, collection, request), replaces };
          const { id, code } = pathOf(call);
          const body = parseJsonObject(bytes);
          const { content } = deps;
          const written = await writeTranslation(content, actorOf(call), id, code, body, options);
          const status = written.created ? 201 : 200;
          return answer(call, written.state, written.collection, {
            status,
            dryRun: isDryRun(call.http),
          });
        },
        async ({ id, n, created }) => {
          const stored = await deps.reader.atVersion(id, n) ?? await deps.reader.find(id);
          if (stored === null) throw new Refusal("NOT_FOUND");
          const how = { status: created ? 201 : 200, more: replayedHeaders(call) } as const;
          return answer(call, stored.state, collection, how);
        },
      );
    }, { absent: idempotencyKeys });
  return new Hono()
    .get("/:collection/:id/translations", bearer(keysOfWrite, (call) => list(deps, call)))
    .get("/:collection/:id/translations/:language", bearer(keysOfWrite, (call) => read(deps, call)))
    .put("/:collection/:id/translations/:language", write(true))
    .patch("/:collection/:id/translations/:language", write(false))
    .delete(
      "/:collection/:id/translations/:language",
      bearer(
        (http) => [...keysOfWrite(http), ...idempotencyKeys(http)],
        (call) => remove(deps, call, idempotency),
      ),
    );
}

function pathOf({ http }: BearerCall): { id: string; code: string } {
  return { id: pathParameter(http, "id"), code: pathParameter(http, "language") };
}

/** The collection of a write; without languages there is no such route. */
function writableCollection(call: BearerCall): Collection {
  siteLanguagesOf(call);
  const collection = exposedCollection(call);
  requireScope(call, collection, "write");
  return collection;
}

function siteLanguagesOf({ schema: { languages } }: BearerCall): SiteLanguages {
  if (languages === undefined) throw new Refusal("NOT_FOUND");
  return languages;
}

/** A document whose languages are read, and who reads them. */
async function documentOf(deps: Deps, call: BearerCall) {
  const languages = siteLanguagesOf(call);
  const collection = exposedCollection(call);
  const statuses = call.visibility.statuses(collection);
  const id = pathParameter(call.http, "id");
  const stored = statuses !== null && isUlid(id) ? await deps.reader.find(id) : null;
  if (stored?.state.collectionId !== collection.id) throw new Refusal("NOT_FOUND");
  const drafts = statuses?.includes("draft") ?? false;
  const known = knownLanguages(languages, collection, drafts);
  if (stored.state.status === "trashed" && !statuses?.includes("trashed")) {
    throw new Refusal("NOT_FOUND");
  }
  return {
    collection,
    state: stored.state,
    drafts,
    isKnown: (code: string) => known.includes(code),
  };
}

async function list(deps: Deps, call: BearerCall): Promise<Response> {
  const { collection, state, ...reader } = await documentOf(deps, call);
  const data = translationRows(state, collection, reader);
  if (data.length === 0) throw new Refusal("NOT_FOUND");
  return textAnswer(call, JSON.stringify({ data }));
}

async function read(deps: Deps, call: BearerCall): Promise<Response> {
  const { collection, state, drafts, isKnown } = await documentOf(deps, call);
  const { code } = pathOf(call);
  const wire = isKnown(code) ? ownWire(state, collection, code) : null;
  if (wire === null || (!drafts && wire.status !== "published")) throw new Refusal("NOT_FOUND");
  return answer(call, state, collection, { status: 200 });
}

async function remove(deps: Deps, call: BearerCall, idempotency: Idempotency): Promise<Response> {
  const collection = writableCollection(call);
  refuseDryRun(call.http.req.queries(), "DELETE");
  const { id, code } = pathOf(call);
  const empty = (headers: Record<string, string>) =>
    new Response(null, { status: 204, headers: { ...call.headers, ...headers } });
  return await idempotency.once(call, new Uint8Array(), async (request) => {
    const options = writeOptions(call, collection, request);
    await removeTranslation(deps.content, actorOf(call), id, code, options);
    return empty({});
  }, () => Promise.resolve(empty(replayedHeaders(call))));
}

function writeOptions(
  call: BearerCall,
  collection: Collection,
  request?: IdempotentRequest,
): TranslationWriteOptions {
  const { http, known } = call;
  const { code } = pathOf(call);
  const { languages } = call.schema;
  if (!languages?.byCode.has(code)) throw new Refusal("NOT_FOUND");
  refuseLanguage(collection, code);
  const condition = languageCondition(http.req.header("if-match") ?? null, code);
  const dryRun = isDryRun(http);
  return {
    known,
    collection: collection.slug,
    ...(condition && { condition }),
    ...(dryRun ? { dryRun, leaveEdits: true } : request && { idempotent: request }),
  };
}

/** A translation as the API shows it. */
function answer(
  call: BearerCall,
  state: DocumentState,
  collection: Collection,
  { status, dryRun = false, more = {} }: {
    status: 200 | 201;
    dryRun?: boolean;
    more?: Record<string, string>;
  },
): Response {
  const { code } = pathOf(call);
  const text = JSON.stringify(ownWire(state, collection, code));
  if (dryRun) return json(text, call.headers, { "cache-control": "no-store" });
  const etag = languageTag(state, collection, code, text);
  const headers = { ...tagged(etag), ...more };
  const isRead = call.http.req.method === "GET";
  if (isRead && isFresh(call.http.req.header("if-none-match") ?? null, etag)) {
    return notModified(call.headers, headers);
  }
  const location = `/api/v1/${collection.slug}/${state.id}/translations/${code}`;
  return json(text, call.headers, { ...headers, ...(status === 201 && { location }) }, status);
}
