/**
 * The public site: everything that is neither API nor admin. Pages come from the prerendered store, one
 * read for each; nothing is rendered for a request.
 *
 * @module
 */
import { type Context as RequestContext, Hono } from "@hono/hono";
import type { Content } from "../../kv/documents/content.ts";
import type { Context } from "../../kv/context.ts";
import { type Page, SITE_TAG } from "../../kv/model/page.ts";
import { findPage, type PageRow, readPageBody, readStoredBody } from "../../kv/pages/pages.ts";
import { Refusal } from "../../kv/refusals.ts";
import { sha256 } from "../../kv/model/sha256.ts";
import { EmptySite } from "../../jobs/render/empty_site.ts";
import { NOT_FOUND_PATH } from "../../jobs/render/not_found_page.ts";
import type { Rendering } from "../../jobs/render/view.ts";
import { acceptsGzip } from "../accepts_gzip.ts";
import { isFresh } from "../v1/etag.ts";
import { findMovedPage } from "./moved_page.ts";
import { cacheHeaders, SITE_HEADERS } from "./page_headers.ts";

/** What the public site needs. */
export interface SiteRoutesOptions {
  content: Pick<Content, "context" | "schema">;
  /** Site facts, schema and theme as they are now; only asked for what was never published. */
  rendering: () => Promise<Rendering>;
}

/** Longest path that can be a page's, characters. */
const PATH_CHARS_MAX = 400;

/** A path with slashes at its end, and none together elsewhere: `//host/` would lead to another site. */
const SLASHED = /^(?:\/[\w.-]+)+\/+$/;

/** `GET` of every path of the public site; to be mounted last. */
export function siteRoutes({ content, rendering }: SiteRoutesOptions): Hono {
  const { context } = content;
  const emptySite = new EmptySite(rendering);

  return new Hono().get("*", async function servePage(c) {
    const { path } = c.req;
    if (path.length > PATH_CHARS_MAX) return await notFound(c, context, emptySite);
    const row = await findPage(context.store, path);
    if (row !== null) return await answer(c, context, path, row);

    if (SLASHED.test(path)) return redirect(path.replace(/\/+$/, ""), []);
    const moved = await findMovedPage(content, path);
    if (moved !== null) return redirect(moved.path, moved.tags);
    const page = await emptySite.find(path);
    if (page === null) return await notFound(c, context, emptySite);
    return send(c, path, rowOf(page), page.body, 200);
  });
}

async function notFound(
  c: RequestContext,
  context: Context,
  emptySite: EmptySite,
): Promise<Response> {
  const row = await findPage(context.store, NOT_FOUND_PATH);
  if (row !== null) return await answer(c, context, NOT_FOUND_PATH, row, 404);
  const page = (await emptySite.find(NOT_FOUND_PATH))!;
  return send(c, NOT_FOUND_PATH, rowOf(page), page.body, 404);
}

async function answer(
  c: RequestContext,
  context: Context,
  path: string,
  row: PageRow,
  status: 200 | 404 = 200,
): Promise<Response> {
  const isCompressed = row.gzip === true && acceptsGzip(c.req.header("accept-encoding"));
  const read = isCompressed ? readStoredBody : readPageBody;
  const body = await read(context, row);
  if (body !== null) return send(c, path, row, body, status, isCompressed);
  // The page was replaced between the two reads.
  const again = await findPage(context.store, path);
  const bodyAgain = again === null ? null : await readPageBody(context, again);
  if (bodyAgain === null) throw new Refusal("UNAVAILABLE", { retryAfterSeconds: 1 });
  return send(c, path, again!, bodyAgain, status);
}

function send(
  c: RequestContext,
  path: string,
  row: PageRow,
  body: Uint8Array,
  status: 200 | 404,
  isCompressed = false,
): Response {
  const headers = cacheHeaders(path, row, status);
  if (row.gzip) headers.vary = "Accept-Encoding";
  if (isCompressed) {
    headers["content-encoding"] = "gzip";
    headers.etag = headers.etag!.replace(/"$/, '-gzip"');
  }
  if (status === 200 && isFresh(c.req.header("if-none-match") ?? null, headers.etag!)) {
    return new Response(null, { status: 304, headers });
  }
  headers["content-type"] = row.contentType;
  headers["content-length"] = String(body.byteLength);
  return new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
}

function redirect(path: string, tags: string[]): Response {
  const headers = {
    ...SITE_HEADERS,
    location: path,
    "cache-control": "public, max-age=0, s-maxage=3600",
    "deno-cache-tag": [...tags, SITE_TAG].join(","),
  };
  return new Response(null, { status: 301, headers });
}

function rowOf({ contentType, tags, body }: Page): PageRow {
  return { contentType, tags, hash: sha256(body), bytes: body.byteLength };
}
