/**
 * The write of a document's state. Everything that depends on it goes into the same commit: the version, the
 * reservations of slug and unique values, the list index, search, and the job that makes the change public.
 *
 * @module
 */
import { copyValue } from "../model/fields/copy_value.ts";
import type { Content } from "./content.ts";
import { documentOf, moveReservations, takenReservations } from "./reservations.ts";
import { stageDiscussionRemoval } from "./discussion_removal.ts";
import { refuseSecond } from "./singleton.ts";
import { refuseOtherLanguages } from "./translations/language_limits.ts";
import { languagesOfChange } from "./translations/changed_languages.ts";
import { withLanguagesSettled } from "./translations/translation_settling.ts";
import { stageReferences } from "./reference_rows.ts";
import type { Head } from "../versioning/entities.ts";
import { requestFanOut } from "../jobs/fan_out_request.ts";
import { recordChange } from "../changes/change_log.ts";
import { requestCompactionSometimes } from "../changes/compaction.ts";
import { requestCompaction } from "../index/segments/compaction_request.ts";
import { recordDelta } from "../index/segments/delta.ts";
import { indexRow } from "../index/index_row.ts";
import type { JobClass } from "../jobs/job_contract.ts";
import { canExpire, stageSchedule } from "./schedule_jobs.ts";
import { addJob } from "../jobs/jobs.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import {
  changedLanguages,
  hasPublicTranslation,
  translatedInto,
  type Translation,
  translationOf,
} from "../model/languages/translation.ts";
import { withConverted } from "../model/fields/field_migration.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import { publicPart } from "../model/entities/publication.ts";
import { sameJson } from "../model/values/same_json.ts";
import { changedTags } from "../model/fields/tags.ts";
import { awaitsReview, isSameButReview, withoutDecidedReview } from "../model/entities/review.ts";
import { settled } from "../model/entities/working_copy.ts";
import { stageEditorialMail } from "../people/editorial_mail.ts";
import { requestSiteRendering } from "../pages/rendering_requests.ts";
import { Refusal } from "../refusals.ts";
import { searchedCodes, stageLanguageRemovals } from "../search/languages/language_posting.ts";
import { recordRemoval } from "../search/segments/posting.ts";
import { requestSearchCompactionSometimes } from "../search/delta/search_requests.ts";
import { CHANGED_TAGS_MAX } from "../tuning.ts";
import type { SavedVersion, SaveOptions, Transaction } from "../versioning/transaction.ts";

/** A document with its version number, which conditional requests compare. */
export interface StoredDocument {
  state: DocumentState;
  /** Version number. */
  n: number;
}

/** The result of a write. */
export interface WriteResult extends StoredDocument {
  /** The job that makes the change public, if there is one. */
  jobId: string | null;
}

/** The schema that this attempt uses; the commit fails if it has changed. */
export async function schemaOf(transaction: Transaction, content: Content): Promise<Schema> {
  return await content.schema.of(transaction);
}

/** How a document's next state is staged. */
export interface StageOptions extends SaveOptions {
  /** False if the public site stays as it is. */
  republish?: boolean;
  /** Whether the state comes from history: a value that is taken is then a conflict, not invalid. */
  restores?: boolean;
  /** Whether a plugin writes: plugins are then not notified of the publication. */
  byPlugin?: boolean;
  /** The class of the job that makes the change public; by the actor if absent. */
  class?: JobClass;
}

/** A write of one document. */
export interface DocumentWrite {
  collection: Collection;
  /** The document as it is; null for a new one. */
  head: Head<"document"> | null;
  /** The document's next state; null for a tombstone. */
  after: DocumentState | null;
  options?: StageOptions;
}

/** A write whose reservations have moved. */
interface ReservedWrite extends DocumentWrite {
  id: string;
  before: DocumentState | null;
}

/** Adds a document's next state to the commit, with everything that depends on it; null for a tombstone. */
export function stageDocument(
  transaction: Transaction,
  content: Content,
  write: DocumentWrite & { after: DocumentState },
): Promise<WriteResult>;
export function stageDocument(
  transaction: Transaction,
  content: Content,
  write: DocumentWrite,
): Promise<WriteResult | null>;
export async function stageDocument(
  transaction: Transaction,
  content: Content,
  write: DocumentWrite,
): Promise<WriteResult | null> {
  const [written = null] = await stageDocuments(transaction, content, [write]);
  return written;
}

