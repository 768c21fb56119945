/**
 * What a document has once it is there. The page of a new one carries it in a template, which the browser
 * puts in its place when the document gets its id.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { DocumentState } from "../../../../kv/model/entities/document.ts";

/** Stands where the id will be. */
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
