/**
 * The comments on documents: written, changed, resolved and removed by versioned writes of the entity that
 * holds all comments of one document.
 *
 * @module
 */
import type { Content } from "./content.ts";
import { schemaOf } from "./write.ts";
import { type CurrentRow, type Head, readHead } from "../versioning/entities.ts";
import type { Context } from "../context.ts";
import { currentKey } from "../keys.ts";
import type { Collection } from "../model/entities/collection.ts";
import {
  type Comment,
  commentOf,
  type CommentPatch,
  type DiscussionState,
  type NewComment,
  withChanged,
  withComment,
  withoutComment,
} from "../model/entities/discussion.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import { sameJson } from "../model/values/same_json.ts";
import { isUlid } from "../model/values/ulid.ts";
import { editedTitle } from "../model/languages/in_language.ts";
import { stageMentionRows } from "./mention_rows.ts";
import { stageEditorialMail } from "../people/editorial_mail.ts";
import type { Access } from "../model/entities/access.ts";
import { invalid, Refusal } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** The author of a comment, and whether they may publish the document: then they may delete others' comments. */
export interface Commentator {
  actor: Actor;
  mayPublish: boolean;
  /** Users as they are now: who is mentioned must be one of them. */
  access: Access;
}

/** A comment, and the collection of the document that it is on. */
export interface StoredComment {
  comment: Comment;
  collection: Collection;
}

/** The comments on a document, oldest first. */
export async function readDiscussion(context: Context, documentId: string): Promise<Comment[]> {
  const key = currentKey("discussion", documentId);
  return (await readHead(context, "discussion", documentId, key)).state?.comments ?? [];
}

/** Writes a comment on a document that is not in the trash, and tells whom it mentions. */
export async function addComment(
  content: Content,
  who: Commentator,
  documentId: string,
  input: NewComment,
): Promise<StoredComment> {
  refuseUnknownPeople(input.mentions, who);
  return await changeDiscussion(content, who, documentId, (state, { transaction, found }) => {
    if (found.document.status === "trashed") {
      throw new Refusal("CONFLICT", { about: "the document is trashed" });
    }
    const made = {
      id: transaction.newId(),
      createdBy: who.actor.userId,
      createdAt: transaction.at,
    };
    const next = withComment(state, input, found, made);
    const comment = next.comments.at(-1)!;
    stageMentions(transaction, found.document, comment, comment.mentions);
    return { next, comment, summary: "Comment written" };
  });
}

/** Changes the text of one's own comment, or resolves or reopens a thread, which anybody may. */
export async function changeComment(
  content: Content,
  who: Commentator,
  documentId: string,
  commentId: string,
  { text, mentions, resolved }: CommentPatch,
): Promise<StoredComment> {
  refuseUnknownPeople(mentions ?? [], who);
  return await changeDiscussion(content, who, documentId, (state, { transaction, found }) => {
    const before = commentOf(state, commentId);
    const { userId } = who.actor;
    let comment = before;
    if (text !== undefined || mentions !== undefined) {
      if (before.createdBy !== userId) throw new Refusal("FORBIDDEN");
      const changed = {
        ...before,
        text: text ?? before.text,
        mentions: mentions ?? before.mentions,
      };
      if (!sameJson(changed, before)) comment = { ...changed, editedAt: transaction.at };
      const added = changed.mentions.filter((id) => !before.mentions.includes(id));
      stageMentions(transaction, found.document, comment, added);
    }
    if (resolved !== undefined) comment = withResolved(comment, resolved, userId, transaction.at);
    const isResolving = comment.resolvedAt !== before.resolvedAt;
    const summary = !isResolving ? "Comment changed" : resolved ? "Resolved" : "Reopened";
    return { next: withChanged(state, comment), comment, summary };
  });
}

/** Removes one's own comment, or any if one may publish, with its answers. */
export async function removeComment(
  content: Content,
  who: Commentator,
  documentId: string,
  commentId: string,
): Promise<void> {
  await changeDiscussion(content, who, documentId, (state) => {
    const comment = commentOf(state, commentId);
    if (comment.createdBy !== who.actor.userId && !who.mayPublish) throw new Refusal("FORBIDDEN");
    return { next: withoutComment(state, commentId), comment, summary: "Comment removed" };
  });
}

interface DiscussedDocument {
  document: DocumentState;
  collection: Collection;
}

/** Decides what becomes of a discussion. */
type DiscussionChange = (
  state: DiscussionState,
  context: { transaction: Transaction; found: DiscussedDocument },
) => { next: DiscussionState; comment: Comment; summary: string };

async function changeDiscussion(
  content: Content,
  { actor }: Commentator,
  documentId: string,
  change: DiscussionChange,
): Promise<StoredComment> {
  if (!isUlid(documentId)) throw new Refusal("NOT_FOUND");
  return await versionedWrite(content.context, actor, async (transaction) => {
    const head = await transaction.head("discussion", documentId);
    const found = await findDocument(transaction, content, documentId, head);
    const state = head.state ?? { id: documentId, comments: [] };
    const { next, comment, summary } = change(state, { transaction, found });
    if (!sameJson(next, state)) {
      transaction.save("discussion", documentId, head, next, { summary });
      stageMentionRows(transaction.operation, documentId, head.state, next);
    }
    return { comment, collection: found.collection };
  });
}

/**
 * The document of a discussion. Once a discussion exists, edits of the document do not conflict with the
 * write; its removal does, because it also writes the discussion. Until then the commit checks the document.
 */
async function findDocument(
  transaction: Transaction,
  content: Content,
  id: string,
  discussion: Head<"discussion">,
): Promise<DiscussedDocument> {
  const { byId } = await schemaOf(transaction, content);
  const key = currentKey("document", id);
  const [known] = await transaction.peek<CurrentRow>(key);
  const head = await readHead(transaction.context, "document", id, key, known);
  if (discussion.state === null) transaction.operation.check(head.entry);
  const document = head.state;
  const collection = byId.get(document?.collectionId ?? "");
  if (document === null || collection === undefined) throw new Refusal("NOT_FOUND");
  return { document, collection };
}

function withResolved(
  comment: Comment,
  resolved: boolean,
  userId: string | null,
  at: number,
): Comment {
  if (comment.replyTo !== null) {
    throw invalid("resolved", "UNKNOWN_KEY", "Only the first comment of a thread can be resolved");
  }
  if (resolved === (comment.resolvedAt !== null)) return comment;
  return { ...comment, resolvedBy: resolved ? userId : null, resolvedAt: resolved ? at : null };
}

function refuseUnknownPeople(mentions: readonly string[], { access }: Commentator): void {
  const index = mentions.findIndex((id) => !access.users.has(id));
  if (index === -1) return;
  throw invalid(`mentions.${index}`, "INVALID_REFERENCE", "No user has this id");
}

function stageMentions(
  { operation, context, actor }: Transaction,
  document: DocumentState,
  { text, language }: Comment,
  mentions: readonly string[],
): void {
  const to = mentions.filter((id) => id !== actor.userId);
  if (to.length === 0) return;
  stageEditorialMail(operation, context, {
    event: "mentioned",
    to,
    by: actor.userId,
    documentId: document.id,
    collectionId: document.collectionId,
    text,
    ...editedTitle(document, language),
  });
}
