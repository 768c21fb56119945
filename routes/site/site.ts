/**
 * The public site: everything that is neither API nor admin. Pages of documents come from the prerendered store, one
 * read for each; lists are rendered when they are asked for, and Markdown is made for the request.
 *
 * @module
 */
import { type Context as RequestContext, Hono } from "@hono/hono";
import type { Content } from "../../kv/documents/content.ts";
import type { Context } from "../../kv/context.ts";
import { type Page, SITE_TAG } from "../../kv/model/entities/page.ts";
import {
  findPage,
  MARKDOWN_TYPE,
  type PageRow,
  readCompressedBody,
  readPageBody,
} from "../../kv/pages/pages.ts";
import { Refusal } from "../../kv/refusals.ts";
import { isMissing } from "../../jobs/publishing/render_path.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { NOT_FOUND_PATH } from "../../jobs/render/pages/not_found_page.ts";
import { pageOfMarkdown, spelledPath } from "../../jobs/render/site_facts.ts";
import type { LanguageAnswer, LanguagePages } from "../../jobs/publishing/language_pages.ts";
import { languageTag } from "../../jobs/render/site_languages.ts";
import type { ListPages } from "../../jobs/publishing/lists/list_pages.ts";
import { acceptsGzip } from "../answers/accepts_gzip.ts";
import { PAGE_PATH_CHARS_MAX } from "../input/limits.ts";
import { isFresh } from "../v1/reading/etag.ts";
import { prefersMarkdown } from "../answers/prefers_markdown.ts";
import type { RedirectMatch, Redirects } from "../../jobs/publishing/redirects.ts";
import { findMovedPage } from "./moved_page.ts";
import { markAt } from "../../jobs/render/theme/site_icon.ts";
import { lookStyleSheet } from "../../jobs/render/theme/site_look.ts";
import { cacheHeaders, ICON_HEADERS, LOOK_HEADERS, SITE_HEADERS } from "../answers/page_headers.ts";

/** Dependencies of the public site. */
export interface SiteRoutesOptions {
  content: Pick<Content, "context" | "schema">;
  lists: Pick<ListPages, "isListPath" | "find" | "findAsset">;
  /** Renders the page at a path as it is now. */
  render: (path: string) => Promise<Page>;
  /** Pages in other languages than the first; left out where there are none. */
  languages?: Pick<LanguagePages, "find">;
  /** Redirects of addresses that have no page; left out where there are none. */
  redirects?: Pick<Redirects, "find" | "count">;
}

/** A path with slashes at its end, and none together elsewhere: `//host/` would lead to another site. */
const SLASHED = /^(?:\/[\w.-]+)+\/+$/;

