/**
 * What a write changes of the languages of a document, for the change log.
 *
 * @module
 */
import type { ChangedLanguages } from "../../changes/change_log.ts";
import type { DocumentState, Status } from "../../model/entities/document.ts";
import { changedLanguages, statusOf, translationOf } from "../../model/languages/translation.ts";

/** The languages of a change; undefined for a document that has and had no translations. */
export function languagesOfChange(
  before: DocumentState | null,
  after: DocumentState | null,
): ChangedLanguages | undefined {
  const original = (after ?? before)?.originalLanguage;
  const codes = new Set([before, after].flatMap((state) => Object.keys(state?.translations ?? {})));
  if (codes.size === 0 && original === undefined) return undefined;
  const statusIn = (state: DocumentState | null, code: string): Status | null => {
    const translation = state && translationOf(state, code);
    return state && translation ? statusOf(state, translation) : null;
  };
  return {
    ...(original !== undefined && { original }),
    changed: changedLanguages(before, after),
    statuses: Object.fromEntries(
      [...codes].map((code) => [code, [statusIn(before, code), statusIn(after, code)]]),
    ),
  };
}
