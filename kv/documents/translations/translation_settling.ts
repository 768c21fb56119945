/**
 * What a write of a document means for its languages: whether the original has changed, which of its values
 * translations are behind now, and what archiving takes off.
 *
 * @module
 */
import type { Collection } from "../../model/entities/collection.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import {
  isOff,
  isSameOriginal,
  originalValue,
  withoutPublishedTranslations,
} from "../../model/languages/translation.ts";
import { sameJson } from "../../model/values/same_json.ts";

/** The state of a document as it is stored, given the one before and the number of that version. */
export function withLanguagesSettled(
  collection: Collection,
  before: DocumentState | null,
  given: DocumentState,
  { n, at }: { n: number; at: number },
): DocumentState {
  const hasAny = given.translations !== undefined || before?.translations !== undefined ||
    given.originalVersion !== undefined;
  if (!hasAny) return given;
  const goesOff = isOff(given) && (before === null || !isOff(before));
  const after = goesOff ? withoutPublishedTranslations(given) : given;
  const { originalVersion: _given, changedAt: _restored, ...rest } = after;
  if (before === null) return rest;
  const changedAt = changes(collection, before, after, at);
  const kept = after.translations === undefined || Object.keys(changedAt).length === 0
    ? rest
    : { ...rest, changedAt };
  return isSameOriginal(before, after)
    ? { ...kept, originalVersion: before.originalVersion ?? n }
    : kept;
}

/** When values of the original changed last, by root. */
function changes(
  { fields }: Collection,
  before: DocumentState,
  after: DocumentState,
  at: number,
): { [root: string]: number } {
  const changedAt = { ...before.changedAt };
  for (const root of ["title", "blocks", ...fields.map(({ key }) => key)]) {
    if (!sameJson(originalValue(before, root), originalValue(after, root))) changedAt[root] = at;
  }
  return changedAt;
}
