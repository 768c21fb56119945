/**
 * The comments on a document: on the whole of it or one of its fields, in threads of a comment and its
 * answers. All comments of a document form one separate entity under the document's id: they have versions and
 * backups, and are deleted with the document, without creating versions of it.
 *
 * @module
 */
import { z } from "zod";
import { COMMENT_CHARS_MAX, COMMENTS_MAX, MENTIONS_MAX } from "../../limits/content.ts";
import { fieldType } from "../fields/types/registry.ts";
import { AnchoredText } from "../anchored_text.ts";
import { type AnchorContext, CommentAnchor, type FoundRange } from "../comment_anchor.ts";
import type { Collection } from "./collection.ts";
import type { DocumentState } from "./document.ts";
import { isFramingRoot, laidOver } from "./working_copy.ts";
import { invalid, Refusal } from "../../refusals.ts";

/** A comment. Times are epoch seconds, people are ids of users. */
export interface Comment {
  id: string;
  /** The storage key of a field, or `title`, `slug` or `blocks`; null for the whole document. */
  field: string | null;
  /** The words of the field that it is about, as they were; absent for all of it. */
  anchor?: CommentAnchor;
  /** The text around these words as it was; absent if they were not there, and for comments of earlier versions. */
  context?: AnchorContext;
  /** The comment that it answers, which is no answer itself. */
  replyTo: string | null;
  text: string;
  mentions: string[];
  createdBy: string | null;
  createdAt: number;
  editedAt: number | null;
  /** A resolved comment is done with, and so are its answers. */
  resolvedBy: string | null;
  resolvedAt: number | null;
}

/** The state of a discussion. */
export interface DiscussionState {
  /** The document's. */
  id: string;
  /** Oldest first. */
  comments: Comment[];
}

const text = z.string().trim().min(1).max(COMMENT_CHARS_MAX);
const mentions = z.array(z.ulid()).max(MENTIONS_MAX).transform((ids) => [...new Set(ids)]);

/** A new comment; `field` by its name on the wire. */
export const NewComment = z.strictObject({
  text,
  field: z.string().nullable().default(null),
  anchor: CommentAnchor.optional(),
  replyTo: z.ulid().nullable().default(null),
  mentions: mentions.default([]),
});
export type NewComment = z.infer<typeof NewComment>;

/** A change of a comment. */
export const CommentPatch = z.strictObject({
  text: text.optional(),
  mentions: mentions.optional(),
  resolved: z.boolean().optional(),
});
export type CommentPatch = z.infer<typeof CommentPatch>;

/** A comment as the admin shows it: `field` by the name that it has now, null once it is gone. */
export type CommentView = Omit<Comment, "context"> & {
  /** Where the words of the anchor are now, with the words if they were corrected; null once they were removed. */
  anchoredAt?: FoundRange | null;
};

/** The comment with an id; refuses with NOT_FOUND. */
export function commentOf({ comments }: DiscussionState, id: string): Comment {
  const comment = comments.find((one) => one.id === id);
  if (comment === undefined) throw new Refusal("NOT_FOUND");
  return comment;
}

/** A discussion with one more comment; an answer takes the field of what it answers. */
export function withComment(
  state: DiscussionState,
  input: NewComment,
  { document, collection }: { document: DocumentState; collection: Collection },
  made: Pick<Comment, "id" | "createdBy" | "createdAt">,
): DiscussionState {
  if (state.comments.length >= COMMENTS_MAX) {
    const about = `a document has at most ${COMMENTS_MAX} comments; delete resolved ones`;
    throw new Refusal("CONFLICT", { about });
  }
  const answered = input.replyTo === null ? null : threadOf(state, input.replyTo);
  if (input.anchor !== undefined) refuseAnchor(input, collection);
  const field = answered === null ? rootOf(input.field, collection) : answered.field;
  const { anchor } = input;
  const context = anchor && field !== null
    ? new AnchoredText(laidOver(document).data[field]).contextOf(anchor)
    : undefined;
  const comment: Comment = {
    ...made,
    ...(anchor !== undefined && { anchor }),
    ...(context !== undefined && { context }),
    field,
    replyTo: answered?.id ?? null,
    text: input.text,
    mentions: input.mentions,
    editedAt: null,
    resolvedBy: null,
    resolvedAt: null,
  };
  return { ...state, comments: [...state.comments, comment] };
}

/** A discussion without a comment and its answers. */
export function withoutComment(state: DiscussionState, id: string): DiscussionState {
  commentOf(state, id);
  const comments = state.comments.filter((one) => one.id !== id && one.replyTo !== id);
  return { ...state, comments };
}

/** A discussion in which a comment is another one. */
export function withChanged(state: DiscussionState, changed: Comment): DiscussionState {
  const comments = state.comments.map((one) => one.id === changed.id ? changed : one);
  return { ...state, comments };
}

/** How many threads wait to be resolved. */
export function openThreads(comments: readonly Comment[]): number {
  return comments.filter(({ replyTo, resolvedAt }) => replyTo === null && resolvedAt === null)
    .length;
}

/** A comment by the names of today. */
export function commentView(
  { context: _, ...comment }: Comment,
  { fields }: Collection,
): CommentView {
  const { field } = comment;
  const name = field === null || isFramingRoot(field)
    ? field
    : fields.find(({ key }) => key === field)?.name ?? null;
  return { ...comment, field: name };
}

/** Comments by the names of today, each with where its words are in the document as editors see it. */
export function discussionView(
  comments: readonly Comment[],
  state: DocumentState,
  collection: Collection,
): CommentView[] {
  const { data } = laidOver(state);
  const texts = new Map<string, AnchoredText>();
  return comments.map((comment) => {
    const view = commentView(comment, collection);
    const { anchor, field, context } = comment;
    if (anchor === undefined || field === null) return view;
    const text = texts.get(field) ?? new AnchoredText(data[field]);
    texts.set(field, text);
    return { ...view, anchoredAt: view.field === null ? null : text.find(anchor, context) };
  });
}

/** Only the first comment of a thread is about words, and only a rich text has blocks with keys. */
function refuseAnchor({ field, replyTo }: NewComment, { fields }: Collection): void {
  if (replyTo !== null) {
    throw invalid("anchor", "UNKNOWN_KEY", "A reply refers to the words of its thread");
  }
  const commented = fields.find(({ name }) => name === field);
  if (commented === undefined || !fieldType(commented.type).richText) {
    throw invalid("anchor", "UNKNOWN_KEY", "Only words of a rich text field can be commented on");
  }
}

/** The first comment of the thread that a reply belongs to. */
function threadOf(state: DiscussionState, id: string): Comment {
  const found = state.comments.find((one) => one.id === id);
  if (found === undefined) {
    throw invalid("replyTo", "INVALID_REFERENCE", "No comment on this document has this id");
  }
  return found.replyTo === null ? found : threadOf(state, found.replyTo);
}

function rootOf(name: string | null, { fields }: Collection): string | null {
  if (name === null || isFramingRoot(name)) return name;
  const key = fields.find((field) => field.name === name)?.key;
  if (key === undefined) throw invalid("field", "UNKNOWN_KEY", "The collection has no such field");
  return key;
}
