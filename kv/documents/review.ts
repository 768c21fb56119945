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
import { refuseLanguage } from "./translations/translations.ts";
import { refuseLanguageBeyond } from "./translations/language_limits.ts";
import type { Collection } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { Access } from "../model/entities/access.ts";
import {
  isReviewable,
  type Review,
  type Reviewed,
  type ReviewRequest,
} from "../model/entities/review.ts";
import { laidOver } from "../model/entities/working_copy.ts";
import { translationLaidOver } from "../model/languages/in_language.ts";
import { reviewLanguage } from "../model/languages/reviews_in.ts";
import { statusOf, translationOf, withTranslation } from "../model/languages/translation.ts";
import { invalid, Refusal } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** The users as they are now: reviewers must be some of those who may publish the document. */
export interface ReviewRequester {
  actor: Actor;
  access: Access;
}

/** Requests a review from chosen users, or all, who may publish a document; a second request replaces the first. */
export async function askForReview(
  content: Content,
  { actor, access }: ReviewRequester,
  id: string,
  { note, reviewers }: ReviewRequest,
  language?: string,
): Promise<StoredDocument> {
  return await changeReview(content, actor, { id, language }, (side, transaction, mail) => {
    refuseOtherReviewers(reviewers, access, side);
    if (!isReviewable(side)) {
      const about = side.status === "published"
        ? "there are no unpublished changes"
        : `the ${language === undefined ? "document" : "translation"} is ${side.status}`;
      throw new Refusal("CONFLICT", { about });
    }
    mail({ event: "review_asked", to: reviewers.length === 0 ? null : reviewers, text: note });
    const review: Review = {
      state: "asked",
      note,
      askedBy: actor.userId,
      askedAt: transaction.at,
      ...(reviewers.length > 0 && { reviewers }),
      answer: null,
      returnedBy: null,
      returnedAt: null,
    };
    return { review, summary: "Review asked for" };
  });
}

function refuseOtherReviewers(
  reviewers: readonly string[],
  access: Access,
  { collectionId, publishIn }: ReviewedSide,
): void {
  const index = reviewers.findIndex((id) => !access.mayPublish(id, collectionId, publishIn));
  if (index === -1) return;
  const message = `No user with this id may publish ${
    publishIn === undefined ? "the document" : `in ${publishIn}`
  }`;
  throw invalid(`reviewers.${index}`, "INVALID_REFERENCE", message);
}

/** Returns a document to the user who requested its review; CONFLICT if no review is requested. */
export async function returnReview(
  content: Content,
  actor: Actor,
  id: string,
  answer: string,
  language?: string,
): Promise<StoredDocument> {
  return await changeReview(content, actor, { id, language }, (side, transaction, mail) => {
    const { review, state, collection } = side;
    refuseLanguageBeyond(actor, collection, state, language ?? "", "publish");
    if (review?.state !== "asked") {
      throw new Refusal("CONFLICT", { about: "no review is requested" });
    }
    const { userId } = actor;
    if (review.askedBy !== null && review.askedBy !== userId) {
      const to = [review.askedBy];
      mail({ event: "review_returned", to, text: answer });
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
  { mayPublish, language }: { mayPublish: boolean; language?: string },
): Promise<void> {
  await changeReview(content, actor, { id, language }, ({ review }) => {
    if (review === undefined) throw new Refusal("NOT_FOUND", { about: "no review is requested" });
    if (review.askedBy !== actor.userId && !mayPublish) throw new Refusal("FORBIDDEN");
    return { review: null, summary: "Review withdrawn" };
  });
}

/** A mail about a review. */
interface ReviewMail {
  event: "review_asked" | "review_returned";
  to: string[] | null;
  text: string;
}

/** The document or translation whose review changes. */
interface ReviewedSide extends Reviewed, Pick<DocumentState, "collectionId"> {
  /** The language in which reviewers must be allowed to publish. */
  publishIn: string | undefined;
  /** The whole document. */
  state: DocumentState;
  collection: Collection;
}

/** Decides what becomes of a review; null takes it away. */
type ReviewChange = (
  side: ReviewedSide,
  transaction: Transaction,
  stageMail: (mail: ReviewMail) => void,
) => { review: Review | null; summary: string };

/** Changes the review of a document, or of its translation into a language. */
async function changeReview(
  content: Content,
  actor: Actor,
  { id, language }: { id: string; language: string | undefined },
  change: ReviewChange,
): Promise<StoredDocument> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (language !== undefined) refuseLanguage(collection, language);
    const translation = language === undefined ? undefined : translationOf(state, language);
    if (language !== undefined && translation === undefined) throw new Refusal("NOT_FOUND");
    const side = translation === undefined
      ? laidOver(state)
      : { ...translationLaidOver(translation), status: statusOf(state, translation) };
    const { workingCopy } = translation ?? state;
    const publishIn = reviewLanguage(state, collection, language);
    const { title, status, review: before } = side;
    const reviewed: ReviewedSide = {
      title,
      status,
      collectionId: state.collectionId,
      ...(before && { review: before }),
      ...(workingCopy && { workingCopy }),
      publishIn,
      state,
      collection,
    };
    const { review, summary } = change(
      reviewed,
      transaction,
      (mail) => stageMail(transaction, state, { title, language, publishIn }, mail),
    );
    const after = language === undefined || translation === undefined
      ? withReview(state, review)
      : withTranslation(state, language, withReview(translation, review));
    const options = {
      summary: language === undefined ? summary : `${summary}: ${language}`,
      republish: false,
    };
    return await stageDocument(transaction, content, { collection, head, after, options });
  });
}

function withReview<T extends Reviewed>(side: T, review: Review | null): T {
  const { review: _before, ...rest } = side;
  return { ...rest, ...(review !== null && { review }) } as T;
}

function stageMail(
  { operation, context, actor }: Transaction,
  { id: documentId, collectionId }: DocumentState,
  { title, language, publishIn }: Pick<ReviewedSide, "title" | "publishIn"> & {
    language: string | undefined;
  },
  mail: ReviewMail,
): void {
  const about = {
    documentId,
    collectionId,
    title,
    ...(language !== undefined && { language }),
    ...(publishIn !== undefined && { publishIn }),
  };
  stageEditorialMail(operation, context, { ...mail, by: actor.userId, ...about });
}
