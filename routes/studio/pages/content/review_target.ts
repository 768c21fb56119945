/**
 * What a review is about: a document, or its translation into a language.
 *
 * @module
 */
import type { DocumentState, Status } from "../../../../kv/model/entities/document.ts";
import type { Schema } from "../../../../kv/model/entities/collection.ts";
import { isReviewable, type Review } from "../../../../kv/model/entities/review.ts";
import { editedTitle } from "../../../../kv/model/languages/in_language.ts";
import { statusOf, translationOf } from "../../../../kv/model/languages/translation.ts";
import { documentPath } from "../../document_path.ts";
import { languageLabel } from "../../wording/language_names.ts";

/** A document or a translation that can be in review. */
export interface ReviewTarget {
  /** Its path, below `/admin` and `/api/admin`. */
  path: string;
  title: string;
  status: Status;
  review: Review | undefined;
  isReviewable: boolean;
}

/** A document, or its translation into a language, as something to review. */
export function reviewTarget(state: DocumentState, language?: string): ReviewTarget {
  const translation = language === undefined ? undefined : translationOf(state, language);
  const side = translation === undefined
    ? state
    : { ...translation, status: statusOf(state, translation) };
  return {
    path: documentPath(state.id, language),
    title: editedTitle(state, language).title || "Untitled",
    status: side.status,
    review: side.review,
    isReviewable: isReviewable(side),
  };
}

/** The title of a document; that of a translation names its language. */
export function titleInLanguage(
  { title, language }: { title: string; language?: string },
  schema: Pick<Schema, "languages">,
): string {
  const shown = title || "Untitled";
  return language === undefined ? shown : `${shown} · ${languageLabel(language, schema)}`;
}

/** The page on which a reviewer decides: the changes of a document, or the form of a translation. */
export function reviewHref(id: string, language?: string): string {
  return `/admin${documentPath(id, language)}${language === undefined ? "/changes" : ""}`;
}

/** The page that compares the unpublished changes of a document or a translation with what is public. */
export function changesHref(id: string, language?: string): string {
  const query = language === undefined ? "" : `?${new URLSearchParams({ language })}`;
  return `/admin/documents/${id}/changes${query}`;
}
