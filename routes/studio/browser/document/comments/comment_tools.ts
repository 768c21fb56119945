/**
 * What the modules of comments are given: they are loaded after the page.
 *
 * @module
 */
import type { CommentView } from "../../../../../kv/model/entities/discussion.ts";
import type { call } from "../../page/call.ts";
import type { all, dataOf, embedded, get, icon, make, parentOf } from "../../page/elements.ts";
import type { TEXT_EVENTS } from "../../forms/rich_text.ts";
import type { toast } from "../../page/toast.ts";

/** Functions of the main bundle, which this part does not load again. */
export interface CommentTools {
  all: typeof all;
  call: typeof call;
  dataOf: typeof dataOf;
  embedded: typeof embedded;
  get: typeof get;
  icon: typeof icon;
  make: typeof make;
  parentOf: typeof parentOf;
  toast: typeof toast;
  /** The events of the islands of rich texts. */
  textEvents: typeof TEXT_EVENTS;
}

/** The users of a discussion and what the current one may do, as embedded in the page. */
export interface Commentators {
  me: string;
  canWrite: boolean;
  canPublish: boolean;
  people: [id: string, name: string][];
  charsMax: number;
  quoteCharsMax: number;
  timezone: string;
  /** The language that the page shows; null if documents have only one. */
  language: string | null;
  isTranslation: boolean;
  /** The language of the original; null if documents have only one. */
  original: string | null;
  languages: [code: string, name: string][];
}

/** Whether a comment is about the texts that the page edits, not about another language of them. */
export function isShownHere(
  { language }: Pick<CommentView, "language">,
  here: Pick<Commentators, "language" | "isTranslation">,
): boolean {
  if (here.language === null) return true;
  return language === undefined ? !here.isTranslation : language === here.language;
}

/** Whether the page of a translation shows the words of a comment in the original beside it. */
export function isOfOriginal(
  { language }: Pick<CommentView, "language">,
  here: Pick<Commentators, "isTranslation" | "original">,
): boolean {
  return here.isTranslation && (language === undefined || language === here.original);
}
