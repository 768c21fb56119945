/**
 * `/api/v1/media`: media for programs.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import type { MediaQuery } from "../../kv/media/media_list.ts";
import { createMedia, deleteMedia, getMedia, patchMedia } from "../../kv/media/media.ts";
import { storeUpload } from "../../kv/media/upload.ts";
import { AltText, MEDIA_BYTES_MAX, MediaPatch, type MediaState } from "../../kv/model/media.ts";
import { mediaFilename } from "../../kv/model/media_name.ts";
import { allowsMedia } from "../../kv/model/scope.ts";
import { isUlid } from "../../kv/model/ulid.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { invalid, Refusal } from "../../kv/refusals.ts";
import { parseMediaQuery } from "../admin/media_query.ts";
import type { Deps } from "../deps.ts";
import { readJsonObject } from "../input/body.ts";
import { receiveMedia } from "../input/media_upload.ts";
import { cursorText, parseCursor } from "../query/cursor.ts";
import { Parameters } from "../query/parameters.ts";
import type { BearerCall, bearerRoutes } from "./bearer.ts";
import { actorOf } from "./collection_call.ts";
import { headlessMedium } from "./media_view.ts";
import { json } from "./respond.ts";

/** How long the download of a picture may take, milliseconds. */
const DOWNLOAD_MS_MAX = 30_000;
const REDIRECTS_MAX = 5;
const LIST_PARAMETERS = ["mime", "q", "sort", "page", "perPage", "cursor"] as const;

const FromAddress = z.strictObject({
  url: z.string().max(2_000),
  alt: AltText.default(""),
  filename: z.string().optional(),
});
const Patch = MediaPatch.omit({ title: true });

/** List, read, upload, change, delete. */
export function mediaRoutes(deps: Deps, bearer: ReturnType<typeof bearerRoutes>): Hono {
  const { context } = deps.content;
  const route = (work: (call: BearerCall) => Promise<Response>) => bearer(() => [], work);
  return new Hono()
    .get("/media", route((call) => list(deps, call)))
    .post("/media", route((call) => upload(deps, call)))
    .get(
      "/media/:id",
      route(async (call) => {
        if (!allowsMedia(call.token.scopes, "read")) throw new Refusal("NOT_FOUND");
        return answer(call, await getMedia(context, idOf(call.http)));
      }),
    )
    .patch(
      "/media/:id",
      route(async (call) => {
        requireMedia(call, "write");
        const patch = parseBody(Patch, await readJsonObject(call.http.req.raw));
        return answer(call, await patchMedia(context, actorOf(call), idOf(call.http), patch));
      }),
    )
    .delete(
      "/media/:id",
      route(async (call) => {
        requireMedia(call, "write");
        await deleteMedia(context, actorOf(call), idOf(call.http));
        return new Response(null, { status: 204, headers: call.headers });
      }),
    );
}

async function list({ mediaList }: Deps, call: BearerCall): Promise<Response> {
  requireMedia(call, "read");
  const { search } = new URL(call.http.req.url);
  const parameters = new Parameters(search);
  parameters.refuseMisspelled(LIST_PARAMETERS);
  const known = parameters.all.filter(({ name }) => LIST_PARAMETERS.some((one) => one === name));
  const params = new URLSearchParams(known.map(({ name, value }) => [name, value ?? "\ufffd"]));
  const { query, paging } = parseMediaQuery(params);
  const sort = query.sort ?? { by: "createdAt", descending: true };
  const order = `media ${sort.by} ${sort.descending}`;
  const after = cursorOf(parameters, order);
  const page = await mediaList.list(after === undefined ? query : { ...query, after });
  const { page: number, perPage } = paging;
  const next = page.next ?? null;
  const meta = after === undefined ? { page: number, perPage, total: page.total } : {
    perPage,
    total: page.total,
    nextCursor: next === null ? null : cursorText({ id: next.id, values: [next.value] }, order),
  };
  const data = page.media.map(headlessMedium);
  return json(JSON.stringify({ data, meta }), call.headers);
}

function cursorOf(parameters: Parameters, order: string): MediaQuery["after"] {
  const text = parameters.single("cursor");
  if (text === undefined) return undefined;
  if (parameters.values("page").length > 0) {
    throw new Refusal("PAGINATION_INVALID", { about: "page and cursor exclude one another" });
  }
  const position = parseCursor(text, order, 1);
  if (position === "start") return position;
  const [value] = position.values;
  if (typeof value !== "string" && typeof value !== "number") throw new Refusal("CURSOR_INVALID");
  return { id: position.id, value };
}

async function upload(deps: Deps, call: BearerCall): Promise<Response> {
  requireMedia(call, "write");
  const { context } = deps.content;
  const request = call.http.req.raw;
  const isForm = /^multipart\/form-data\s*(?:;|$)/i.test(request.headers.get("content-type") ?? "");
  const { upload, filename, alt } = isForm
    ? await receiveMedia(context, request)
    : await fetchMedia(deps, parseBody(FromAddress, await readJsonObject(request)));
  const medium = await createMedia(context, actorOf(call), upload, { filename, alt });
  const location = `/api/v1/media/${medium.id}`;
  return answer(call, medium, 201, { location });
}

/** A picture from an address that the guard lets through; whatever is wrong with it is said of `url`. */
async function fetchMedia(
  { content: { context }, packages }: Deps,
  { url, alt, filename }: z.infer<typeof FromAddress>,
) {
  const name = mediaFilename(filename ?? nameIn(url));
  let bytes: Uint8Array;
  try {
    const { status, body } = await packages.request({
      url,
      bytesMax: MEDIA_BYTES_MAX,
      msMax: DOWNLOAD_MS_MAX,
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

function answer(
  { headers }: BearerCall,
  medium: MediaState,
  status = 200,
  more: Record<string, string> = {},
): Response {
  return json(JSON.stringify(headlessMedium(medium)), headers, more, status);
}

function requireMedia({ token }: BearerCall, action: "read" | "write"): void {
  if (!allowsMedia(token.scopes, action)) throw new Refusal("FORBIDDEN");
}

function idOf(http: HttpContext): string {
  const id = http.req.param("id")!;
  if (!isUlid(id)) throw new Refusal("NOT_FOUND");
  return id;
}
