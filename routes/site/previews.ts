/**
 * `/preview/{token}`: a document in the site's theme, as it is now, for whoever has the secret.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { findPreview } from "../../kv/documents/previews.ts";
import { previewIdOf } from "../../kv/model/token_text.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps.ts";
import { drawPreview } from "../document_preview.ts";

/** Shows previews; what has ended or was revoked is not there. */
export function previewRoutes(deps: Deps): Hono {
  const { content, reader } = deps;
  return new Hono().get("/:token", async (c, next) => {
    const token = c.req.param("token");
    // A collection may be called preview, too.
    if (previewIdOf(token) === null) return await next();
    const preview = await findPreview(content.context, token);
    const stored = preview && await reader.find(preview.documentId);
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
