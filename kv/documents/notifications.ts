/**
 * What a user is notified of: reviews requested from them, changes requested of them, mentions in open threads
 * and schedules that failed. Nothing of it is stored: it follows from rows that are there anyway, at most three
 * reads one after another, and ends with its cause. Only the time up to which a user has read is kept.
 *
 * @module
 */
import type { Content } from "./content.ts";
import { mentioningDocuments, openMentions } from "./mention_rows.ts";
import { newestMarked } from "./reference_rows.ts";
import type { Context } from "../context.ts";
import { failedSchedules } from "../jobs/job_list.ts";
import { currentKey, notificationsReadKey } from "../keys.ts";
import { NOTIFICATIONS_MAX, NOTIFYING_DOCUMENTS_MAX } from "../limits/content.ts";
import type { Access } from "../model/entities/access.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { awaitsReviewer } from "../model/entities/review.ts";
import type { Schema } from "../model/entities/collection.ts";
import { editedTitle } from "../model/languages/in_language.ts";
import { type ReviewOf, reviewsIn } from "../model/languages/reviews_in.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { type CurrentRow, readHead } from "../versioning/entities.ts";

/** The kinds of notifications. */
export const NOTIFICATION_KINDS = [
  "review_requested",
  "changes_requested",
  "mentioned",
  "schedule_failed",
] as const;

/** A notification. */
export interface Notification {
  kind: typeof NOTIFICATION_KINDS[number];
  documentId: string;
  collectionId: string;
  /** The language of the translation that it is about; absent for the original. */
  language?: string;
  title: string;
  /** The note, the comment, or why a schedule failed. */
  text: string;
  /** The user who caused it; null for a schedule. */
  by: string | null;
  /** Epoch seconds. */
  at: number;
}

/** The notifications of a user, newest first, and the time up to which they are read. */
export interface Notifications {
  all: Notification[];
  readUntil: number;
}

/** Whether a notification is new to its user. */
export function isUnread({ at }: Notification, { readUntil }: Notifications): boolean {
  return at > readUntil;
}

type FailedSchedule = Awaited<ReturnType<typeof failedSchedules>>[number];

/** What a user is notified of now. */
export async function findNotifications(
  { context, schema: source }: Pick<Content, "context" | "schema">,
  access: Access,
  userId: string,
): Promise<Notifications> {
  const { store } = context;
  const [schema, asked, returned, mentioning, failed, read] = await Promise.all([
    source.current(),
    newestMarked(store, "asked", NOTIFYING_DOCUMENTS_MAX),
    newestMarked(store, "returned", NOTIFYING_DOCUMENTS_MAX),
    mentioningDocuments(store, userId, NOTIFYING_DOCUMENTS_MAX),
    failedSchedules(store, NOTIFYING_DOCUMENTS_MAX),
    store.get<number>(notificationsReadKey(userId)),
  ]);
  const scheduled = failed.map(({ schedule }) => schedule.documentId);
  const [documents, mentions] = await Promise.all([
    readDocuments(context, [...asked, ...returned, ...mentioning, ...scheduled]),
    readMentions(context, mentioning, userId),
  ]);
  const { documents: rights } = access.authorityOf(userId);
  const readable = [...documents.values()].filter((state) =>
    state.status !== "trashed" && rights.on("read", state)
  );
  const shown = new Map(readable.map((state) => [state.id, state]));
  const all = [
    ...readable.flatMap((state) => reviewNotifications(state, schema, access, userId)),
    ...mentions.flatMap((mention) => withDocument(mention, shown)),
    ...failed.flatMap((failure) => failureNotification(failure, shown, userId)),
  ];
  all.sort((a, b) => b.at - a.at);
  return { all: all.slice(0, NOTIFICATIONS_MAX), readUntil: read.value ?? 0 };
}

