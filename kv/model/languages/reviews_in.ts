/**
 * The reviews of a document: its own, and those of its translations.
 *
 * @module
 */
import { codesOf, type Collection, languagesOf } from "../entities/collection.ts";
import type { DocumentState } from "../entities/document.ts";
import type { Review } from "../entities/review.ts";
import { laidOver } from "../entities/working_copy.ts";
import { translationLaidOver } from "./in_language.ts";
import { isOff, originalOf } from "./translation.ts";

/** A review of a document, or of one of its translations. */
export interface ReviewOf {
  /** The language of the translation; absent for the original. */
  language?: string;
  /** The language in which reviewers must be allowed to publish; undefined for a site without languages. */
  publishIn: string | undefined;
  /** The title in this language, as it is edited. */
  title: string;
  review: Review;
}

/** The reviews of a document, its own first, then those of translations that its collection still has. */
export function reviewsIn(state: DocumentState, collection: Collection): ReviewOf[] {
  const { review, translations = {} } = state;
  const own = review === undefined ? [] : [{
    publishIn: reviewLanguage(state, collection),
    title: laidOver(state).title,
    review,
  }];
  if (isOff(state)) return own;
  const codes = codesOf(collection).filter((code) => code !== originalOf(state, collection));
  const others = Object.entries(translations).flatMap(([language, translation]): ReviewOf[] => {
    const { review } = translation;
    if (review === undefined || !codes.includes(language)) return [];
    const { title } = translationLaidOver(translation);
    return [{ language, publishIn: language, title, review }];
  });
  return [...own, ...others];
}

/** The language in which reviewers of a document, or of its translation, must be allowed to publish. */
export function reviewLanguage(
  state: Pick<DocumentState, "originalLanguage"> | null,
  collection: Collection,
  language?: string,
): string | undefined {
  if (language !== undefined) return language;
  const site = languagesOf(collection);
  return site && (state?.originalLanguage ?? site.original);
}
