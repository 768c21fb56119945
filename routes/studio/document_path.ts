/**
 * The path of a document, below `/admin` and `/api/admin`.
 *
 * @module
 */

/** The path of a document, or of its translation into a language. */
export function documentPath(id: string, language?: string): string {
  return `/documents/${id}${language === undefined ? "" : `/translations/${language}`}`;
}
