/**
 * The part of a document that the public sees.
 *
 * @module
 */
import type { DocumentState } from "./document.ts";
import { sameJson } from "../values/same_json.ts";

/** Whether a document, or changes of it, become public with the step from one state to the next. */
export function becomesPublic(before: DocumentState | null, after: DocumentState | null): boolean {
  if (after?.status !== "published") return false;
  return before === null || !sameJson(publicPart(before), publicPart(after));
}

/** The public part of a state, or of a translation. */
export function publicPart(
  { status, title, slug, data, blocks = [] }:
    & Pick<DocumentState, "status" | "title" | "slug" | "data">
    & Partial<Pick<DocumentState, "blocks">>,
) {
  return { isPublic: status === "published", title, slug, data, blocks };
}
