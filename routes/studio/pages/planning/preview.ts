/**
 * A document as the public will see it, drawn by the site's own theme, whatever its status. Nothing of
 * it runs, and it knows nothing of who looks at it.
 *
 * @module
 */
import type { Deps } from "../../../process/deps.ts";
import { drawPreview } from "../../../answers/document_preview.ts";
import { findDocument } from "../content/document.tsx";
import type { Handlers } from "../../screens.ts";

/** `/documents/:id/preview`. */
export function previewScreens(deps: Deps): Handlers<"preview"> {
  return {
    preview: async (c) => {
      const { stored, collection } = await findDocument(deps, c.get("visit"), c.req.param("id"));
      return await drawPreview(deps, c, stored.state, collection, { reachable: true });
    },
  };
}
