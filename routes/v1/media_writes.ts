/**
 * Media written by programs: uploaded as a form or fetched from an address, described, deleted. The order of
 * checks: authentication and quota (`bearer.ts`), scope, repetition, body, medium.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import { REDIRECTS_MAX } from "../../jobs/limits.ts";
import type { IdempotencyRecord, IdempotentRequest } from "../../kv/documents/idempotency.ts";
import { ADDRESS_CHARS_MAX, MEDIA_BYTES_MAX } from "../../kv/limits.ts";
import {
  createMedia,
  deleteMedia,
  discard,
  findMedia,
  type MediaWriteOptions,
  mediumAtVersion,
  patchMedia,
} from "../../kv/media/media.ts";
import { storeUpload, type Upload } from "../../kv/media/upload.ts";
import { AltText, MediaPatch, type MediaState } from "../../kv/model/media.ts";
import { mediaFilename } from "../../kv/model/media_name.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { invalid, Refusal } from "../../kv/refusals.ts";
import { keyText } from "../../kv/store/operation.ts";
import type { Deps } from "../deps.ts";
import { parseJsonObject, readJsonBytes } from "../input/body.ts";
import { type Received, receiveMedia } from "../input/media_upload.ts";
import { MEDIA_DOWNLOAD_MS_MAX } from "../limits.ts";
import type { BearerCall, bearerRoutes } from "./bearer.ts";
import { actorOf } from "./collection_call.ts";
import { Idempotency, idempotencyKeys, REPLAYED } from "./idempotency.ts";
import { answerMedium, mediumIdOf, requireMedia } from "./media_call.ts";

const FromAddress = z.strictObject({
  url: z.string().max(ADDRESS_CHARS_MAX),
  alt: AltText.default(""),
  filename: z.string().optional(),
});
const Patch = MediaPatch.omit({ title: true });

/** Upload, change, delete. */
export function mediaWriteRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const { context } = deps.content;
  const idempotency = new Idempotency(context);
  const route = (work: (call: BearerCall) => Promise<Response>) =>
    bearer(idempotencyKeys, (call) => {
      requireMedia(call, "write");
      return work(call);
    });
  return new Hono()
    .post("/media", route((call) => upload(deps, call, idempotency)))
    .patch(
      "/media/:id",
      route(async (call) => {
        const bytes = await readJsonBytes(call.http.req.raw);
        return await idempotency.once(call, bytes, async (request) => {
          const patch = parseBody(Patch, parseJsonObject(bytes));
          const options = writeOptions(call, request);
          const id = mediumIdOf(call.http);
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
          await deleteMedia(context, actorOf(call), mediumIdOf(call.http), options);
          return gone();
        }, () => Promise.resolve(gone(REPLAYED)));
      }),
    );
}

async function upload(
  deps: Deps,
  call: BearerCall,
  idempotency: Idempotency,
): Promise<Response> {
  const { context } = deps.content;
  let received: Received | undefined;
  return await idempotency.onceReceived(call, async (requestOf) => {
    const { raw } = call.http.req;
    let request: IdempotentRequest | undefined;
    if (/^multipart\/form-data\s*(?:;|$)/i.test(raw.headers.get("content-type") ?? "")) {
      received = await receiveMedia(context, raw);
      request = requestOf(identityOf(received));
    } else {
      const bytes = await readJsonBytes(raw);
      const from = parseBody(FromAddress, parseJsonObject(bytes));
      request = requestOf(bytes);
      // A repetition need not fetch the picture again.
      request?.refuseRepeated(recordOf(call, request), context.now());
      received = await fetchMedia(deps, from);
    }
    const { upload, ...facts } = received;
    const options = writeOptions(call, request);
    return created(call, await createMedia(context, actorOf(call), upload, facts, options));
  }, async (record) => await replay(deps, call, record, received?.upload));
}

/** A form is sent again with another boundary: what it says is what makes it the same. */
function identityOf({ upload: { sha256 }, filename, alt }: Received): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([sha256, filename, alt]));
}

/** The record that was read with the token. */
function recordOf({ entries }: BearerCall, { key }: IdempotentRequest): IdempotencyRecord | null {
  const found = entries.find((entry) => keyText(entry.key) === keyText(key));
  return (found?.value ?? null) as IdempotencyRecord | null;
}

/** The answer to a write that was carried out before: the version that it made, as long as it is kept. */
async function replay(
  { content: { context } }: Deps,
  call: BearerCall,
  { id, n, created: isNew }: IdempotencyRecord,
  upload?: Upload,
): Promise<Response> {
  const medium = await mediumAtVersion(context, id, n) ?? await findMedia(context, id);
  // The write may have been this request's own, whose commit had an unknown outcome.
  if (upload !== undefined && medium?.object !== upload.object) await discard(context, upload);
  if (medium === null) throw new Refusal("NOT_FOUND");
  return isNew ? created(call, medium, REPLAYED) : answerMedium(call, medium, 200, REPLAYED);
}

function created(call: BearerCall, medium: MediaState, more = {}): Response {
  return answerMedium(call, medium, 201, { location: `/api/v1/media/${medium.id}`, ...more });
}

function writeOptions({ known }: BearerCall, request?: IdempotentRequest): MediaWriteOptions {
  return { known, ...(request && { idempotent: request }) };
}

/** A picture from an address that the guard lets through; whatever is wrong with it is said of `url`. */
async function fetchMedia(
  { content: { context }, packages }: Deps,
  { url, alt, filename }: z.infer<typeof FromAddress>,
): Promise<Received> {
  const name = mediaFilename(filename ?? nameIn(url));
  let bytes: Uint8Array;
  try {
    const { status, body } = await packages.request({
      url,
      bytesMax: MEDIA_BYTES_MAX,
      msMax: MEDIA_DOWNLOAD_MS_MAX,
      redirectsMax: REDIRECTS_MAX,
    });
    if (status !== 200) throw new Error(`The address answers ${status}`);
    bytes = body;
  } catch (error) {
    // What stands behind a name is nobody's business here.
    context.log.info("a picture was not fetched", { reason: String(error) });
    throw invalid(
      "url",
      "PATTERN_MISMATCH",
      "Must be a public address that answers with a picture",
    );
  }
  try {
    return { upload: await storeUpload(context, once(bytes)), filename: name, alt };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw invalid("url", "PATTERN_MISMATCH", error.message);
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function nameIn(url: string): string {
  const last = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || "image";
  } catch {
    return "image";
  }
}
