/**
 * What a write changes of the languages of a document, for the change log.
 *
 * @module
 */
import type { ChangedLanguages } from "../../changes/change_log.ts";
import { type Collection, isLocalized } from "../../model/entities/collection.ts";
import type { Json } from "../../model/entities/entity.ts";
import type { DocumentState, Status } from "../../model/entities/document.ts";
import { ownValue } from "../../model/primitives/own_value.ts";
import { sameJson } from "../../model/values/same_json.ts";
import {
  changedLanguages,
  statusOf,
  translatedInto,
  translationOf,
} from "../../model/languages/translation.ts";

/** The languages of a change; undefined for a document that has and had no translations. */
export function languagesOfChange(
  collection: Collection,
  before: DocumentState | null,
  after: DocumentState | null,
): ChangedLanguages | undefined {
  const original = (after ?? before)?.originalLanguage;
  const codes = translatedInto(before, after);
  if (codes.length === 0 && original === undefined) return undefined;
  const statusIn = (state: DocumentState | null, code: string): Status | null => {
    const translation = state && translationOf(state, code);
    return state && translation ? statusOf(state, translation) : null;
  };
  return {
    ...(original !== undefined && { original }),
    changed: [
      ...changedLanguages(before, after).filter((code) =>
        code === "" || !sameJson(shownPart(before, code), shownPart(after, code))
      ),
      ...changesShared(collection, before, after) ? ["*"] : [],
    ],
    statuses: Object.fromEntries(
      codes.map((code) => [code, [statusIn(before, code), statusIn(after, code)]]),
    ),
  };
}

/** Whether a value has changed that all languages share. */
function changesShared(
  collection: Collection,
  before: DocumentState | null,
  after: DocumentState | null,
): boolean {
  if (before === null || after === null) return false;
  return collection.fields.some((field) =>
    !isLocalized(collection, field) &&
    !sameJson(ownValue(before.data, field.key), ownValue(after.data, field.key))
  );
}

/** What others than editors may see of a translation, now or later. */
function shownPart(state: DocumentState | null, code: string): Json {
  const translation = state === null ? undefined : translationOf(state, code);
  if (state === null || translation === undefined) return null;
  const { workingCopy: _copy, review: _review, beside: _beside, ...shown } = translation;
  return { ...shown, status: statusOf(state, translation) };
}
