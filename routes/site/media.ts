/**
 * `GET /media/{id}/{filename}`: the bytes of media, and their transforms. The bytes behind an address
 * never change, so everybody may keep them for ever; whatever they are, nothing in them runs.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import type { Context } from "../../kv/context.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import { getMedia, recordAsIs } from "../../kv/media/media.ts";
import { type CropPreset, presetsOf } from "../../kv/model/values/crop.ts";
import { downloadName, isPlayable } from "../../kv/model/values/file_type.ts";
import {
  isPicture,
  type MediaState,
  mediaTag,
  mediaUrl,
  servedName,
} from "../../kv/model/entities/media.ts";
import {
  geometry,
  isTooLarge,
  isTransformable,
  type Transform,
  transformMime,
  transformName,
} from "../../kv/model/values/transform.ts";
import {
  CREDENTIALS_FILENAME,
  CREDENTIALS_MIME,
  credentialsUrl,
  type MediaCredentials,
} from "../../kv/model/media_credentials.ts";
import { signedUntil } from "../../kv/media/signatures.ts";
import {
  asksForImage,
  isNearlyAsAsked,
  parseImageRequest,
} from "../../kv/model/values/image_request.ts";
import { mediaPath } from "../../kv/objects/paths.ts";
import { Refusal } from "../../kv/refusals.ts";
import { findSession } from "../../kv/people/sessions.ts";
import type { Deps } from "../deps/deps.ts";
import { sessionSecret } from "../middleware/session_cookie.ts";
import { isFresh } from "../v1/reading/etag.ts";
import { parseByteRange } from "./byte_range.ts";
import { pacedAnswer } from "../answers/paced_answer.ts";

/** A response: an object or text, with its headers. */
interface Served {
  key: string;
  /** Served instead of an object. */
  text?: string;
  bytes: number;
  mime: string;
  etag: string;
  cacheControl: string;
  /** The location of the Content Credentials, for programs that verify them. */
  link?: string;
  /** The size of a transform. */
  size?: string;
  /** Whether the format depends on what the client accepts. */
  varies?: boolean;
  /** Its file name, when it is not that of the medium; it is a download then. */
  name?: string;
}

const IMMUTABLE = "public, max-age=31536000, immutable";
/** For responses that may change at the same URL. */
const SHORT = "public, max-age=300";
/** For an address that leads to another one. */
const MOVED = "public, max-age=0, s-maxage=300";

/** Dependencies of serving media. */
export type SiteMediaOptions = Pick<
  Deps,
  "content" | "settings" | "transformer" | "people" | "trustProxy"
>;

/** Serves media; to be mounted at `/media`. */
export function siteMediaRoutes(options: SiteMediaOptions): Hono {
  const { content: { context } } = options;
  return new Hono().get("/:id/:filename", async function serveMedium(c) {
    const { id, filename } = c.req.param();
    if (!isUlid(id)) throw new Refusal("NOT_FOUND");
    const medium = await getMedia(context, id);
    if (medium.private) return await answerPrivate(options, c, medium, filename);
    if (filename === CREDENTIALS_FILENAME && medium.credentials !== undefined) {
      return await answer(context, c, medium, manifestOf(medium.credentials));
    }
    if (filename !== servedName(medium)) return redirect(c, medium);
    return await answer(context, c, medium, await choose(options, c, medium));
  });
}

/**
 * A private medium is answered at signed addresses, and to signed-in users who may see media: the studio shows it. No
 * shared cache keeps it.
 */
async function answerPrivate(
  options: SiteMediaOptions,
  c: HttpContext,
  medium: MediaState,
  filename: string,
): Promise<Response> {
  const { content: { context } } = options;
  const query = new URL(c.req.url).searchParams;
  if (filename !== servedName(medium)) throw new Refusal("NOT_FOUND");
  const until = await signedUntil(context, medium, query);
  if (until === null && !await maySeeMedia(options, c)) throw new Refusal("NOT_FOUND");
  const left = until === null ? 0 : Math.max(0, until - Math.ceil(context.now() / 1000));
  const cacheControl = until === null ? "private, no-store" : `private, max-age=${left}`;
  const { link: _, ...served } = await choose(options, c, medium);
  return await answer(context, c, medium, { ...served, cacheControl });
}

