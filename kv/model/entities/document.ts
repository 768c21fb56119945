/**
 * Documents: framing that every document has, and the values of its collection's fields.
 *
 * @module
 */
import { z } from "zod";
import type { Json } from "./entity.ts";
import type { Review } from "./review.ts";
import type { SEEN, Seen } from "../languages/seen_language.ts";
import type { Translation } from "../languages/translation.ts";
import { checkedAs, recordOf, time, unchecked } from "./state_member.ts";
import type { WorkingCopy } from "./working_copy.ts";

/** Every status of a document. */
export const STATUSES = ["draft", "published", "scheduled", "archived", "trashed"] as const;

/** The status of a document. */
export type Status = typeof STATUSES[number];

/** Whether the public sees documents of this status, or will without anybody doing more. */
export function isForPublic(status: Status): boolean {
  return status === "published" || status === "scheduled";
}

/** A block instance of a document's block tree. */
export type Block = { type: string; id: string; data: { [name: string]: Json } };

/** Members of a document's state that may be large; the working copy may be as large as the document. */
export const DOCUMENT_PARTS = ["data", "blocks", "workingCopy", "translations"] as const;

/** One of {@linkcode DOCUMENT_PARTS}. */
export type DocumentPart = typeof DOCUMENT_PARTS[number];

/** The state of a document, as its versions record it. */
export const StoredDocument = z.object({
  id: z.ulid(),
  collectionId: z.ulid(),
  slug: z.string().min(1),
  title: z.string(),
  status: z.enum(STATUSES),
  createdAt: time,
  /** The user who created it; absent when a program did. */
  createdBy: z.ulid().exactOptional(),
  updatedAt: time,
  /** When it was first published, or null. */
  publishedAt: time.nullable(),
  /** When it is to be published, or null; the admin API alone shows it. */
  publishAt: time.nullable(),
  /** When its publication is to end; absent for never. */
  unpublishAt: unchecked<number>().exactOptional(),
  /** Values by the fields' storage keys; a field without a value has no entry. */
  data: recordOf<{ [key: string]: Json }>(),
  /** The block tree; written by the admin API alone. */
  blocks: checkedAs<Json[]>(z.array(z.unknown())),
  /** The unpublished changes of a published document; absent if there are none. */
  workingCopy: unchecked<WorkingCopy>().exactOptional(),
  /** The review of what is not public yet; absent for none. */
  review: unchecked<Review>().exactOptional(),
  /** The language that it is written in; that of the site when absent. */
  originalLanguage: unchecked<string>().exactOptional(),
  /** By language; absent for none. */
  translations: unchecked<{ [code: string]: Translation }>().exactOptional(),
  /** When the values of the original changed that translations were written beside, by root. */
  changedAt: unchecked<{ [root: string]: number }>().exactOptional(),
  /** The last version that changed the original; the newest one when absent. */
  originalVersion: unchecked<number>().exactOptional(),
});

/** The state of a document. */
export interface DocumentState extends z.infer<typeof StoredDocument> {
  /** Set on a view of the document in a language, which is never stored. */
  [SEEN]?: Seen;
}

/** Keys of a document on the wire that are not fields. */
export const FRAMING_KEYS = [
  "id",
  "slug",
  "title",
  "status",
  "createdAt",
  "updatedAt",
  "publishedAt",
] as const;

/** The key that names the lists of a document that an include has cut. */
export const PARTIAL_KEY = "_partial";

/** What the key of a reverse include begins with: `<-comments.post`. */
export const REVERSE_PREFIX = "<-";

/** Names no field may have. */
export const RESERVED_FIELD_NAMES: ReadonlySet<string> = new Set<string>([
  ...FRAMING_KEYS,
  "blocks",
  "publishAt",
  "collection",
  "hasWorkingCopy",
  "unpublishAt",
  "inRelease",
]);

/** The state of a document once it is published at `at`. */
export function published(state: DocumentState, at: number): DocumentState {
  return {
    ...state,
    status: "published",
    publishedAt: state.publishedAt ?? at,
    publishAt: null,
    updatedAt: at,
  };
}
