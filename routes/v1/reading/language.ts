/**
 * `language`, `fallback` and `translation`: the language in which a request sees documents.
 *
 * @module
 */
import {
  inLanguageQuery,
  TRANSLATION_STATES,
  translationIs,
  type TranslationState,
} from "../../../kv/index/query/language_query.ts";
import { allOf } from "../../../kv/index/query/condition.ts";
import type { ListQuery } from "../../../kv/index/query/list_query.ts";
import { FALLBACKS_MAX } from "../../../kv/limits/content.ts";
import {
  codesOf,
  type Collection,
  languagesOf,
  type Schema,
} from "../../../kv/model/entities/collection.ts";
import type { DocumentState, Status } from "../../../kv/model/entities/document.ts";
import { altIn, type MediaState } from "../../../kv/model/entities/media.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import {
  inLanguage,
  languagesSeen,
  type LanguageView,
} from "../../../kv/model/languages/in_language.ts";
import { publicCodes, type SiteLanguages } from "../../../kv/model/languages/language.ts";
import { SEEN, type Seen } from "../../../kv/model/languages/seen_language.ts";
import { statusOf, translationOf } from "../../../kv/model/languages/translation.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { parameterInvalid, type Parameters } from "../../query/parameters.ts";
import type { AltLanguages } from "../media_view.ts";
import type { DraftView } from "./draft_view.ts";
import type { TokenVisibility } from "./token_visibility.ts";

/** Parameters that say in which language a request sees documents. */
export const LANGUAGE_PARAMETERS = ["language", "fallback"] as const;

/** The language of a request. */
export interface LanguageRequest {
  site: SiteLanguages;
  /** Null for the original. */
  view: LanguageView | null;
  /** Whether all translations are shown beside the original. */
  all: boolean;
  /** Whether the languages of each document are listed. */
  lists: boolean;
  /** The states of translations that are listed; empty for no condition. */
  states: readonly TranslationState[];
  visibility: TokenVisibility;
  /** The one document that a preview opens; null for all that the token may see. */
  only: string | null;
  byId: ReadonlyMap<string, Collection>;
}

/** How a request reads languages. */
interface LanguageScope {
  collection: Collection;
  visibility: TokenVisibility;
  schema: Schema;
  draft: Pick<DraftView, "draft" | "only">;
  /** Whether `translation` is known. */
  isList: boolean;
}

/** Reads the language of a request; null where it is as if the site had one language. */
export function parseLanguage(
  parameters: Parameters,
  scope: LanguageScope,
): LanguageRequest | null {
  const { collection, visibility, schema, draft: { draft, only }, isList } = scope;
  const site = languagesOf(collection);
  if (site === undefined) return null;
  const code = parameters.single("language");
  const fallback = parameters.single("fallback");
  const states = isList ? parseStates(parameters.single("translation"), code) : [];
  const seesDrafts = only !== null || seesDraftsOf(visibility, collection);
  if (states.length > 0 && !seesDrafts) throw new Refusal("FORBIDDEN");
  const lists = (parameters.names("fields") ?? []).includes("_languages");
  const { byId } = schema;
  const request = { site, all: code === "*", lists, states, visibility, only, byId };
  if (code === undefined || code === "*") {
    return code === undefined && !lists ? null : { ...request, view: null };
  }
  const known = knownLanguages(site, collection, seesDrafts);
  const chain = chainOf(fallback, code, site, known);
  if (!known.includes(code)) throw languageInvalid(code, known);
  const view: LanguageView = {
    code,
    chain,
    fills: fallback !== "none",
    substitutes: fallback === "documents",
    seesDrafts,
    seesWorkingCopies: draft,
  };
  return { ...request, view };
}

/** Whether a reader sees what is not published in a collection. */
function seesDraftsOf(visibility: TokenVisibility, collection: Collection): boolean {
  return visibility.statuses(collection)?.includes("draft") ?? false;
}

/** The states of translations that a list is narrowed to. */
export function parseStates(
  text: string | undefined,
  language: string | undefined,
): readonly TranslationState[] {
  if (text === undefined) return [];
  if (language === undefined || language === "*") {
    throw parameterInvalid("translation requires language");
  }
  const states = text.split(",") as TranslationState[];
  if (states.every((state) => TRANSLATION_STATES.includes(state))) return [...new Set(states)];
  throw parameterInvalid(`translation must be some of ${TRANSLATION_STATES.join(", ")}`);
}

/** The codes that a reader may name. */
export function knownLanguages(
  site: SiteLanguages,
  collection: Collection,
  seesDrafts: boolean,
): string[] {
  const codes = collection.localized ? codesOf(collection) : site.all.map(({ code }) => code);
  return codes.filter((code) => seesDrafts || site.byCode.get(code)?.public !== false);
}

/** The languages that stand in for one. */
export function chainOf(
  fallback: string | undefined,
  code: string,
  site: SiteLanguages,
  known: readonly string[],
): string[] {
  if (fallback === "none") return [];
  if (fallback === undefined || fallback === "documents") {
    return (site.byCode.get(code)?.fallback ?? []).filter((one) => known.includes(one));
  }
  const codes = fallback.split(",");
  if (codes.length > 1 && codes.some((one) => one === "none" || one === "documents")) {
    throw parameterInvalid("fallback must be none, documents, or codes of languages");
  }
  if (codes.length > FALLBACKS_MAX) {
    throw parameterInvalid(`fallback names at most ${FALLBACKS_MAX} languages`);
  }
  const unknown = codes.find((one) => !known.includes(one));
  if (unknown !== undefined) throw languageInvalid(unknown, known);
  return [...new Set(codes)].filter((one) => one !== code);
}

