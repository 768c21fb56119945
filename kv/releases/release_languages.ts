/**
 * The languages of documents in releases. `""` is the original of a document; a side is the document in one language.
 *
 * @module
 */
import { afterDueTimes, translationAfterDueTimes } from "../documents/due_times.ts";
import {
  type LanguageAction,
  refuseLanguageBeyond,
} from "../documents/translations/language_limits.ts";
import {
  publishedTranslation,
  unpublishedTranslation,
} from "../documents/translations/translation_status.ts";
import { withWorkingCopy } from "../documents/translations/translations.ts";
import type { Collection } from "../model/entities/collection.ts";
import { type DocumentState, published } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { ReleasePlan } from "../model/entities/release.ts";
import { laidOver, withEdited } from "../model/entities/working_copy.ts";
import { translationLaidOver } from "../model/languages/in_language.ts";
import {
  languagesIn,
  originalOf,
  type Translation,
  translationOf,
  withTranslation,
} from "../model/languages/translation.ts";

/** A document in one of its languages: itself in its original. */
export type Side = DocumentState | Translation;

/** The languages that a plan names, as they are when it is carried out: `*` is those that the document has now. */
export function namedInPlan(
  state: DocumentState,
  collection: Collection,
  { languages }: Pick<ReleasePlan, "languages">,
): { languages?: readonly string[] } {
  if (languages === undefined) return {};
  return { languages: languages === "*" ? languagesIn(state, collection) : languages };
}

/** The languages that a plan is about. */
export function languagesOfPlan(
  state: DocumentState,
  collection: Collection,
  plan: Pick<ReleasePlan, "languages">,
): string[] {
  const { languages } = namedInPlan(state, collection, plan);
  const original = originalOf(state, collection);
  return languages?.map((code) => code === original ? "" : code) ?? [""];
}

/** A side of a document after its times that are due at `time`; undefined: it does not have the language. */
export function sideAt(state: DocumentState, language: string, time: number): Side | undefined {
  return language === ""
    ? afterDueTimes(state, time).state
    : translationAfterDueTimes(state, language, time).translation;
}

/** A document after the times of some sides that are due at `time`. */
export function withDueTimes(
  state: DocumentState,
  languages: readonly string[],
  time: number,
): DocumentState {
  return languages.reduce((next, language) => {
    const side = sideAt(state, language, time);
    return side === undefined ? next : withSide(next, language, side);
  }, state);
}

/** A side with its working copy laid over it. */
export function sideLaidOver(side: Side): Side {
  return "collectionId" in side ? laidOver(side) : translationLaidOver(side);
}

/** A side once it is published; what differs in `edited` stays its working copy. */
export function sidePublished(wanted: Side, edited: Side, at: number): Side {
  return "collectionId" in wanted
    ? withEdited(published(wanted, at), edited as DocumentState)
    : withWorkingCopy(publishedTranslation(wanted, at), edited as Translation);
}

/** A document with one of its sides. */
export function withSide(state: DocumentState, language: string, side: Side): DocumentState {
  if (!("collectionId" in side)) return withTranslation(state, language, side);
  const { translations: _all, ...rest } = side;
  return state.translations === undefined ? rest : { ...rest, translations: state.translations };
}

/** A document with some sides published, as far as it has them. */
export function withPublished(
  state: DocumentState,
  languages: readonly string[],
  at: number,
): DocumentState {
  return languages.reduce((next, language) => {
    const side = language === "" ? next : translationOf(next, language);
    if (side === undefined) return next;
    const wanted = sideLaidOver(side);
    return withSide(next, language, sidePublished(wanted, wanted, at));
  }, state);
}

/** A document with some sides unpublished; the same if none is public. */
export function withUnpublished(
  state: DocumentState,
  languages: readonly string[],
  at: number,
): DocumentState {
  return languages.reduce((next, language) => {
    const side = language === "" ? next : translationOf(next, language);
    if (side?.status !== "published") return next;
    const draft = "collectionId" in side
      ? { ...side, status: "draft" as const }
      : unpublishedTranslation(side);
    return withSide(next, language, { ...draft, updatedAt: at });
  }, state);
}

/** Refuses a plan in languages in which the actor may not do this with the document. */
export function refusePlanBeyond(
  actor: Actor,
  state: DocumentState,
  collection: Collection,
  plan: Pick<ReleasePlan, "languages">,
  action: LanguageAction,
): void {
  for (const language of languagesOfPlan(state, collection, plan)) {
    refuseLanguageBeyond(actor, collection, state, language, action);
  }
}
