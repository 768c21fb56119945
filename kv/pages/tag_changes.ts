/**
 * The journal of what has changed among the documents of tags, so that rendering their pages need not read
 * at the rest.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import type { Publication } from "../jobs/payloads.ts";
import { isDocumentTag } from "../model/fields/tags.ts";
import type { Operation } from "../store/operation.ts";
import { tagChangeKey } from "./page_keys.ts";

/** The document that changed; null if any may have. */
export type TagChange = {
  documentId: string;
  /** The document's old and new position in publication order, epoch seconds. */
  places: (number | null)[];
  /** Whether it comes to a new place, so that others have it near them. */
  isEntering: boolean;
  /** Whether it stays at its place. */
  isStaying?: boolean;
  /** What its page shows. */
  shown?: ShownRelated;
} | null;

/** The related documents that a page shows, as of a version of its collection's index. */
export interface ShownRelated {
  ids: string[];
  /** Absent if it is not known. */
  version?: string | null;
}

/**
 * Adds to a commit that the pages of what a document was and is tagged with must be looked at, and the job that
 * does so. Each note has a key of its own, as those of the sitemap. `shown` is what the document's page shows, if it was
 * rendered in the same commit.
 */
export function noteTagChanges(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  { documentId, collectionId, places = [], tags = [] }: Publication,
  shown?: ShownRelated,
): void {
  for (const [tagId, change] of tags) {
    // The page of a document shows what refers to it; choices have no page of their own.
    if (change === 2 && !isDocumentTag(tagId)) continue;
    noteTagChange(operation, context, { collectionId, tagId }, {
      documentId,
      places,
      isEntering: change === 1,
      isStaying: change === 2,
      ...(shown !== undefined && { shown }),
    });
  }
}

/** Adds a note about one tag to a commit, and the job that follows it. */
export function noteTagChange(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  { collectionId, tagId }: { collectionId: string; tagId: string },
  change: TagChange,
): void {
  operation.set(tagChangeKey(collectionId, tagId, context.newId(context.now())), change);
  addJob(operation, context, {
    type: "RENDER_TAGS",
    name: `tags:${collectionId}`,
    payload: { collectionId },
  });
}
