/**
 * Media written by programs: uploaded as a form or fetched from an address, described, deleted. The order of
 * checks: authentication and quota (`bearer.ts`), size and type of a JSON body, scope, repetition, body, medium.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { IdempotencyRecord, IdempotentRequest } from "../../../kv/documents/idempotency.ts";
import {
  createMedia,
  deleteMedia,
  findMedia,
  type MediaWriteOptions,
  mediumAtVersion,
  patchMedia,
} from "../../../kv/media/media.ts";
import { discard } from "../../../kv/media/discard.ts";
import { refusePublicUse } from "../../../kv/media/public_uses.ts";
import type { Upload } from "../../../kv/media/upload.ts";
import { MediaPatch, type MediaState } from "../../../kv/model/entities/media.ts";
import type { JsonObject } from "../../../kv/model/values/json_object.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { withoutLanguageKeys } from "../../../kv/model/input/language_keys.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import { keyText } from "../../../kv/store/operation.ts";
import type { Deps } from "../../deps/deps.ts";
import { parseJsonObject, readJsonBytes } from "../../input/body.ts";
import { refuseDryRun } from "../../query/dry_run.ts";
import { downloadMedia, MediaAddress } from "../../input/media_download.ts";
import { storeOptions } from "../../input/media_types.ts";
import { type Received, receiveMedia } from "../../input/media_upload.ts";
import { refuseUnknownAlts } from "../../../kv/media/description.ts";
import type { bearerRoutes } from "../bearer/bearer_routes.ts";
import type { BearerCall } from "../bearer/bearer_call.ts";
import { actorOf } from "../collection_call.ts";
import { Idempotency, idempotencyKeys, replayedHeaders } from "./idempotency.ts";
import { answerMedium, mediumCondition, mediumIdOf, requireMedia } from "../media_call.ts";
import { MEDIUM_READ_ONLY } from "../media_view.ts";

const Patch = MediaPatch.pick({
  alt: true,
  alts: true,
  filename: true,
  focus: true,
  private: true,
});

/** Upload, change, delete. */
export function mediaWriteRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const { context } = deps.content;
  const idempotency = new Idempotency(context);
  /** A route that reads its body, unless it is a form, before it checks the scope. */
  const route = (work: (call: BearerCall, bytes: Uint8Array) => Promise<Response>) =>
    bearer(idempotencyKeys, async (call) => {
      const { method, raw } = call.http.req;
      const hasNone = method === "DELETE" || isForm(raw);
      const bytes = hasNone ? new Uint8Array() : await readJsonBytes(raw);
      requireMedia(call, "write");
      refuseDryRun(call.http.req.queries(), "a medium");
      return await work(call, bytes);
    });
  return new Hono()
    .post("/media", route((call, bytes) => upload(deps, call, bytes, idempotency)))
    .patch(
      "/media/:id",
      route(async (call, bytes) => {
        return await idempotency.once(call, bytes, async (request) => {
          const patch = patchOf(call, bytes);
          const options = writeOptions(call, request);
          const id = mediumIdOf(call.http);
          const changesPages = patch.focus !== undefined || patch.private === true;
          if (changesPages) await refusePublicUseOf(deps, call, id);
          return answerMedium(call, await patchMedia(context, actorOf(call), id, patch, options));
        }, (record) => replay(deps, call, record));
      }),
    )
    .delete(
      "/media/:id",
      route(async (call) => {
        const gone = (more = {}) =>
          new Response(null, { status: 204, headers: { ...call.headers, ...more } });
        return await idempotency.once(call, new Uint8Array(), async (request) => {
          const options = writeOptions(call, request);
          const id = mediumIdOf(call.http);
          await refusePublicUseOf(deps, call, id);
          await deleteMedia(context, actorOf(call), id, options);
          return gone();
        }, () => Promise.resolve(gone(replayedHeaders(call))));
      }),
    );
}

/** A body without the read-only keys of an asset. */
function writable(body: JsonObject): JsonObject {
  const isRead = ([key]: [string, unknown]) => !MEDIUM_READ_ONLY.some((one) => one === key);
  return Object.fromEntries(Object.entries(body).filter(isRead));
}

