/**
 * Controls of an existing document. The page of a new one contains them in a template, which the browser
 * inserts once the document has an id.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";

/** The placeholder of the id. */
const PLACEHOLDER = "{id}";

/** Now, or with the first save. */
export function WhenCreated(
  { state, children }: {
    state: Pick<DocumentState, "id"> | null;
    children: (id: string) => Child;
  },
) {
  if (state !== null) return <>{children(state.id)}</>;
  return <template data-when-created>{children(PLACEHOLDER)}</template>;
}
