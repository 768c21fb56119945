/**
 * `language` and `fallback` of the change feed: documents and their changes as readers of a language see them.
 *
 * @module
 */
import { languageSight, ORIGINALS, type Sight } from "../../../kv/change_feed/sight.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { LanguageView } from "../../../kv/model/languages/in_language.ts";
import { publicCodes } from "../../../kv/model/languages/language.ts";
import type { Parameters } from "../../query/parameters.ts";
import {
  chainOf,
  languageInvalid,
  type LanguageRequest,
  seenInLanguage,
} from "../reading/language.ts";
import type { TokenVisibility } from "../reading/token_visibility.ts";

/** The language of a feed. */
export interface FeedLanguage {
  /** Tells cursors of one language from those of another. */
  name: string;
  view: Omit<LanguageView, "seesDrafts">;
}

/** Reads the language of a feed; null for originals. */
export function parseFeedLanguage(
  parameters: Parameters,
  { languages, collections }: Schema,
  visibility: TokenVisibility,
): FeedLanguage | null {
  const code = languages && parameters.single("language");
  if (languages === undefined || code === undefined) return null;
  const seesDrafts = collections.some((one) => visibility.statuses(one)?.includes("draft"));
  const known = seesDrafts ? languages.all.map((one) => one.code) : publicCodes(languages);
  if (!known.includes(code)) throw languageInvalid(code, known);
  const fallback = parameters.single("fallback");
  const view = {
    code,
    chain: chainOf(fallback, code, languages, known),
    fills: fallback !== "none",
    substitutes: fallback === "documents",
    seesWorkingCopies: false,
  };
  return { name: ` ${JSON.stringify(view)}`, view };
}

/** How the token of a feed sees documents. */
export function sightOf(
  language: FeedLanguage | null,
  schema: Schema,
  visibility: TokenVisibility,
): Sight {
  const site = schema.languages;
  if (language === null || site === undefined) return ORIGINALS;
  const { view } = language;
  const requestOf = (collectionId: string): LanguageRequest => {
    const collection = schema.byId.get(collectionId);
    const statuses = collection && visibility.statuses(collection);
    const seesDrafts = statuses?.includes("draft") ?? false;
    return {
      site,
      view: { ...view, seesDrafts },
      all: false,
      lists: false,
      states: [],
      visibility,
      only: null,
      byId: schema.byId,
    };
  };
  const isSeen = (collectionId: string) =>
    site.byCode.get(view.code)?.public !== false ||
    requestOf(collectionId).view?.seesDrafts === true;
  return languageSight({
    codes: [view.code, ...view.chain],
    site: site.original,
    substitutes: view.substitutes,
    isLocalized: (collectionId) => schema.byId.get(collectionId)?.localized === true,
    document: ({ n, state }) => {
      const { collectionId } = state;
      const shown = isSeen(collectionId) ? seenInLanguage(requestOf(collectionId), state) : null;
      return shown && { n, state: shown };
    },
  });
}