/** `GET` of every path of the public site; to be mounted last. */
export function siteRoutes(options: SiteRoutesOptions): Hono {
  const { content, lists, render, redirects, languages } = options;
  const { context } = content;

  return new Hono().get("*", async function servePage(c) {
    const language = () => content.schema.known?.languages?.original;
    const request: PageRequest = { c, context, lists, render, redirects, language };
    const path = spelledPath(c.req.path);
    if (path.length > PAGE_PATH_CHARS_MAX) return await notFound(request);
    const look = lookStyleSheet(path);
    if (look !== null) return new Response(look, { headers: LOOK_HEADERS });
    const mark = markAt(path);
    if (mark !== null) return new Response(mark, { headers: ICON_HEADERS });
    const inLanguage = await languages?.find(path);
    if (inLanguage) return await answerInLanguage(request, inLanguage);
    const { pathname, search } = new URL(c.req.url);
    const markdownOf = pageOfMarkdown(path);
    // Read together, so that a query costs no call in sequence; a redirect with the query comes before the page.
    const [queried, row] = await Promise.all([
      search === "" ? null : redirects?.find(pathname, search.slice(1)),
      findRow(request, markdownOf ?? path),
    ]);
    if (queried) return await followRedirect(request, queried);
    if (row?.documentId !== undefined && row.leadsTo !== undefined) {
      return await answerElsewhere(request, languages, path, row);
    }
    if (row !== null && hasWanted(request, row)) {
      return await answer(request, { path: markdownOf ?? path, row });
    }

    const former = await redirects?.find(pathname, null);
    if (SLASHED.test(path)) {
      const bare = path.replace(/\/+$/, "");
      // A page, or a former slug, comes before a redirect.
      const isHidden = former && (await findRow(request, bare) !== null ||
        await findMovedPage(content, bare, async (list) => await lists.find(list) !== null));
      if (former && !isHidden) return await followRedirect(request, former);
      return redirect(bare, []);
    }
    const isThere = async (list: string) => await lists.find(list) !== null;
    const moved = await findMovedPage(content, markdownOf ?? path, isThere);
    if (moved !== null) {
      return redirect(moved.path + (markdownOf === null ? "" : ".md"), moved.tags);
    }
    // A document may be public before the job that renders its page ahead.
    const page = lists.isListPath(markdownOf ?? path) ? null : await render(markdownOf ?? path);
    if (page === null || isMissing(page)) {
      if (former) return await followRedirect(request, former);
      // Another process may have given the site a language.
      const found = await languages?.find(path, { fresh: true });
      return found ? await answerInLanguage(request, found) : await notFound(request);
    }
    return page.leadsTo === undefined
      ? send(request, rendered(request, page), 200)
      : await answerElsewhere(request, languages, path, page);
  });
}

/** A request of a page, and what answers it. */
interface PageRequest {
  c: RequestContext;
  context: Context;
  lists: SiteRoutesOptions["lists"];
  render: SiteRoutesOptions["render"];
  redirects: SiteRoutesOptions["redirects"];
  /** The language of pages that do not say theirs, where the site has several. */
  language: () => string | undefined;
}

/** Answers a request below the prefix of a language. */
async function answerInLanguage(
  request: PageRequest,
  found: LanguageAnswer,
): Promise<Response> {
  if (found.kind === "missing") return await notFound(request);
  if (found.kind === "moved") return redirect(found.path, found.tags, found.status);
  return send({ ...request, language: () => found.language }, rendered(request, found.page), 200);
}

/**
 * Answers the path of a document that is not written in the first language: with what that language shows of it, else by
 * leading to its page in its own.
 */
async function answerElsewhere(
  request: PageRequest,
  languages: SiteRoutesOptions["languages"],
  path: string,
  { leadsTo = "/", tags }: Pick<PageRow, "leadsTo" | "tags">,
): Promise<Response> {
  const found = await languages?.find(path, { fresh: true });
  if (found && found.kind !== "missing") return await answerInLanguage(request, found);
  return redirect(pageOfMarkdown(path) === null ? leadsTo : `${leadsTo}.md`, tags);
}

type PageStatus = 200 | 404 | 410;

/** A page that was found. */
interface FoundPage {
  path: string;
  row: PageRow;
}

/** The page at a path, stored or rendered; null if there is none. */
async function findRow({ context, lists }: PageRequest, path: string): Promise<PageRow | null> {
  if (lists.isListPath(path)) return await lists.find(path);
  const row = await findPage(context.store, path);
  return row ?? (path.startsWith("/assets/") ? await lists.findAsset(path) : null);
}

/** Whether the stored page can be had in the form that the address asks for. */
function hasWanted({ c }: PageRequest, row: PageRow): boolean {
  return pageOfMarkdown(c.req.path) === null || row.markdown !== undefined;
}

/** Whether a request asks for Markdown, by its address or its preferences. */
function wantsMarkdown({ req }: RequestContext): boolean {
  return pageOfMarkdown(req.path) !== null || prefersMarkdown(req.header("accept"));
}

async function notFound(request: PageRequest, status: 404 | 410 = 404): Promise<Response> {
  const row = await request.lists.find(NOT_FOUND_PATH);
  if (row === null) throw new Error("The page for unknown addresses has a rendering");
  return await answer(request, { path: NOT_FOUND_PATH, row }, status);
}

