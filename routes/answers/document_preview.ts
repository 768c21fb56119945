/**
 * A document as the public will see it, with its working copy laid over it, drawn by the site's own theme,
 * whatever its status.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { renderWithOthers } from "../../jobs/publishing/render_path.ts";
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import { isPublished } from "../../kv/model/entities/page.ts";
import { laidOver } from "../../kv/model/entities/working_copy.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps/deps.ts";
import { ownOrigin } from "../middleware/own_origin.ts";
import { previewHeaders } from "./preview_headers.ts";

/** Renders the page of a document; see {@linkcode previewHeaders} for `reachable`. */
export async function drawPreview(
  deps: Deps,
  c: HttpContext,
  state: DocumentState,
  collection: Collection,
  options: { reachable?: boolean } = {},
): Promise<Response> {
  const document: DocumentState = { ...laidOver(state), status: "published" };
  if (!isPublished(document)) throw new Refusal("NOT_FOUND");
  const rendering = await deps.publishing.rendering();
  const page = await renderWithOthers(deps, rendering, document, collection);
  const headers = previewHeaders(ownOrigin(c, deps.trustProxy), page, options);
  return new Response(page.body as Uint8Array<ArrayBuffer>, { headers });
}
