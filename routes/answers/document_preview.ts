/**
 * A document as the public will see it, with its working copy laid over it, drawn by the site's own theme,
 * whatever its status.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { renderWithOthers } from "../../jobs/publishing/render_path.ts";
import { renderingIn } from "../../jobs/render/site_languages.ts";
import { type Collection, languagesOf } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import { inLanguage, publicView } from "../../kv/model/languages/in_language.ts";
import { pageLanguagesOf, publicFallback } from "../../kv/model/languages/language.ts";
import { isPublished } from "../../kv/model/entities/page.ts";
import { laidOver } from "../../kv/model/entities/working_copy.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps/deps.ts";
import { ownOrigin } from "../middleware/own_origin.ts";
import { previewHeaders } from "./preview_headers.ts";

/** Renders the page of a document, or of its translation; see {@linkcode previewHeaders} for `reachable`. */
export async function drawPreview(
  deps: Deps,
  c: HttpContext,
  state: DocumentState,
  collection: Collection,
  { language, reachable = false }: { language?: string | undefined; reachable?: boolean } = {},
): Promise<Response> {
  const edited = language === undefined ? laidOver(state) : translated(state, collection, language);
  const document: DocumentState = { ...edited, status: "published" };
  if (!isPublished(document)) throw new Refusal("NOT_FOUND");
  const base = await deps.publishing.rendering();
  const pages = pageLanguagesOf(languagesOf(collection)).find(({ code }) => code === language);
  const rendering = pages === undefined ? base : renderingIn(base, pages);
  const page = await renderWithOthers(deps, rendering, document, collection, {
    ...(language !== undefined && { textLanguage: language }),
  });
  const headers = previewHeaders(ownOrigin(c, deps.trustProxy), page, { reachable });
  return new Response(page.body as Uint8Array<ArrayBuffer>, { headers });
}

/** A document as readers of a language will see it, with the working copy of the translation. */
function translated(state: DocumentState, collection: Collection, code: string): DocumentState {
  const site = languagesOf(collection);
  const chain = site === undefined ? [] : publicFallback(site, code);
  const view = { ...publicView(code, chain), seesDrafts: true, seesWorkingCopies: true };
  const seen = site === undefined ? null : inLanguage(state, collection, view);
  if (seen === null) throw new Refusal("NOT_FOUND");
  return seen.state;
}