/** Sends a visitor on, or reports that the page is gone. */
async function followRedirect(
  request: PageRequest,
  match: RedirectMatch,
): Promise<Response> {
  const { location, status } = match;
  if (status === 404) return await notFound(request);
  await request.redirects?.count(match);
  if (location === null || status === 410) return await notFound(request, 410);
  return redirect(location, [], status);
}

/** A page that was rendered for the request. */
function rendered({ c }: PageRequest, page: Page): FoundPage & { body: Uint8Array } {
  const { path, contentType, tags, markdown, noindex } = page;
  const isMarkdown = markdown !== undefined && wantsMarkdown(c);
  const body = isMarkdown ? markdown() : page.body;
  return {
    path,
    body,
    row: {
      contentType: isMarkdown ? MARKDOWN_TYPE : contentType,
      tags,
      hash: sha256(body),
      bytes: body.byteLength,
      ...(markdown !== undefined && { markdown: true }),
      ...(noindex && { noindex }),
    },
  };
}

/** Answers with the Markdown of a stored page. */
async function answerMarkdown(
  request: PageRequest,
  { path, row }: FoundPage,
  status: PageStatus,
): Promise<Response> {
  const page = await request.render(path);
  // The page may have been removed since its row was read.
  if (isMissing(page) && path !== NOT_FOUND_PATH) return await notFound(request);
  const found = rendered(request, page);
  return send(request, { ...found, path, row: { ...found.row, tags: row.tags } }, status);
}

async function answer(
  request: PageRequest,
  found: FoundPage,
  status: PageStatus = 200,
): Promise<Response> {
  const { c, context } = request;
  const { row } = found;
  if (row.markdown !== undefined && wantsMarkdown(c)) {
    return await answerMarkdown(request, found, status);
  }
  if (row.leadsTo !== undefined) return redirect(row.leadsTo, row.tags);
  const isCompressed = row.gzip === true && acceptsGzip(c.req.header("accept-encoding"));
  const read = isCompressed ? readCompressedBody : readPageBody;
  const body = await read(context, row);
  if (body !== null) return send(request, { ...found, body, isCompressed }, status);
  // The page was replaced between the two reads.
  const again = await findPage(context.store, found.path);
  const bodyAgain = again === null ? null : await readPageBody(context, again);
  if (again === null || bodyAgain === null) {
    throw new Refusal("UNAVAILABLE", { retryAfterSeconds: 1 });
  }
  return send(request, { ...found, row: again, body: bodyAgain }, status);
}

function send(
  { c, language: languageOf }: PageRequest,
  { path, row: given, body, isCompressed }: FoundPage & {
    body: Uint8Array;
    isCompressed?: boolean;
  },
  status: PageStatus,
): Response {
  const language = given.language ?? languageOf();
  const row = withLanguage(given, language);
  const headers = cacheHeaders(path, row, status);
  if (language !== undefined) headers["content-language"] = language;
  if (row.noindex) headers["x-robots-tag"] = "noindex";
  const isNegotiated = row.markdown !== undefined && pageOfMarkdown(c.req.path) === null;
  const varies = [isNegotiated && "Accept", row.gzip && "Accept-Encoding"].filter(Boolean);
  if (varies.length > 0) headers.vary = varies.join(", ");
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

/** A page with the surrogate key of its language. */
function withLanguage(row: PageRow, language: string | undefined): PageRow {
  if (language === undefined) return row;
  return { ...row, tags: [...new Set([...row.tags, languageTag(language)])] };
}

function redirect(path: string, tags: string[], status: 301 | 302 | 308 = 301): Response {
  const headers = {
    ...SITE_HEADERS,
    location: path,
    "cache-control": "public, max-age=0, s-maxage=3600",
    "deno-cache-tag": [...tags, SITE_TAG].join(","),
  };
  return new Response(null, { status, headers });
}
