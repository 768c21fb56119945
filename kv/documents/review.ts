/**
 * Asking for the review of a document, returning it, and taking the question back: versioned writes that
 * change nothing public, and the mails that tell of them.
 *
 * @module
 */
import type { Content } from "./content.ts";
import { documentHead } from "./documents.ts";
import { schemaOf, stageDocument, type StoredDocument } from "./write.ts";
import { stageEditorialMail } from "../people/editorial_mail.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import { isReviewable, type Review } from "../model/entities/review.ts";
import { laidOver } from "../model/entities/working_copy.ts";
import { Refusal } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Requests a review from the users who may publish a document; a second request replaces the note. */
export async function askForReview(
  content: Content,
  actor: Actor,
  id: string,
  note: string,
): Promise<StoredDocument> {
  return await changeReview(content, actor, id, (state, transaction) => {
    if (!isReviewable(state)) {
      const about = state.status === "published"
        ? "there are no unpublished changes"
        : `the document is ${state.status}`;
      throw new Refusal("CONFLICT", { about });
    }
    stageMail(transaction, state, { event: "review_asked", to: null, text: note });
    const review: Review = {
      state: "asked",
      note,
      askedBy: actor.userId,
      askedAt: transaction.at,
      answer: null,
      returnedBy: null,
      returnedAt: null,
    };
    return { review, summary: "Review asked for" };
  });
}

/** Returns a document to the user who requested its review; CONFLICT if no review is requested. */
export async function returnReview(
  content: Content,
  actor: Actor,
  id: string,
  answer: string,
): Promise<StoredDocument> {
  return await changeReview(content, actor, id, (state, transaction) => {
    const { review } = state;
    if (review?.state !== "asked") {
      throw new Refusal("CONFLICT", { about: "no review is requested" });
    }
    const { userId } = actor;
    if (review.askedBy !== null && review.askedBy !== userId) {
      const to = [review.askedBy];
      stageMail(transaction, state, { event: "review_returned", to, text: answer });
    }
    const returned = { answer, returnedBy: userId, returnedAt: transaction.at };
    return { review: { ...review, state: "returned", ...returned }, summary: "Review returned" };
  });
}

/**
 * Takes the question back, or what came of it out of sight; NOT_FOUND without a review. `mayPublish` lets
 * others than the one who asked do it.
 */
export async function withdrawReview(
  content: Content,
  actor: Actor,
  id: string,
  { mayPublish }: { mayPublish: boolean },
): Promise<void> {
  await changeReview(content, actor, id, ({ review }) => {
    if (review === undefined) throw new Refusal("NOT_FOUND", { about: "no review is requested" });
    if (review.askedBy !== actor.userId && !mayPublish) throw new Refusal("FORBIDDEN");
    return { review: null, summary: "Review withdrawn" };
  });
}

/** Decides what becomes of a document's review; null takes it away. */
type ReviewChange = (
  state: DocumentState,
  transaction: Transaction,
) => { review: Review | null; summary: string };

async function changeReview(
  content: Content,
  actor: Actor,
  id: string,
  change: ReviewChange,
): Promise<StoredDocument> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    const { review, summary } = change(state, transaction);
    const { review: _before, ...rest } = state;
    const next: DocumentState = review === null ? rest : { ...rest, review };
    const options = { summary, republish: false };
    return await stageDocument(transaction, content, { collection, head, after: next, options });
  });
}

function stageMail(
  { operation, context, actor }: Transaction,
  state: DocumentState,
  mail: { event: "review_asked" | "review_returned"; to: string[] | null; text: string },
): void {
  const { title } = laidOver(state);
  stageEditorialMail(operation, context, {
    ...mail,
    by: actor.userId,
    documentId: state.id,
    collectionId: state.collectionId,
    title,
  });
}
