/**
 * Who is mentioned in the open threads of which document: a row for each of these users, written in the
 * discussion's own commit, so that a user's mentions are found without reading every discussion.
 *
 * @module
 */
import type { Comment, DiscussionState } from "../model/entities/discussion.ts";
import type { Operation } from "../store/operation.ts";
import { lastNames, stageSharded } from "../store/shards.ts";
import type { Store } from "../store/store.ts";

/** Adds the rows of a discussion (null: it ends) to its commit. */
export function stageMentionRows(
  operation: Operation,
  documentId: string,
  before: DiscussionState | null,
  after: DiscussionState | null,
): void {
  const held = mentionedUsers(before);
  const wanted = mentionedUsers(after);
  const stage = (userId: string, value: 1 | null) =>
    stageSharded(operation, "references", { id: rowId(userId), name: documentId, value });
  for (const id of held) if (!wanted.has(id)) stage(id, null);
  for (const id of wanted) if (!held.has(id)) stage(id, 1);
}

/** The newest documents with an open thread that mentions a user, at most `limit`. */
export function mentioningDocuments(
  store: Store,
  userId: string,
  limit: number,
): Promise<string[]> {
  return lastNames(store, "references", rowId(userId), limit);
}

/** The comments of open threads in which someone else mentions a user. */
export function openMentions({ comments }: DiscussionState, userId: string): Comment[] {
  return openComments(comments).filter(({ mentions, createdBy }) =>
    mentions.includes(userId) && createdBy !== userId
  );
}

function mentionedUsers(state: DiscussionState | null): Set<string> {
  return new Set(openComments(state?.comments ?? []).flatMap(({ mentions }) => mentions));
}

function openComments(comments: readonly Comment[]): Comment[] {
  const open = new Set(
    comments.filter(({ replyTo, resolvedAt }) => replyTo === null && resolvedAt === null)
      .map(({ id }) => id),
  );
  return comments.filter(({ id, replyTo }) => open.has(replyTo ?? id));
}

/** Unlike the id of a document or a file, so that a user is not taken for either. */
function rowId(userId: string): string {
  return `mentioned ${userId}`;
}
