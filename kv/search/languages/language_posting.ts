/**
 * Postings of documents as languages show them. Each has an id of its own, so that segments and removals tell them
 * apart, and stands below the collection, the language and what its text consists of.
 *
 * @module
 */
import { ID_WORDS, readId, writeId } from "../../index/segments/id_words.ts";
import {
  type BlockDefinition,
  codesOf,
  type Collection,
  languagesOf,
} from "../../model/entities/collection.ts";
import type { DocumentState } from "../../model/entities/document.ts";
import { type InLanguage, inLanguage, publicView } from "../../model/languages/in_language.ts";
import { publicCodes, publicFallback } from "../../model/languages/language.ts";
import { statusOf, translationOf } from "../../model/languages/translation.ts";
import { sha256 } from "../../model/values/sha256.ts";
import type { Operation } from "../../store/operation.ts";
import { type PostedDocument, postedDocument, recordRemoval } from "../segments/posting.ts";
import { LANGUAGES } from "../search_keys.ts";
import { idInLanguage, type PostingKind } from "./searched_id.ts";

/** A document in a language, as one posting has it. */
interface LanguagePosting {
  id: string;
  code: string;
  kind: PostingKind;
  shown: InLanguage;
}

/** The id below which postings of a collection stand. */
export function postedBelow(collectionId: string, code: string, kind: PostingKind): string {
  return `${idInLanguage(collectionId, code)}:${kind}`;
}

/**
 * The id of a posting; of that id, the document's. The random part of the document's id is combined with a mask of the
 * language, so that postings of documents that were created together stay together.
 */
export function postingId(id: string, code: string, kind: PostingKind): string {
  const words = new Uint32Array(ID_WORDS);
  writeId(words, 0, id);
  maskOf(kind === "own" ? `${code}:own` : code).forEach((mask, word) => {
    words[word] = (words[word] ?? 0) ^ mask;
  });
  return readId(words, 0);
}

const masks = new Map<string, Uint32Array>();

/** 80 random bits, which leave the time of an id as it is. */
function maskOf(name: string): Uint32Array {
  const known = masks.get(name);
  if (known !== undefined) return known;
  const digits = sha256(name);
  const wordAt = (at: number) => Number.parseInt(digits.slice(at, at + 8), 16);
  const mask = Uint32Array.of(0, wordAt(0) & 0xffff, wordAt(8), wordAt(16));
  masks.set(name, mask);
  return mask;
}

/** The languages in which documents of a collection are searched. */
export function searchedCodes(collection: Collection): string[] {
  const site = languagesOf(collection);
  if (site === undefined || !collection.localized) return [];
  const codes = codesOf(collection);
  return publicCodes(site).filter((code) => codes.includes(code));
}

/** The postings that a document has in a language: what its readers see, and own values alone if that is less. */
function postingsIn(
  state: DocumentState | null,
  collection: Collection,
  code: string,
): LanguagePosting[] {
  const site = languagesOf(collection);
  if (state === null || site === undefined) return [];
  const shown = inLanguage(state, collection, publicView(code, publicFallback(site, code)));
  if (shown === null || shown.state.status !== "published") return [];
  const posting = (kind: PostingKind, shown: InLanguage): LanguagePosting => ({
    id: postingId(state.id, code, kind),
    code,
    kind,
    shown,
  });
  if (Object.keys(shown.fallback).length === 0) return [posting("whole", shown)];
  const own = inLanguage(state, collection, publicView(code, [], { fills: false }));
  return [posting("filled", shown), ...own === null ? [] : [posting("own", own)]];
}

/** A document as it is posted in some of the languages that it is searched in; all by default. */
export function* languagePostings(
  collection: Collection,
  state: DocumentState,
  blocks: ReadonlyMap<string, BlockDefinition>,
  codes: readonly string[] = searchedCodes(collection),
): Generator<PostedDocument> {
  for (const code of codes) {
    for (const { id, kind, shown } of postingsIn(state, collection, code)) {
      const below = { ...collection, id: postedBelow(collection.id, code, kind) };
      const seen = { ...shown.state, id, originalLanguage: code };
      yield postedDocument(below, seen, blocks);
    }
  }
}

/** The postings that a document has, each as `document/language:kind`. */
export function postingNames(collection: Collection, state: DocumentState): string[] {
  return searchedCodes(collection).flatMap((code) =>
    postingsIn(state, collection, code).map(({ kind }) => `${state.id}/${code}:${kind}`)
  );
}

/** The languages whose postings depend on languages that have changed; `""` is the original, whose values all share. */
export function languagesShowing(collection: Collection, changed: readonly string[]): string[] {
  const site = languagesOf(collection);
  const codes = searchedCodes(collection);
  if (site === undefined || changed.includes("")) return codes;
  return codes.filter((code) =>
    [code, ...publicFallback(site, code)].some((one) => changed.includes(one))
  );
}

/**
 * Adds to the commit that changes a document the removal of postings that show what is no longer public; whether there are
 * any. The job that makes the change public records those that have another text now.
 */
export function stageLanguageRemovals(
  operation: Operation,
  collection: Collection,
  before: DocumentState | null,
  after: DocumentState | null,
): boolean {
  let hasAny = false;
  for (const code of before === null ? [] : searchedCodes(collection)) {
    const kept = new Set(postingsIn(after, collection, code).map(({ id }) => id));
    for (const { id, kind, shown: { fallback } } of postingsIn(before, collection, code)) {
      const isPublicStill = Object.values(fallback).every((one) =>
        isPublicIn(after, collection, one)
      );
      if (kept.has(id) && isPublicStill) continue;
      recordRemoval(operation, postedBelow(collection.id, code, kind), id, LANGUAGES);
      hasAny = true;
    }
  }
  return hasAny;
}

function isPublicIn(state: DocumentState | null, collection: Collection, code: string): boolean {
  if (state === null) return false;
  const original = state.originalLanguage ?? languagesOf(collection)?.original;
  const side = code === original ? state : translationOf(state, code);
  return side !== undefined && statusOf(state, side) === "published";
}