async function maySeeMedia(
  { people, trustProxy }: SiteMediaOptions,
  c: HttpContext,
): Promise<boolean> {
  const found = await findSession(people, sessionSecret(c, trustProxy));
  return found !== null && !found.lacksFactor && found.authority.permissions.has("media.read");
}

/** What is served of a medium: its bytes, or the image that a query asks for. */
async function choose(
  options: SiteMediaOptions,
  c: HttpContext,
  medium: MediaState,
): Promise<Served> {
  const { content: { context }, transformer } = options;
  const whole = wholeOf(medium);
  const query = new URL(c.req.url).searchParams;
  if (!asksForImage(query)) return whole;
  const own = await options.settings.get<CropPreset[] | null>("media.crops");
  const accept = c.req.header("accept") ?? "";
  const image = parseImageRequest(query, medium, { presets: presetsOf(own), accept });
  if (image === null) return whole;
  const original = { ...whole, cacheControl: SHORT, varies: image.variesByAccept };
  const enabled = await options.settings.get<boolean>("images.transform_enabled");
  if (!enabled) return original;
  const { transform, isStrict } = image;
  const isLarge = isPicture(medium.mime) && isTooLarge(medium);
  if (isLarge && !isStrict) return placeholder(medium, transform);
  const made = isTransformable(medium)
    ? await transformer.ensure(medium, transform)
      .catch((error) => keepOriginal(context, medium, error))
    : null;
  if (made === null) {
    if (!isStrict || isNearlyAsAsked(image, medium)) return original;
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { about: "the file has no form of this size" });
  }
  const { width, height } = geometry(transform, medium);
  return {
    ...made,
    mime: transformMime(transform),
    etag: `"${medium.sha256}-${transformName(transform)}"`,
    cacheControl: IMMUTABLE,
    size: `${width}x${height}`,
    varies: image.variesByAccept,
  };
}

async function answer(
  context: Context,
  c: HttpContext,
  medium: MediaState,
  served: Served,
): Promise<Response> {
  const headers = headersOf(medium, served);
  if (new URL(c.req.url).searchParams.get("download") === "1") {
    headers["content-disposition"] = attachment(medium, served);
  }
  const { etag, bytes } = served;
  if (isFresh(c.req.header("if-none-match") ?? null, etag)) {
    return new Response(null, { status: 304, headers });
  }
  const stale = (c.req.header("if-range") ?? etag) !== etag;
  const range = stale ? null : parseByteRange(c.req.header("range"), bytes);
  if (range === "unsatisfiable") {
    const refused = { "content-range": `bytes */${bytes}`, "x-content-type-options": "nosniff" };
    return new Response(null, { status: 416, headers: refused });
  }
  const { start, end } = range ?? { start: 0, end: bytes };
  headers["content-type"] = served.mime;
  headers["content-length"] = String(end - start);
  if (range !== null) headers["content-range"] = `bytes ${start}-${end - 1}/${bytes}`;
  const status = range === null ? 200 : 206;
  if (served.text !== undefined) {
    return new Response(served.text.slice(start, end), { status, headers });
  }
  if (c.req.method === "HEAD") {
    if (await context.objects.head(served.key) === null) throw new Refusal("NOT_FOUND");
    return new Response(null, { status, headers });
  }
  const stream = await context.objects.getStream(served.key, range ?? undefined);
  // A backup without media files restores only their metadata.
  if (stream === null) throw new Refusal("NOT_FOUND");
  const paced = pacedAnswer(stream as ReadableStream<Uint8Array<ArrayBuffer>>);
  return new Response(paced, { status, headers });
}

