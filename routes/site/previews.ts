/**
 * `/preview/{token}`: the current state of a document in the site's theme, or the site as a release
 * will make it, for anyone with the secret link.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { findPreview } from "../../kv/documents/lists/previews.ts";
import { previewIdOf } from "../../kv/model/values/token_text.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps/deps.ts";
import { drawPreview } from "../answers/document_preview.ts";
import { drawReleasePage } from "../answers/site_preview.ts";

/** Serves previews; expired and revoked ones are not found. */
export function previewRoutes(deps: Deps): Hono {
  const { content, reader } = deps;
  return new Hono().get("/:token{[^/]+}/:path{.*}?", async (c, next) => {
    const { token, path = "" } = c.req.param();
    // A collection may be called preview, too.
    if (previewIdOf(token) === null) return await next();
    const preview = await findPreview(content.context, token);
    if (preview !== null && "releaseId" in preview) {
      const { releaseId } = preview;
      return await drawReleasePage(deps, c, {
        releaseId,
        path: `/${path}`,
        base: `/preview/${token}`,
      });
    }
    if (preview === null || path !== "") throw new Refusal("NOT_FOUND");
    const stored = await reader.find(preview.documentId);
    const { byId } = await content.schema.current();
    const collection = byId.get(stored?.state.collectionId ?? "");
    if (!stored || collection === undefined || stored.state.status === "trashed") {
      throw new Refusal("NOT_FOUND");
    }
    const response = await drawPreview(deps, c, stored.state, collection);
    response.headers.set("cache-control", "private, no-store");
    return response;
  });
}
