/**
 * A document in a language: the only way to it. What is missing comes from a chain of other languages, as far as
 * the reader may see those.
 *
 * @module
 */
import { ownValue } from "../primitives/own_value.ts";
import { codesOf, type Collection, isLocalized } from "../entities/collection.ts";
import type { DocumentState, Status } from "../entities/document.ts";
import type { Json } from "../entities/entity.ts";
import { SEEN } from "./seen_language.ts";
import { originalOf, statusOf, type Translation, translationOf } from "./translation.ts";
import { laidOver } from "../entities/working_copy.ts";

/** How a request sees documents in a language. */
export interface LanguageView {
  code: string;
  /** The languages that stand in for it, in order, without itself. */
  chain: readonly string[];
  /** Whether missing values come from the chain. */
  fills: boolean;
  /** Whether documents without the language are shown in the first one of the chain that they have. */
  substitutes: boolean;
  /** Whether languages are seen that are not published. */
  seesDrafts: boolean;
  /** Whether the working copies of translations are laid over them. */
  seesWorkingCopies: boolean;
}

/** How everybody sees documents in a language: what is published, values that are missing from the chain. */
export function publicView(
  code: string,
  chain: readonly string[],
  { fills = true, substitutes = false } = {},
): LanguageView {
  return { code, chain, fills, substitutes, seesDrafts: false, seesWorkingCopies: false };
}

/** A document in a language. */
export interface InLanguage {
  state: DocumentState;
  /** The language that it is shown in. */
  language: string;
  /** By the name of a field, or `blocks`, the language that its value comes from. */
  fallback: { [name: string]: string };
}

/** One language of a document: its framing, and its own values. */
interface Side {
  code: string;
  framing: Pick<
    DocumentState,
    "title" | "slug" | "status" | "publishedAt" | "publishAt" | "unpublishAt" | "updatedAt"
  >;
  own: (root: string) => Json | undefined;
}

/** The document as readers of a language see it; null for one that they do not. */
export function inLanguage(
  state: DocumentState,
  collection: Collection,
  view: LanguageView,
): InLanguage | null {
  const original = originalOf(state, collection) ?? view.code;
  if (!collection.localized) return { state, language: original, fallback: {} };
  const codes = [view.code, ...view.chain];
  const sides = codes.map((code) => sideOf(state, original, code, view));
  const at = view.substitutes
    ? sides.findIndex((side) => side !== null && isSeen(side, view))
    : sides[0] === null
    ? -1
    : 0;
  const shown = sides[at];
  if (!shown) return null;
  const chain = view.fills
    ? sides.slice(at + 1).filter((side) => side !== null).filter((side) => isSeen(side, view))
    : [];
  return assembled(state, collection, shown, chain);
}

/** A document in one of its languages; null for one that it does not have. */
function sideOf(
  state: DocumentState,
  original: string,
  code: string,
  { seesWorkingCopies }: LanguageView,
): Side | null {
  if (code === original) return originalSide(state, code);
  const stored = translationOf(state, code);
  if (stored === undefined) return null;
  const translation = seesWorkingCopies ? translationLaidOver(stored) : stored;
  const { title, slug, publishedAt, publishAt, unpublishAt, updatedAt } = translation;
  const status = statusOf(state, translation);
  const framing = { title, slug, status, publishedAt, publishAt, updatedAt };
  return {
    code,
    framing: unpublishAt === undefined ? framing : { ...framing, unpublishAt },
    own: (root) => root === "blocks" ? translation.blocks : ownValue(translation.data, root),
  };
}

function originalSide(state: DocumentState, code: string): Side {
  return {
    code,
    framing: state,
    own: (root) => root === "blocks" ? state.blocks : ownValue(state.data, root),
  };
}

/**
 * The title of a document as it is edited in a language, with the language if that is one of its translations: only
 * these have pages of their own in the studio.
 */
export function editedTitle(
  state: DocumentState,
  language: string | undefined,
): { title: string; language?: string } {
  const translation = language === undefined ? undefined : translationOf(state, language);
  if (language === undefined || translation === undefined) return { title: laidOver(state).title };
  return { title: translationLaidOver(translation).title, language };
}

