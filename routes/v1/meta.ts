/**
 * The API about itself: the OpenAPI document and the TypeScript module, from the live schema.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import type { Schema } from "../../kv/model/entities/collection.ts";
import { acceptsGzip } from "../answers/accepts_gzip.ts";
import { isFresh } from "./reading/etag.ts";
import { openApiDocument } from "./openapi/document.ts";
import { cachedBySchema, type Encodings } from "./openapi/rendered.ts";
import { typesModule } from "./types/types_module.ts";

/** The headers and schema of an authenticated request. */
export interface MetaCall {
  http: HttpContext;
  schema: Schema;
  /** Headers that every answer carries. */
  headers: Record<string, string>;
}

/** Options of the routes. */
export interface MetaRoutesOptions {
  /** Makes a handler that only a valid token and its quota let through. */
  authenticated: (
    work: (call: MetaCall) => Promise<Response>,
  ) => (http: HttpContext) => Promise<Response>;
  /** The origin of the site, such as `https://cms.example`. */
  origin: (http: HttpContext) => string | Promise<string>;
}

/** `/_meta` and `/_meta/types.ts`, below `/api/v1`. */
export function metaRoutes({ authenticated, origin }: MetaRoutesOptions): Hono {
  const description = cachedBySchema((schema, at) => JSON.stringify(openApiDocument(schema, at)));
  const types = cachedBySchema(typesModule);

  const route = (rendered: typeof description, contentType: string) =>
    authenticated(async ({ http, schema, headers }) =>
      answer(rendered(schema, await origin(http)), contentType, http, headers)
    );

  return new Hono()
    .get("/_meta", route(description, "application/json"))
    .get("/_meta/types.ts", route(types, "text/typescript; charset=utf-8"));
}

function answer(
  encodings: Encodings,
  contentType: string,
  http: HttpContext,
  headers: Record<string, string>,
): Response {
  const gzip = acceptsGzip(http.req.header("accept-encoding"));
  const { body, etag } = gzip ? encodings.zipped() : encodings.plain;
  const common = {
    ...headers,
    etag,
    "vary": "Origin, Accept-Encoding",
    "cache-control": "private, no-cache",
  };
  if (isFresh(http.req.header("if-none-match") ?? null, etag)) {
    return new Response(null, { status: 304, headers: common });
  }
  return new Response(body, {
    headers: {
      ...common,
      "content-type": contentType,
      ...(gzip && { "content-encoding": "gzip" }),
    },
  });
}
