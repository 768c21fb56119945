/**
 * The preview of a document in the site's theme, regardless of its status. The page runs no scripts and has no
 * access to the session.
 *
 * @module
 */
import type { Deps } from "../../../deps/deps.ts";
import { drawPreview } from "../../../answers/document_preview.ts";
import { findDocument } from "../content/document.tsx";
import type { Handlers } from "../../screens.ts";

/** `/documents/:id/preview`. */
export function previewScreens(deps: Deps): Handlers<"preview"> {
  return {
    preview: async (c) => {
      const { stored, collection } = await findDocument(deps, c.get("visit"), c.req.param("id"));
      const language = c.req.query("language");
      return await drawPreview(deps, c, stored.state, collection, { language, reachable: true });
    },
  };
}