/** A translation with its working copy laid over it. */
export function translationLaidOver(translation: Translation): Translation {
  const { workingCopy, ...rest } = translation;
  if (workingCopy === undefined) return translation;
  const laid = laidOver({ ...rest, workingCopy, blocks: rest.blocks ?? [] } as never) as unknown;
  const { blocks: _blocks, ...next } = laid as Translation;
  const blocks = Object.hasOwn(workingCopy, "blocks")
    ? workingCopy.blocks as Json[] | null
    : rest.blocks;
  return blocks === null || blocks === undefined ? next : { ...next, blocks };
}

/** A document as its editors see it: with its working copy laid over it, and those of its translations over them. */
export function draftOf(state: DocumentState): DocumentState {
  const laid = laidOver(state);
  if (state.translations === undefined) return laid;
  const translations = Object.fromEntries(
    Object.entries(state.translations).map(([code, one]) => [code, translationLaidOver(one)]),
  );
  return { ...laid, translations };
}

function isSeen({ framing: { status } }: Side, { seesDrafts }: LanguageView): boolean {
  return seesDrafts || status === "published";
}

function assembled(
  state: DocumentState,
  collection: Collection,
  shown: Side,
  chain: readonly Side[],
): InLanguage {
  const { workingCopy: _copy, review: _review, translations: _all, unpublishAt: _end, ...rest } =
    state;
  const { title, slug, status, publishedAt, publishAt, unpublishAt, updatedAt } = shown.framing;
  const fallback: InLanguage["fallback"] = {};
  const find = (root: string, name: string): Json | undefined => {
    const own = shown.own(root);
    if (own !== undefined) return own;
    for (const side of chain) {
      const value = side.own(root);
      if (value === undefined) continue;
      fallback[name] = side.code;
      return value;
    }
    return undefined;
  };
  const data = { ...state.data };
  for (const field of collection.fields) {
    if (!isLocalized(collection, field)) continue;
    const value = find(field.key, field.name);
    if (value === undefined) delete data[field.key];
    else data[field.key] = value;
  }
  const blocks = (find("blocks", "blocks") ?? []) as Json[];
  const framing = { title, slug, status, publishedAt, publishAt, updatedAt };
  const next: DocumentState = { ...rest, ...framing, data, blocks };
  if (unpublishAt !== undefined) next.unpublishAt = unpublishAt;
  return { state: next, language: shown.code, fallback };
}

/** A language of a document, as menus of languages show it. */
export interface LanguageEntry {
  language: string;
  title: string;
  slug: string;
  status: Status;
  publishedAt: number | null;
  updatedAt: number;
}

/** The languages of a document that a reader may see, the original first. */
export function languagesSeen(
  state: DocumentState,
  collection: Collection,
  isSeenStatus: (status: Status) => boolean,
  isKnown: (code: string) => boolean = () => true,
): LanguageEntry[] {
  const original = originalOf(state, collection);
  if (original === undefined) return [];
  const { title, slug, status, publishedAt, updatedAt } = state;
  const codes = codesOf(collection);
  const translations = codes.filter((code) => code !== original).flatMap((language) => {
    const found = translationOf(state, language);
    if (found === undefined) return [];
    const { title, slug, publishedAt, updatedAt } = found;
    return [{ language, title, slug, status: statusOf(state, found), publishedAt, updatedAt }];
  });
  return [{ language: original, title, slug, status, publishedAt, updatedAt }, ...translations]
    .filter(({ language, status }) => isKnown(language) && isSeenStatus(status));
}

/** A view with what requests see of its language: `_language` and, where something fell back, `_fallback`. */
export function marked({ state, language, fallback }: InLanguage): DocumentState {
  return {
    ...state,
    [SEEN]: (wire) => {
      wire._language = language;
      if (Object.keys(fallback).length > 0) wire._fallback = { ...fallback };
    },
  };
}