/** The stored bytes of an asset. */
function wholeOf({ id, object, bytes, mime, sha256, credentials }: MediaState): Served {
  const key = mediaPath(object);
  const whole = { key, bytes, mime, etag: `"${sha256}"`, cacheControl: IMMUTABLE };
  if (credentials === undefined) return whole;
  return { ...whole, link: `<${credentialsUrl(id)}>; rel="c2pa-manifest"` };
}

/** The Content Credentials of a medium; other bytes bring others, under the same address. */
function manifestOf({ object, bytes, sha256 }: MediaCredentials): Served {
  const key = mediaPath(object);
  const name = CREDENTIALS_FILENAME;
  return { key, bytes, mime: CREDENTIALS_MIME, etag: `"${sha256}"`, cacheControl: SHORT, name };
}

/**
 * An empty picture in the asked size: the original of a picture that is too large to be transformed takes a
 * browser that wants a thumbnail many seconds.
 */
function placeholder(medium: MediaState, transform: Transform): Served {
  const { width, height } = geometry(transform, medium);
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="#8884"/></svg>`;
  return {
    key: "",
    text,
    bytes: text.length,
    mime: "image/svg+xml",
    etag: `"${medium.sha256}-empty-${width}-${height}"`,
    cacheControl: SHORT,
  };
}

/**
 * Serves the original if a codec refuses an image: browsers show many images that it cannot read. Uploads
 * are checked, so it comes from an earlier release or another site; pages stop offering its variants.
 */
async function keepOriginal(context: Context, medium: MediaState, error: unknown): Promise<null> {
  if (!(error instanceof Refusal) || error.code !== "UNSUPPORTED_MEDIA_TYPE") throw error;
  const { id } = medium;
  context.log.warn("an image cannot be transformed", { id, cause: String(error.cause) });
  await recordAsIs(context, medium).catch((reason) => {
    context.log.warn("an image could not be marked", { id, reason: String(reason) });
  });
  return null;
}

function headersOf(medium: MediaState, served: Served): Record<string, string> {
  return {
    "cache-control": served.cacheControl,
    etag: served.etag,
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "content-disposition": served.name === undefined
      ? disposition(medium)
      : `attachment; filename*=UTF-8''${served.name}`,
    "deno-cache-tag": mediaTag(medium.id),
    ...(served.link !== undefined && { link: served.link }),
    ...(served.size !== undefined && { "x-image-size": served.size }),
    ...(served.varies && { vary: "Accept" }),
  };
}

/** A download has the extension of its type. */
function attachment({ filename, mime }: MediaState, { name, mime: type }: Served): string {
  const isOther = type !== mime && type.startsWith("image/");
  const extension = type === "image/jpeg" ? "jpg" : type.slice("image/".length);
  const own = isOther ? `${filename.replace(/\.[^.]{1,10}$/, "")}.${extension}` : filename;
  const shown = isPicture(mime) ? own : downloadName(filename, mime);
  return `attachment; filename*=UTF-8''${encodeFilename(name ?? shown)}`;
}

/** Pictures, sound and films are shown; anything else is downloaded, and opens in no page of this site. */
function disposition({ mime, filename }: MediaState): string {
  const name = isPicture(mime) ? filename : downloadName(filename, mime);
  const way = isPicture(mime) || isPlayable(mime) ? "inline" : "attachment";
  return `${way}; filename*=UTF-8''${encodeFilename(name)}`;
}

/**
 * Any other name leads to the present one: the name may change, the address of old pages must not break.
 * Browsers ask again each time, since a name that leads elsewhere today may be the present one tomorrow.
 */
function redirect(c: HttpContext, medium: MediaState): Response {
  const location = mediaUrl(medium) + new URL(c.req.url).search;
  return new Response(null, {
    status: 301,
    headers: { location, "cache-control": MOVED, "deno-cache-tag": mediaTag(medium.id) },
  });
}

function encodeFilename(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
