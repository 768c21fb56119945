/**
 * Translations of a document: sparse overlays in its own state, each with a slug and a status of its own.
 *
 * @module
 */
import { ownValue } from "../primitives/own_value.ts";
import { sameJson } from "../values/same_json.ts";
import { sha256 } from "../values/sha256.ts";
import { type Collection, languagesOf } from "../entities/collection.ts";
import type { DocumentState, Status } from "../entities/document.ts";
import type { Json } from "../entities/entity.ts";
import type { Review } from "../entities/review.ts";
import type { WorkingCopy } from "../entities/working_copy.ts";

/** Statuses that a translation has while its document is neither archived nor trashed. */
const TRANSLATION_STATUSES = ["draft", "published", "scheduled"] as const;

/** What a value was translated from: a digest of the original's value, and the version that had it. */
export type Source = [digest: string, version: number];

/** A document in one more language. */
export interface Translation {
  title: string;
  slug: string;
  status: typeof TRANSLATION_STATUSES[number];
  updatedAt: number;
  publishedAt: number | null;
  publishAt: number | null;
  unpublishAt?: number;
  /** Its own values by the fields' storage keys; a field without one of its own has no entry. */
  data: { [key: string]: Json };
  /** Its own block tree; absent for none. */
  blocks?: Json[];
  workingCopy?: WorkingCopy;
  review?: Review;
  /** By `title`, `blocks` or storage key, what its own values were written beside. */
  beside: { [root: string]: Source };
}

/** The language that a document is written in. */
export function originalOf(state: DocumentState, collection: Collection): string | undefined {
  return state.originalLanguage ?? languagesOf(collection)?.original;
}

/** The languages that a document has, its original first. */
export function languagesIn(state: DocumentState, collection: Collection): string[] {
  const original = originalOf(state, collection);
  return [...original === undefined ? [] : [original], ...Object.keys(state.translations ?? {})];
}

/** A translation of a document; undefined for none. */
export function translationOf(state: DocumentState, code: string): Translation | undefined {
  return ownValue(state.translations ?? {}, code);
}

/** The document with a translation changed, or taken out. */
export function withTranslation(
  state: DocumentState,
  code: string,
  translation: Translation | null,
): DocumentState {
  const { translations = {}, ...rest } = state;
  const next = Object.fromEntries(
    [...Object.entries(translations).filter(([one]) => one !== code), [code, translation] as const]
      .filter(([, one]) => one !== null)
      .sort(([a], [b]) => a < b ? -1 : 1),
  ) as { [code: string]: Translation };
  return Object.keys(next).length === 0 ? rest : { ...rest, translations: next };
}

/** Whether a document is off in every language: archived or trashed. */
export function isOff({ status }: Pick<DocumentState, "status">): boolean {
  return status === "archived" || status === "trashed";
}

/** The status of a translation: archived and trashed documents are so in every language. */
export function statusOf(
  state: DocumentState,
  translation: Pick<DocumentState, "status">,
): Status {
  return isOff(state) ? state.status : translation.status;
}

/** Whether a document is public in a language other than its original. */
export function hasPublicTranslation(state: DocumentState | null): boolean {
  if (state === null) return false;
  const translations = Object.values(state.translations ?? {});
  return translations.some((one) => statusOf(state, one) === "published");
}

/** The roots of a translation's own values: `title`, `blocks` and storage keys. */
export function ownRoots({ data, blocks }: Translation): string[] {
  return ["title", ...Object.keys(data), ...blocks === undefined ? [] : ["blocks"]];
}

/** The value of the original beside a root. */
export function originalValue({ title, blocks, data }: DocumentState, root: string): Json {
  if (root === "title") return title;
  return root === "blocks" ? blocks : ownValue(data, root) ?? null;
}

/** Identifies a value of the original. */
function digestOf(value: Json): string {
  return sha256(JSON.stringify(value)).slice(0, 16);
}

/** What a value is written beside: the original's value as it is in a version. */
export function sourceOf(state: DocumentState, root: string, version: number): Source {
  return [digestOf(originalValue(state, root)), version];
}

/**
 * The roots of a translation whose original has another value now. `digests` are those of the original's values that
 * were needed before, for another translation of the same state.
 */
export function outdatedRoots(
  state: DocumentState,
  translation: Translation,
  digests = new Map<string, string>(),
): string[] {
  return ownRoots(translation).filter((root) => {
    const source = ownValue(translation.beside, root);
    if (source === undefined) return false;
    const digest = digests.get(root) ?? digestOf(originalValue(state, root));
    digests.set(root, digest);
    return source[0] !== digest;
  });
}

/** All translations as drafts, as they are once the document is archived or trashed. */
export function withoutPublishedTranslations(state: DocumentState): DocumentState {
  if (state.translations === undefined) return state;
  const translations = Object.fromEntries(
    Object.entries(state.translations).map(([code, translation]) => {
      const { unpublishAt: _end, ...rest } = translation;
      return [code, { ...rest, status: "draft" as const, publishAt: null }];
    }),
  );
  return { ...state, translations };
}

/** Members of a state that are about its translations alone. */
type OfTranslations = "translations" | "originalVersion" | "changedAt";

/** A document without its translations. */
export function originalOnly(state: DocumentState): Omit<DocumentState, OfTranslations> {
  const { translations: _all, originalVersion: _version, changedAt: _times, ...rest } = state;
  return rest;
}

/** Whether two states differ in nothing but translations. */
export function isSameOriginal(before: DocumentState, after: DocumentState): boolean {
  return sameJson(originalOnly(before), originalOnly(after));
}

/** The languages that a document is, or was, translated into. */
export function translatedInto(...states: readonly (DocumentState | null)[]): string[] {
  return [...new Set(states.flatMap((state) => Object.keys(state?.translations ?? {})))];
}

/** The languages that differ between two states; `""` is that of the original. */
export function changedLanguages(
  before: DocumentState | null,
  after: DocumentState | null,
): string[] {
  if (before?.translations === undefined && after?.translations === undefined) return [""];
  const changed = translatedInto(before, after).filter((code) =>
    !sameJson(before?.translations?.[code], after?.translations?.[code])
  );
  const isSame = before !== null && after !== null && isSameOriginal(before, after);
  return isSame ? changed.sort() : ["", ...changed.sort()];
}

/** The same for a version of a document; undefined where neither state has a translation. */
export function languagesOfVersion(
  before: DocumentState | null,
  after: DocumentState | null,
): string[] | undefined {
  const hasAny = before?.translations !== undefined || after?.translations !== undefined;
  return hasAny ? changedLanguages(before, after) : undefined;
}
