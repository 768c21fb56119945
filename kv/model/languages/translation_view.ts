/**
 * Translations as the APIs show them: their own values, and how they stand beside the original.
 *
 * @module
 */
import { ownValue } from "../primitives/own_value.ts";
import { codesOf, type Collection } from "../entities/collection.ts";
import type { DocumentState } from "../entities/document.ts";
import type { Json } from "../entities/entity.ts";
import {
  originalOf,
  outdatedRoots,
  statusOf,
  type Translation,
  translationOf,
} from "./translation.ts";
import { isEmpty } from "../values/json_check.ts";

/** How a translation stands beside its original. */
export interface TranslationStanding {
  state: "complete" | "incomplete" | "outdated" | "missing" | null;
  /** Localized fields of which the original has a value, and the translation none of its own. */
  missing: string[] | null;
  outdated: { field: string; since: number | null }[] | null;
}

/** The standing of a translation; undefined: there is none. */
export function standingOf(
  state: DocumentState,
  collection: Collection,
  translation: Translation | undefined,
): TranslationStanding {
  if (translation === undefined) return { state: "missing", missing: null, outdated: null };
  const fields = collection.fields.filter(({ localized }) => localized);
  const hasOwn = (key: string) => Object.hasOwn(translation.data, key);
  const missing = fields
    .filter(({ key }) => !hasOwn(key) && !isEmpty(ownValue(state.data, key) ?? null))
    .map(({ name }) => name);
  const names = new Map([["title", "title"], ["blocks", "blocks"]]);
  for (const { key, name } of fields) names.set(key, name);
  const outdated = outdatedRoots(state, translation).flatMap((root) => {
    const field = names.get(root);
    return field === undefined ? [] : [{ field, since: state.changedAt?.[root] ?? null }];
  });
  const isIncomplete = fields.some(({ key, required }) => required && !hasOwn(key));
  const standing = outdated.length > 0 ? "outdated" : isIncomplete ? "incomplete" : "complete";
  return { state: standing, missing, outdated };
}

/** The own values of a document in a language, flat; null for a language that it does not have. */
export function ownWire(
  state: DocumentState,
  collection: Collection,
  code: string,
): Record<string, Json> | null {
  const isOriginal = originalOf(state, collection) === code;
  const side = isOriginal ? state : translationOf(state, code);
  if (side === undefined) return null;
  const { title, slug, publishedAt, updatedAt, data, blocks } = side;
  const wire: Record<string, Json> = {
    id: state.id,
    slug,
    title,
    status: statusOf(state, side),
    createdAt: state.createdAt,
    updatedAt,
    publishedAt,
  };
  for (const { key, name, localized } of collection.fields) {
    if (!localized) continue;
    const value = ownValue(data, key);
    if (value !== undefined && value !== null) wire[name] = value;
  }
  if (blocks !== undefined) wire.blocks = blocks;
  wire._language = code;
  return wire;
}

/** One language of a document in the list of its translations. */
export type TranslationRow = Record<string, Json>;

/** The languages of a document, the original first; with `drafts` also those that it does not have yet. */
export function translationRows(
  state: DocumentState,
  collection: Collection,
  { drafts, isKnown }: { drafts: boolean; isKnown: (code: string) => boolean },
): TranslationRow[] {
  const original = originalOf(state, collection);
  if (original === undefined) return [];
  const others = codesOf(collection).filter((code) => code !== original);
  return [original, ...others].filter(isKnown).flatMap((language) => {
    const isOriginal = language === original;
    const translation = isOriginal ? undefined : translationOf(state, language);
    const wire = ownWire(state, collection, language);
    if (!drafts && wire?.status !== "published") return [];
    const framing = Object.fromEntries(
      ["slug", "title", "status", "publishedAt", "updatedAt"].map((
        key,
      ) => [key, wire?.[key] ?? null]),
    );
    if (!drafts) return [{ language, ...framing }];
    const standing = isOriginal
      ? { state: null, missing: [], outdated: [] }
      : standingOf(state, collection, translation);
    return [{ language, ...framing, ...standing }];
  });
}
