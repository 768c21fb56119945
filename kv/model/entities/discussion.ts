/**
 * The comments on a document: on the whole of it or one of its fields, in threads of a comment and its
 * answers. All comments of a document form one separate entity under the document's id: they have versions and
 * backups, and are deleted with the document, without creating versions of it.
 *
 * @module
 */
import { z } from "zod";
import {
  COMMENT_CHARS_MAX,
  COMMENTS_MAX,
  LANGUAGE_CODE_CHARS_MAX,
  MENTIONS_MAX,
} from "../../limits/content.ts";
import { fieldType } from "../fields/types/registry.ts";
import { AnchoredText } from "../anchored_text.ts";
import { type AnchorContext, CommentAnchor, type FoundRange } from "../comment_anchor.ts";
import { translationLaidOver } from "../languages/in_language.ts";
import { originalOf, translationOf } from "../languages/translation.ts";
import { codesOf, type Collection, isLocalized } from "./collection.ts";
import type { DocumentState } from "./document.ts";
import type { Json } from "./entity.ts";
import { checkedAs, time, unchecked } from "./state_member.ts";
import { isFramingRoot, laidOver } from "./working_copy.ts";
import { invalid, Refusal } from "../../refusals.ts";

/** An anchor of any length and with any text position. */
const StoredPosition = z.object({ key: z.string(), offset: z.int().min(0) });
const StoredAnchor = z.object({ start: StoredPosition, end: StoredPosition, quote: z.string() });

/** A comment. Times are epoch seconds, people are ids of users. */
export const Comment = z.object({
  id: z.ulid(),
  /** The storage key of a field, or `title`, `slug` or `blocks`; null for the whole document. */
  field: z.string().nullable(),
  /** The language that it is about; absent for shared fields, all languages, and documents in one language. */
  language: unchecked<string>().exactOptional(),
  /** The words of the field that it is about, as they were; absent for all of it. */
  anchor: checkedAs<CommentAnchor>(StoredAnchor).exactOptional(),
  /** The text around these words as it was; absent if they were not there, and for comments of earlier versions. */
  context: unchecked<AnchorContext>().exactOptional(),
  /** The comment that it answers, which is no answer itself. */
  replyTo: z.ulid().nullable(),
  text: z.string(),
  mentions: z.array(z.ulid()),
  createdBy: z.ulid().nullable(),
  createdAt: time,
  editedAt: time.nullable(),
  /** A resolved comment is done with, and so are its answers. */
  resolvedBy: z.ulid().nullable(),
  resolvedAt: time.nullable(),
});
export type Comment = z.infer<typeof Comment>;

/** The state of a discussion. */
export const DiscussionState = z.object({
  /** The document's. */
  id: z.ulid(),
  /** Oldest first. */
  comments: z.array(Comment),
});
export type DiscussionState = z.infer<typeof DiscussionState>;

const text = z.string().trim().min(1).max(COMMENT_CHARS_MAX);
const mentions = z.array(z.ulid()).max(MENTIONS_MAX).transform((ids) => [...new Set(ids)]);

/** A new comment; `field` by its name on the wire. */
export const NewComment = z.strictObject({
  text,
  field: z.string().nullable().default(null),
  language: z.string().max(LANGUAGE_CODE_CHARS_MAX).optional(),
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

/** A discussion with one more comment; an answer takes the field and language of what it answers. */
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
  const language = answered === null ? languageOf(input, document, collection) : answered.language;
  const { anchor } = input;
  const context = anchor && field !== null
    ? new AnchoredText(valueIn(document, collection, { field, language })).contextOf(anchor)
    : undefined;
  const comment: Comment = {
    ...made,
    ...(anchor !== undefined && { anchor }),
    ...(context !== undefined && { context }),
    ...(language !== undefined && { language }),
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
  const texts = new Map<string, AnchoredText>();
  return comments.map((comment) => {
    const view = commentView(comment, collection);
    const { anchor, field, language, context } = comment;
    if (anchor === undefined || field === null) return view;
    const root = language === undefined ? field : `${language}.${field}`;
    const text = texts.get(root) ??
      new AnchoredText(valueIn(state, collection, { field, language }));
    texts.set(root, text);
    return { ...view, anchoredAt: view.field === null ? null : text.find(anchor, context) };
  });
}

/** The value of a field as editors see it in a language; undefined if the document has none there. */
function valueIn(
  state: DocumentState,
  collection: Collection,
  { field, language }: { field: string; language: string | undefined },
): Json | undefined {
  const original = originalOf(state, collection);
  const isOriginal = language === undefined || language === original;
  const translation = isOriginal ? undefined : translationOf(state, language);
  if (translation !== undefined) return translationLaidOver(translation).data[field];
  // Without languages, only the original is seen.
  return isOriginal || original === undefined ? laidOver(state).data[field] : undefined;
}

/** The language that a new comment is about: the original's, if it names none and the field is translated. */
function languageOf(
  { field, language }: NewComment,
  document: DocumentState,
  collection: Collection,
): string | undefined {
  const codes = codesOf(collection);
  if (language === undefined) {
    const isTranslated = codes.length > 0 && field !== null && isTranslatedIn(field, collection);
    return isTranslated ? originalOf(document, collection) : undefined;
  }
  if (codes.length === 0) {
    throw invalid("language", "UNKNOWN_KEY", "The collection is not localized");
  }
  if (!codes.includes(language)) {
    throw invalid("language", "INVALID_LANGUAGE", `Must be one of ${codes.join(", ")}`);
  }
  if (field !== null && !isTranslatedIn(field, collection)) {
    throw invalid("language", "UNKNOWN_KEY", "All languages share this field");
  }
  return language;
}

function isTranslatedIn(name: string, collection: Collection): boolean {
  if (isFramingRoot(name)) return collection.localized === true;
  const field = collection.fields.find((one) => one.name === name);
  return field !== undefined && isLocalized(collection, field);
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
