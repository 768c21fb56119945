/**
 * Reviews: users who may not publish a document request one from users who may. Part of the document's
 * state, so that its history, backups and restores hold it; it ends with what it was asked for.
 *
 * @module
 */
import { z } from "zod";
import { REVIEW_NOTE_CHARS_MAX, REVIEWERS_MAX } from "../../limits/content.ts";
import type { DocumentState } from "./document.ts";
import { sameJson } from "../values/same_json.ts";

/** A review of a document's unpublished content. Times are epoch seconds, people are ids of users. */
export interface Review {
  /** `asked` until a reviewer returns it; publishing ends it. */
  state: "asked" | "returned";
  /** The note of the author; may be empty. */
  note: string;
  askedBy: string | null;
  askedAt: number;
  /** The users who are asked; absent if everyone who may publish is. */
  reviewers?: string[];
  /** The note of the reviewer, once it is returned. */
  answer: string | null;
  returnedBy: string | null;
  returnedAt: number | null;
}

/** The body that returns a review. */
export const ReviewBody = z.strictObject({
  note: z.string().trim().max(REVIEW_NOTE_CHARS_MAX).default(""),
});

/** The body that asks for a review; without reviewers, everyone who may publish is asked. */
export const ReviewRequestBody = ReviewBody.extend({
  reviewers: z.array(z.ulid()).max(REVIEWERS_MAX).default([])
    .transform((ids) => [...new Set(ids)]),
});
export type ReviewRequest = z.infer<typeof ReviewRequestBody>;

/** A document or a translation, as far as its review is concerned. */
export type Reviewed = Pick<DocumentState, "title" | "status" | "workingCopy" | "review">;

/** Whether it has something that could be reviewed: it is a draft, or has a working copy. */
export function isReviewable({ status, workingCopy }: Reviewed): boolean {
  return status === "draft" || (status === "published" && workingCopy !== undefined);
}

/** Whether a review is requested. */
export function awaitsReview<T extends Reviewed>(state: T | null): state is T & { review: Review } {
  return state?.review?.state === "asked";
}

/**
 * Whether a review waits for a user who may publish the document. If none of the chosen reviewers may any
 * longer, it waits for everyone who may.
 */
export function awaitsReviewer(
  { reviewers }: Review,
  userId: string,
  mayPublish: (userId: string) => boolean,
): boolean {
  return reviewers === undefined || reviewers.includes(userId) || !reviewers.some(mayPublish);
}

/**
 * A state as it may be stored: the reviews of what is decided by now are gone, and those of translations that are
 * archived or trashed with their document.
 */
export function withoutDecidedReview(state: DocumentState): DocumentState {
  const { translations = {}, status } = state;
  const next = withoutDecided(state);
  const isOff = status === "archived" || status === "trashed";
  const isDecided = (one: Reviewed) => one.review !== undefined && (isOff || !isReviewable(one));
  if (!Object.values(translations).some(isDecided)) return next;
  const kept = Object.entries(translations).map((
    [code, one],
  ) => [code, isDecided(one) ? withoutReview(one) : one]);
  return { ...next, translations: Object.fromEntries(kept) };
}

function withoutDecided<T extends Reviewed>(side: T): T {
  return side.review === undefined || isReviewable(side) ? side : withoutReview(side);
}

function withoutReview<T extends Reviewed>(side: T): T {
  const { review: _decided, ...rest } = side;
  return rest as T;
}

/** Whether two states differ only in their reviews. */
export function isSameButReview(a: DocumentState, b: DocumentState): boolean {
  return sameJson({ ...a, review: null }, { ...b, review: null });
}
