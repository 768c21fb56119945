/**
 * A document with its working copies merged, in all of its languages: what its editors see and what edits are applied
 * to. A flush takes it apart again.
 *
 * @module
 */
import { besides, withWorkingCopy } from "../documents/translations/translations.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { laidOver, withEdited } from "../model/entities/working_copy.ts";
import { translationLaidOver } from "../model/languages/in_language.ts";
import {
  isSameOriginal,
  type Translation,
  translationOf,
  withTranslation,
} from "../model/languages/translation.ts";
import { sameJson } from "../model/values/same_json.ts";

/** The document with the working copies of all languages merged. */
export function laidOverInAll(state: DocumentState): DocumentState {
  const { translations } = state;
  if (translations === undefined) return laidOver(state);
  const laid = Object.entries(translations).map(([code, one]) => [code, translationLaidOver(one)]);
  return { ...laidOver(state), translations: Object.fromEntries(laid) };
}

/**
 * The document as it is stored once it has been edited: changes of published languages are their working copies.
 * `n` is the version of the document before.
 */
export function withEdits(
  found: DocumentState,
  edited: DocumentState,
  { at, n }: { at: number; n: number },
): DocumentState {
  const before = laidOverInAll(found);
  let next = isSameOriginal(before, edited) ? found : withOriginal(found, edited, at);
  for (const code of Object.keys(found.translations ?? {})) {
    const [stored, was, is] = [found, before, edited].map((state) => translationOf(state, code));
    if (!stored || !was || !is || sameJson(was, is)) continue;
    const beside = besides({ state: found, head: { row: { n } } }, was, is);
    next = withTranslation(next, code, edition(stored, { ...is, beside }, at));
  }
  return next;
}

/** The document with its original edited, and its translations as they are. */
function withOriginal(found: DocumentState, edited: DocumentState, at: number): DocumentState {
  const next = found.status === "published"
    ? withEdited(found, edited)
    : { ...edited, updatedAt: at };
  const { translations: _edited, ...original } = next;
  const { translations } = found;
  return translations === undefined ? original : { ...original, translations };
}

function edition(stored: Translation, edited: Translation, at: number): Translation {
  return stored.status === "published"
    ? withWorkingCopy(stored, edited)
    : { ...edited, updatedAt: at };
}
