/**
 * What documents are searched under: their collection and, as a language shows them, that language.
 *
 * @module
 */

/**
 * What the text of a posting consists of: all values as readers see them, none of which falls back (`whole`) or some of
 * which do (`filled`), or own values alone, if others fall back.
 */
export type PostingKind = "whole" | "filled" | "own";

/** A searched document: its collection, and the language that it is shown in. */
export interface SearchedParts {
  collectionId: string;
  language?: string;
  /** Set for postings. */
  kind?: PostingKind;
}

/** The id under which a collection's documents are searched as a language shows them. */
export function idInLanguage(collectionId: string, code: string): string {
  return `${collectionId}/${code}`;
}

/** The parts of what documents are searched under. */
export function partsOfSearched(searchedId: string): SearchedParts {
  const [collectionId = "", shown] = searchedId.split("/");
  if (shown === undefined) return { collectionId };
  const [language = "", kind] = shown.split(":");
  return kind === undefined
    ? { collectionId, language }
    : { collectionId, language, kind: kind as PostingKind };
}