/** The refusal of a language that there is none of, or that one may not see. */
export function languageInvalid(code: string, known: readonly string[]): Refusal {
  const about = `${code.slice(0, 35) || "an empty code"} is not one of ${known.join(", ")}`;
  return new Refusal("LANGUAGE_INVALID", { about });
}

/** The view of documents that are included, or that filters follow references to. */
function targetView(
  { view, visibility }: LanguageRequest,
  collection: Collection,
): LanguageView | null {
  if (view === null) return null;
  const seesDrafts = seesDraftsOf(visibility, collection);
  return { ...view, substitutes: true, seesDrafts };
}

/** The query of a list as its language sees it. */
export function queryOf<T extends ListQuery>(request: LanguageRequest | null, query: T): T {
  if (request === null || request.view === null) return query;
  const { view, site, states } = request;
  const [collection] = query.collections as [Collection];
  const seen = shownView(request);
  const targets = (target: Collection) => targetView(request, target);
  const next = seen === null ? query : inLanguageQuery(query, seen, site.original, targets);
  if (states.length === 0 || !collection.localized) return next;
  const condition = translationIs(collection, view.code, site.original, states);
  return { ...next, where: next.where === undefined ? condition : allOf(condition, next.where) };
}

/** The query of documents that are included or counted, as the language of the request sees them. */
export function targetQuery<T extends ListQuery>(request: LanguageRequest | null, query: T): T {
  const [collection, ...others] = query.collections;
  if (request === null || collection === undefined || others.length > 0) return query;
  const view = targetView(request, collection);
  const targets = (target: Collection) => targetView(request, target);
  return view === null ? query : inLanguageQuery(query, view, request.site.original, targets);
}

/** The view of the listed documents: those without a translation are shown as they were written. */
export function shownView({ view, states }: LanguageRequest): LanguageView | null {
  return states.includes("missing") ? null : view;
}

/** A document as a request sees it; null for one that is not there in the language. */
export function seenInLanguage(
  request: LanguageRequest | null,
  state: DocumentState,
  isTarget = false,
): DocumentState | null {
  const collection = request?.byId.get(state.collectionId);
  if (request === null || collection === undefined) return state;
  const view = isTarget ? targetView(request, collection) : shownView(request);
  const shown = view === null
    ? { state, language: originalCode(request, state), fallback: {} }
    : inLanguage(state, collection, view);
  if (shown === null) return null;
  const seen: Seen = (wire) => {
    if (request.view !== null || request.all) wire._language = shown.language;
    if (Object.keys(shown.fallback).length > 0) wire._fallback = { ...shown.fallback };
    if (request.all) wire._translations = translationsSeen(request, state, collection);
    if (request.lists) wire._languages = languagesOfDocument(request, state, collection);
  };
  return { ...shown.state, [SEEN]: seen };
}

/** A medium with the alternative text of the request's language. */
export function mediumInLanguage({ view }: LanguageRequest, medium: MediaState): MediaState {
  return view === null ? medium : { ...medium, alt: altIn(medium, [view.code, ...view.chain]) };
}

/** The languages in which a request for media reads alternative texts; null without `language`. */
export function parseAltLanguages(
  parameters: Parameters,
  site: SiteLanguages | undefined,
): AltLanguages | null {
  const code = parameters.single("language");
  if (site === undefined || code === undefined || code === "*") return null;
  const known = publicCodes(site);
  if (!known.includes(code)) throw languageInvalid(code, known);
  const chain = chainOf(parameters.single("fallback"), code, site, known);
  return { codes: [code, ...chain], original: site.original };
}

/** The language that a view of a document is shown in. */
export function languageShown(state: DocumentState, collection: Collection): Json | undefined {
  const wire: Record<string, Json> = {};
  state[SEEN]?.(wire, collection);
  return wire._language;
}

function originalCode(
  { site }: LanguageRequest,
  { originalLanguage }: DocumentState,
): string {
  return originalLanguage ?? site.original;
}

/** `_languages`: what menus of languages need. */
function languagesOfDocument(
  request: LanguageRequest,
  state: DocumentState,
  collection: Collection,
): { [code: string]: Json } {
  return Object.fromEntries(
    entriesSeen(request, state, collection)
      .map(({ language, slug, title, status, publishedAt }) => [
        language,
        { slug, title, status, publishedAt },
      ]),
  );
}

function entriesSeen(
  { site, visibility, only }: LanguageRequest,
  state: DocumentState,
  collection: Collection,
) {
  const statuses: readonly Status[] = visibility.statuses(collection) ?? [];
  const seesDrafts = only !== null || seesDraftsOf(visibility, collection);
  const isSeen = (status: Status) => only !== null || statuses.includes(status);
  const isKnown = (code: string) => seesDrafts || site.byCode.get(code)?.public !== false;
  return languagesSeen(state, collection, isSeen, isKnown);
}

/** `_translations`: the framing and the own values of each translation. */
function translationsSeen(
  request: LanguageRequest,
  state: DocumentState,
  collection: Collection,
): { [code: string]: Json } {
  const original = originalCode(request, state);
  const seen = entriesSeen(request, state, collection);
  return Object.fromEntries(seen.flatMap(({ language }) => {
    const translation = language === original ? undefined : translationOf(state, language);
    if (translation === undefined) return [];
    const { title, slug, publishedAt, updatedAt, data, blocks } = translation;
    const values = collection.fields.filter(({ localized }) => localized).flatMap(
      ({ key, name }) => {
        const value = ownValue(data, key);
        return value === undefined ? [] : [[name, value]];
      },
    );
    const status = statusOf(state, translation);
    const framing = { title, slug, status, publishedAt, updatedAt };
    return [[language, { ...framing, ...Object.fromEntries(values), ...(blocks && { blocks }) }]];
  }));
}
