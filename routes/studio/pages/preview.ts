/**
 * A document as the public will see it, drawn by the site's own theme, whatever its status. Nothing of
 * it runs, and it knows nothing of who looks at it.
 *
 * @module
 */
import { lookUp } from "../../../jobs/publishing/page_lookup.ts";
import { renderDocument } from "../../../jobs/render/document_page.ts";
import { referencesOf } from "../../../jobs/render/view.ts";
import type { DocumentState } from "../../../kv/model/document.ts";
import { isPublished } from "../../../kv/model/page.ts";
import { laidOver } from "../../../kv/model/working_copy.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { Deps } from "../../deps.ts";
import { ownOrigin } from "../../own_origin.ts";
import { previewHeaders } from "../../preview_headers.ts";
import { findDocument } from "./document.tsx";
import type { Handlers } from "../screens.ts";

/** `/documents/:id/preview`. */
export function previewScreens(deps: Deps): Handlers<"preview"> {
  return {
    preview: async (c) => {
      const { stored, collection } = await findDocument(deps, c.get("visit"), c.req.param("id"));
      const document: DocumentState = { ...laidOver(stored.state), status: "published" };
      if (!isPublished(document)) throw new Refusal("NOT_FOUND");
      const rendering = await deps.publishing.rendering();
      const lookup = await lookUp(deps, referencesOf(document, collection, rendering));
      const page = renderDocument(rendering, document, collection, lookup);
      const headers = previewHeaders(ownOrigin(c, deps.trustProxy), page.contentType);
      return new Response(page.body as Uint8Array<ArrayBuffer>, { headers });
    },
  };
}
