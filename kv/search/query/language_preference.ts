/**
 * Documents in the language that a reader probably reads rank first. Translations share names and loan words, and
 * a query of such words does not show its language: most often it is the site's.
 *
 * Estimating the language of a query by how often documents of each language have its words ranked worse on the
 * documentations of FastAPI, Vue and Electron, also when it was weighed down to a hint.
 *
 * @module
 */

/** The factor of the scores of documents that are in another language. */
const OTHER_LANGUAGE = 0.85;

/** The factor of a document's score, by languages as documents are filed under them; 1 if one is unknown (empty). */
export function languageFactor(language: string, preferred: string): number {
  return language === "" || preferred === "" || language === preferred ? 1 : OTHER_LANGUAGE;
}