/** Stages several documents, which may swap the values that they reserve. */
export async function stageDocuments(
  transaction: Transaction,
  content: Content,
  writes: readonly DocumentWrite[],
): Promise<(WriteResult | null)[]> {
  const changes = await Promise.all(writes.map(async ({ collection, head, after, ...rest }) => {
    const before = head?.state ?? null;
    if (after !== null) {
      after = withoutDecidedReview(await withWorkingCopyMerged(transaction, collection, after));
      if (!canExpire(after)) after = withoutEnd(after);
      refuseOtherLanguages(transaction.actor, collection, before, after);
      const last = { n: head?.row?.n ?? 0, at: transaction.at };
      after = withLanguagesSettled(collection, before, after, last);
    }
    await refuseSecond(transaction, content, collection, { before, after });
    return { ...rest, collection, head, before, after };
  }));
  const details = await moveReservations(transaction, changes);
  if (details.length > 0) {
    // Untrashing into a taken value conflicts with the current state; writing it is invalid.
    const conflicts = changes.some(({ before, options }) =>
      options?.restores || before?.status === "trashed"
    );
    throw new Refusal(conflicts ? "CONFLICT" : "VALIDATION_FAILED", { details });
  }
  const written: (WriteResult | null)[] = [];
  for (const { before, ...write } of changes) {
    stageReviewMails(transaction, before, write.after);
    written.push(await stageReserved(transaction, content, write));
  }
  return written;
}

/** Notifies the users who requested reviews of changes that become public. */
function stageReviewMails(
  transaction: Transaction,
  before: DocumentState | null,
  after: DocumentState | null,
): void {
  if (before === null || after === null) return;
  // A swap of the original publishes nothing.
  if (before.originalLanguage !== after.originalLanguage) return;
  stageReviewMail(transaction, after, undefined, { before, after });
  for (const code of translatedInto(before)) {
    const [was, is] = [translationOf(before, code), translationOf(after, code)];
    if (was && is) stageReviewMail(transaction, after, code, { before: was, after: is });
  }
}

/** The same for a document, or for its translation into a language. */
function stageReviewMail(
  { operation, context, actor: { userId } }: Transaction,
  { id: documentId, collectionId }: DocumentState,
  language: string | undefined,
  { before, after }: Record<"before" | "after", DocumentState | Translation>,
): void {
  if (!awaitsReview(before) || after.status !== "published" || after.review !== undefined) return;
  const { askedBy } = before.review;
  // A working copy that was discarded, or no longer differs, was not published.
  const isPublished = !sameJson(publicPart(before), publicPart(after));
  if (askedBy === null || askedBy === userId || !isPublished) return;
  stageEditorialMail(operation, context, {
    event: "review_published",
    to: [askedBy],
    by: userId,
    documentId,
    collectionId,
    ...(language !== undefined && { language }),
    title: after.title,
    text: "",
  });
}

/**
 * Removes the parts of a working copy that no longer differ, and merges it into a document that is not public
 * any more. A slug or unique value that another document has taken in the meantime is dropped: it must not
 * prevent the unpublication, and stays in the history.
 */
async function withWorkingCopyMerged(
  transaction: Transaction,
  collection: Collection,
  after: DocumentState,
): Promise<DocumentState> {
  const next = settled(after);
  if (after.workingCopy === undefined || after.status === "published") return next;
  const { workingCopy: _laid, ...before } = after;
  const taken = await takenReservations(transaction, { collection, before, after: next });
  for (const { field } of taken) {
    if (field === "slug") {
      next.slug = before.slug;
      continue;
    }
    const key = collection.fields.find(({ name }) => name === field)?.key;
    if (key !== undefined) copyValue(before.data, next.data, key);
  }
  return next;
}

/** Removes the end of publication of a state that is not public. */
function withoutEnd({ unpublishAt: _end, ...state }: DocumentState): DocumentState {
  return state;
}

/** Stages a write whose slug and unique values the caller has reserved. */
export async function stageReserved(
  transaction: Transaction,
  content: Content,
  { collection, head, after, options = {} }: DocumentWrite,
): Promise<WriteResult | null> {
  const before = head?.state ?? null;
  const { id } = documentOf({ before, after });
  if (after !== null) after = withConverted(after, collection, await blocksOf(content, collection));
  const write: ReservedWrite = { collection, head, id, before, after };
  const present = head ?? transaction.newHead("document", id);
  // The checked reservation of its slug also makes a creation take effect only once.
  if (head === null) transaction.operation.optionalCheck(present.entry.key);
  const saved = transaction.save("document", id, present, after, options);
  await stageIndex(transaction, content, write, saved);
  const by = transaction.actor.userId;
  stageSchedule(transaction.operation, transaction.context, id, { before, after, by });
  stageReferences(transaction.operation, id, before, after);
  if (after === null) await stageDiscussionRemoval(transaction, id);
  if (!isInternalChange(before, after)) {
    await stageChange(transaction, content, write, saved);
  }
  const jobId = options.republish === false
    ? null
    : stagePublication(transaction, collection, { id, n: saved.n, before, after }, options);
  return after === null ? null : { state: after, n: saved.n, jobId };
}

