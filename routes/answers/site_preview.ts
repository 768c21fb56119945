/**
 * Any page of the site as a release will make it, or as it was at an instant, in the site's theme. Its links
 * lead to other such pages.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { type DocumentSource, isMissing, renderPath } from "../../jobs/publishing/render_path.ts";
import type { Rendering } from "../../jobs/render/views/view.ts";
import { putAssets, readyTheme } from "../../jobs/packages/theme_preview.ts";
import type { PackageState } from "../../kv/model/entities/package.ts";
import type { BuiltInThemeId } from "../../kv/packages/built_in_themes.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { withDesign } from "../../jobs/publishing/design_preview.ts";
import type { PastReader } from "../../kv/history/past_collections.ts";
import { pastDocuments } from "../../kv/history/past_documents.ts";
import type { Page } from "../../kv/model/entities/page.ts";
import { overlaidDocuments, overlayOf } from "../../kv/releases/release_overlay.ts";
import type { Deps } from "../deps/deps.ts";
import { ownOrigin } from "../middleware/own_origin.ts";
import { previewHeaders } from "./preview_headers.ts";

/** Draws the page at a path; `base` is the path below which such pages are. */
export async function drawReleasePage(
  deps: Deps,
  c: HttpContext,
  { releaseId, path, base }: { releaseId: string; path: string; base: string },
): Promise<Response> {
  const overlay = await overlayOf(deps, releaseId);
  return await drawPage(deps, c, overlaidDocuments(deps, overlay), { path, base });
}

/** Draws the page at a path as it was at the end of a second, epoch seconds. */
export async function drawPastPage(
  deps: Deps,
  c: HttpContext,
  past: PastReader,
  { at, path, base }: { at: number; path: string; base: string },
): Promise<Response> {
  const schema = await deps.content.schema.current();
  const source = pastDocuments(deps.content, past, schema, at);
  // Links inside a frame without an origin would be followed without the session.
  return await drawPage(deps, c, source, { path, base, reachable: true });
}

/** A page in a design that need not be saved. */
interface DesignedPage {
  given: Record<string, Json>;
  /** A theme that need not be active; the links of the page keep it. */
  theme: BuiltInThemeId | PackageState | null;
  path: string;
  base: string;
}

/** Draws the page at a path in a design that is `given`. */
export async function drawDesignPage(
  deps: Deps,
  c: HttpContext,
  { given, theme, path, base }: DesignedPage,
): Promise<Response> {
  const { publishing, settings, activeTheme, content: { context } } = deps;
  const [saved, current] = await Promise.all([settings.all(), publishing.rendering()]);
  let rendering = await withDesign(context, current, saved, given);
  if (theme !== null) {
    const ready = await readyTheme(activeTheme, theme);
    await putAssets(publishing, ready);
    rendering = { ...rendering, theme: ready };
  }
  const query = theme === null ? "" : `?theme=${typeof theme === "string" ? theme : theme.id}`;
  return await drawPage(deps, c, deps, { path, base, query, reachable: true, rendering });
}

/** The content and path of a preview. */
interface DrawnPage {
  path: string;
  /** The path below which such pages are. */
  base: string;
  /** Added to the links of the page. */
  query?: string;
  reachable?: boolean;
  /** The site's own when left out. */
  rendering?: Rendering;
}

async function drawPage(
  deps: Deps,
  c: HttpContext,
  source: DocumentSource,
  { path, base, query = "", reachable = false, ...given }: DrawnPage,
): Promise<Response> {
  const rendering = given.rendering ?? await deps.publishing.rendering();
  const page = await renderPath(source, rendering, path);
  const own = ownOrigin(c, deps.trustProxy);
  const headers = previewHeaders(own, page, { reachable });
  return new Response(withLinks(page, rendering.site.url, { base, query }), {
    status: isMissing(page) ? 404 : 200,
    headers: { ...headers, "cache-control": "private, no-store" },
  });
}

/** An address of the site in a link: `href="/posts"`, with or without the site's origin. */
const LINK = /(<a\b[^>]*?\shref=)(["'])([^"']*)\2/gi;
/** Paths that are not pages of documents: files, feeds, and routes of the service. */
const NO_PAGE = /^\/(?:media|admin|api|assets)\/|\.[a-z0-9]+$/i;

function withLinks(
  { body, contentType }: Page,
  siteUrl: string,
  { base, query }: { base: string; query: string },
): string {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  if (!contentType.startsWith("text/html")) return text;
  return text.replace(LINK, (link, before: string, quote: string, address: string) => {
    const isOwn = siteUrl !== "" && address.startsWith(`${siteUrl}/`);
    const path = isOwn ? address.slice(siteUrl.length) : address;
    if (!path.startsWith("/") || path.startsWith("//") || NO_PAGE.test(path)) return link;
    return `${before}${quote}${base}${query === "" ? path : withQuery(path, query)}${quote}`;
  });
}

/** A path with a query of its own loses it: no page of a document or list has one. */
function withQuery(path: string, query: string): string {
  const [, page = "", hash = ""] = /^([^?#]*)[^#]*(#.*)?$/.exec(path) ?? [];
  return page + query + hash;
}