/** Marks what a user has been notified of up to a time as read; a later time that is stored stays. */
export async function markNotificationsRead(
  { store }: Context,
  userId: string,
  until: number,
): Promise<void> {
  for (;;) {
    const entry = await store.get<number>(notificationsReadKey(userId));
    if ((entry.value ?? 0) >= until) return;
    const operation = new Operation().check(entry).set(entry.key, until);
    if ((await store.commit(operation)).ok) return;
  }
}

async function readDocuments(
  context: Context,
  ids: readonly string[],
): Promise<Map<string, DocumentState>> {
  const states = await readStates(context, "document", [...new Set(ids)]);
  return new Map(states.map((state) => [state.id, state]));
}

async function readMentions(
  context: Context,
  documentIds: readonly string[],
  userId: string,
): Promise<Omit<Notification, "collectionId" | "title">[]> {
  const discussions = await readStates(context, "discussion", documentIds);
  return discussions.flatMap((discussion) =>
    openMentions(discussion, userId).map(({ text, language, createdBy, createdAt, editedAt }) => ({
      kind: "mentioned" as const,
      documentId: discussion.id,
      ...(language !== undefined && { language }),
      text,
      by: createdBy,
      at: editedAt ?? createdAt,
    }))
  );
}

async function readStates<T extends "document" | "discussion">(
  context: Context,
  type: T,
  ids: readonly string[],
) {
  const entries = await context.store.getMany(ids.map((id) => currentKey(type, id)));
  const heads = await Promise.all(
    (entries as Entry<CurrentRow>[]).map((entry) =>
      readHead(context, type, entry.key[2] as string, entry.key, entry)
    ),
  );
  return heads.flatMap(({ state }) => state === null ? [] : [state]);
}

function withDocument(
  notification: Omit<Notification, "collectionId" | "title">,
  documents: ReadonlyMap<string, DocumentState>,
): Notification[] {
  const state = documents.get(notification.documentId);
  if (state === undefined) return [];
  const { language, ...rest } = notification;
  return [{ ...rest, collectionId: state.collectionId, ...editedTitle(state, language) }];
}

function reviewNotifications(
  state: DocumentState,
  { byId }: Schema,
  access: Access,
  userId: string,
): Notification[] {
  const collection = byId.get(state.collectionId);
  if (collection === undefined) return [];
  return reviewsIn(state, collection).flatMap((one) =>
    reviewNotification(state, one, access, userId)
  );
}

function reviewNotification(
  { id: documentId, collectionId }: DocumentState,
  { review, language, publishIn, title }: ReviewOf,
  access: Access,
  userId: string,
): Notification[] {
  const about = { documentId, collectionId, ...(language !== undefined && { language }), title };
  if (review.state === "returned") {
    if (review.askedBy !== userId || review.returnedAt === null) return [];
    const { answer, returnedBy: by, returnedAt: at } = review;
    return [{ kind: "changes_requested", ...about, text: answer ?? "", by, at }];
  }
  const mayPublish = (id: string) => access.mayPublish(id, collectionId, publishIn);
  const isAsked = review.askedBy !== userId && mayPublish(userId) &&
    awaitsReviewer(review, userId, mayPublish);
  if (!isAsked) return [];
  const { note: text, askedBy: by, askedAt: at } = review;
  return [{ kind: "review_requested", ...about, text, by, at }];
}

/** A schedule that failed is of the user who set it, and of the document's creator, while the document waits. */
function failureNotification(
  { job, schedule }: FailedSchedule,
  documents: ReadonlyMap<string, DocumentState>,
  userId: string,
): Notification[] {
  const { documentId, language, by } = schedule;
  const state = documents.get(documentId);
  if (state === undefined || (by !== userId && state.createdBy !== userId)) return [];
  const { status } = language === undefined ? state : state.translations?.[language] ?? {};
  if (status !== "draft") return [];
  const at = Math.floor(job.updatedAt / 1_000);
  const about = { documentId, ...(language !== undefined && { language }) };
  const kind = "schedule_failed" as const;
  return withDocument({ kind, ...about, text: job.error ?? "", by: null, at }, documents);
}