/** Block definitions, for converting values. */
async function blocksOf({ schema }: Content, { fields }: Collection): Promise<Schema["blocks"]> {
  const converts = fields.some((field) => field.migrating !== undefined);
  return converts ? (await schema.latest()).blocks : NO_BLOCKS;
}

const NO_BLOCKS: Schema["blocks"] = new Map();

async function stageIndex(
  transaction: Transaction,
  content: Content,
  { collection, id, after }: ReservedWrite,
  saved: SavedVersion,
): Promise<void> {
  const epoch = transaction.first
    ? await content.index.epoch(collection.id)
    : await content.index.readEpoch(collection.id);
  const row = after === null ? { id, gone: true as const } : indexRow(collection, after, saved.n);
  const { operation, context } = transaction;
  recordDelta(operation, collection.id, epoch, row);
  // A failed attempt that asked for a compaction asks again.
  const asks = transaction.first
    ? content.index.asksForCompaction(collection)
    : content.index.needsCompaction(collection);
  if (!asks) return;
  requestCompaction(operation, context, collection);
}

/** Whether only the working copy or the review has changed, which the change feed does not report. */
function isInternalChange(before: DocumentState | null, after: DocumentState | null): boolean {
  if (before === null || after === null) return false;
  if (!sameJson(before.review, after.review) && isSameButReview(before, after)) return true;
  if (before.status !== "published" || after.status !== "published") return false;
  const { workingCopy: _before, review: _asked, ...was } = before;
  const { workingCopy: _after, review: _ask, ...is } = after;
  const isTouched = before.workingCopy !== undefined || after.workingCopy !== undefined;
  return isTouched && sameJson(was, is);
}

/** Adds the change to the change feed, which reports it once it is committed. */
async function stageChange(
  transaction: Transaction,
  { changes, schema, webhooks }: Content,
  { collection, id, before, after }: ReservedWrite,
  { n, at }: SavedVersion,
): Promise<void> {
  const { id: collectionId } = collection;
  const statuses = { before: before?.status ?? null, after: after?.status ?? null };
  const languages = languagesOfChange(collection, before, after);
  // Only the working copy or the review of a translation has changed.
  if (languages?.changed.length === 0) return;
  recordChange(transaction.operation, {
    ...{ collectionId, id, n, at, ...statuses },
    ...(languages && { languages }),
  });
  requestCompactionSometimes(transaction.operation, transaction.context);
  transaction.after(() => Promise.resolve(changes?.notify()));
  if (await webhooks?.isAnyEnabled(await schema.latest())) {
    requestFanOut(transaction.operation, transaction.context);
  }
}

/**
 * Adds the job that updates the public site after a change of a document; null when neither state is public in any
 * language. A change of more tags than a payload may name renders the whole site instead.
 */
export function stagePublication(
  transaction: Transaction,
  collection: Collection,
  { id: documentId, n, before, after }: {
    id: string;
    n: number;
    before: DocumentState | null;
    after: DocumentState | null;
  },
  options: StageOptions = {},
): string | null {
  const { operation, context } = transaction;
  const was = isPublic(before);
  const is = isPublic(after);
  if (was && !is) {
    recordRemoval(operation, collection.id, documentId);
    requestSearchCompactionSometimes(operation, context);
  }
  if (stageLanguageRemovals(operation, collection, before, after)) {
    requestSearchCompactionSometimes(operation, context);
  }
  const inLanguages = hasPublicTranslation(before) || hasPublicTranslation(after);
  if (!was && !is && !inLanguages) return null;
  const tags = changedTags(collection, was ? before : null, is ? after : null);
  if (tags.length > CHANGED_TAGS_MAX) requestSiteRendering(operation, context);
  const isSearched = searchedCodes(collection).length > 0;
  const changed = isSearched ? changedLanguages(before, after) : [];
  const payload = {
    documentId,
    collectionId: collection.id,
    slug: documentOf({ before, after }).slug,
    n,
    ...(tags.length > 0 && tags.length <= CHANGED_TAGS_MAX && { tags }),
    ...(options.byPlugin && { byPlugin: true }),
    places: [...new Set([before, after].filter(isPublic).map(({ publishedAt }) => publishedAt))],
    ...(before === null && { isNew: true }),
    ...(!was && !is && { inLanguages: true }),
    // What is published again is posted again.
    ...(isSearched && { languages: changed.length > 0 ? changed : [""] }),
  };
  const urgency = options.class ?? publicationClass(transaction.actor);
  return addJob(operation, context, {
    type: is ? "PUBLISH" : "UNPUBLISH",
    payload,
    class: urgency,
  });
}

function isPublic(state: DocumentState | null): state is DocumentState {
  return state?.status === "published";
}

/** A user who writes in the studio waits to see the change; programs write in any number. */
function publicationClass({ userId, via }: Actor): JobClass {
  return userId !== null && via === undefined ? "interactive" : "bulk";
}