function isForm({ headers }: Request): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(headers.get("content-type") ?? "");
}

async function upload(
  deps: Deps,
  call: BearerCall,
  bytes: Uint8Array,
  idempotency: Idempotency,
): Promise<Response> {
  const { context } = deps.content;
  let received: Received | undefined;
  return await idempotency.onceReceived(call, async (requestOf) => {
    const { raw } = call.http.req;
    let request: IdempotentRequest | undefined;
    if (isForm(raw)) {
      received = await receiveMedia(context, raw, await storeOptions(deps));
      request = requestOf(identityOf(received));
    } else {
      const from = parseBody(MediaAddress, parseJsonObject(bytes));
      request = requestOf(bytes);
      // A repetition need not fetch the picture again.
      request?.refuseRepeated(recordOf(call, request), context.now());
      received = await downloadMedia(deps, from);
    }
    const { upload, ...facts } = received;
    const options = writeOptions(call, request);
    return created(call, await createMedia(context, actorOf(call), upload, facts, options));
  }, async (record) => await replay(deps, call, record, received?.upload));
}

/** A repeated form has another boundary, so its content identifies the request. */
function identityOf({ upload: { sha256 }, filename, alt, ...received }: Received): Uint8Array {
  const identity = [sha256, filename, alt, ...received.private ? ["private"] : []];
  return new TextEncoder().encode(JSON.stringify(identity));
}

/** The record that was read with the token. */
function recordOf({ entries }: BearerCall, { key }: IdempotentRequest): IdempotencyRecord | null {
  const found = entries.find((entry) => keyText(entry.key) === keyText(key));
  return (found?.value ?? null) as IdempotencyRecord | null;
}

/** Replays the response of an earlier write: the version that it wrote, while that is stored. */
async function replay(
  { content: { context } }: Deps,
  call: BearerCall,
  { id, n, created: isNew }: IdempotencyRecord,
  upload?: Upload,
): Promise<Response> {
  const medium = await mediumAtVersion(context, id, n) ?? await findMedia(context, id);
  // The write may have been this request's own, whose commit had an unknown outcome.
  if (upload !== undefined) await discard(context, upload, medium);
  if (medium === null) throw new Refusal("NOT_FOUND");
  return isNew
    ? created(call, medium, replayedHeaders(call))
    : answerMedium(call, medium, 200, replayedHeaders(call));
}

function created(call: BearerCall, medium: MediaState, more = {}): Response {
  return answerMedium(call, medium, 201, { location: `/api/v1/media/${medium.id}`, ...more });
}

function writeOptions({ http, known }: BearerCall, request?: IdempotentRequest): MediaWriteOptions {
  const precondition = mediumCondition(http);
  return { known, ...(precondition && { precondition }), ...(request && { idempotent: request }) };
}

/** Refuses tokens without write access to the published documents that show the asset. */
async function refusePublicUseOf(
  deps: Deps,
  { visibility, schema }: BearerCall,
  id: string,
): Promise<void> {
  const everywhere = visibility.can("*", "write");
  await refusePublicUse(deps, id, {
    everywhere,
    in: (collectionId) => {
      const collection = schema.byId.get(collectionId);
      return collection !== undefined && visibility.can(collection.slug, "write");
    },
    site: everywhere,
  });
}

/** The changes in a body. */
function patchOf(call: BearerCall, bytes: Uint8Array): MediaPatch {
  const { body, altLanguage } = withAltLanguage(writable(parseJsonObject(bytes)), call);
  const patch = { ...parseBody(Patch, body), ...(altLanguage && { altLanguage }) };
  refuseUnknownAlts(patch, call.schema);
  return patch;
}

/** A body without the keys of languages, and the language of its `alt`, if that is not the site's. */
function withAltLanguage(given: JsonObject, { schema: { languages } }: BearerCall) {
  if (languages === undefined) return { body: given };
  const body = withoutLanguageKeys(given);
  const { _language: code = languages.original } = given;
  if (typeof code !== "string" || !languages.byCode.has(code)) {
    throw invalid("_language", "INVALID_LANGUAGE", "Is not one of the site's languages");
  }
  return { body, ...(code !== languages.original && { altLanguage: code }) };
}
