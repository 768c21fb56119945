/**
 * Searches of the index of languages, in place of reading documents one by one.
 *
 * @module
 */
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { inLanguage, publicView } from "../../../kv/model/languages/in_language.ts";
import { publicFallback } from "../../../kv/model/languages/language.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import { postedBelow, searchedCodes } from "../../../kv/search/languages/language_posting.ts";
import { idInLanguage } from "../../../kv/search/languages/searched_id.ts";
import type { LoadShown } from "../../../kv/search/query/visible_matches.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LanguageRequest } from "./language.ts";

/** What the documents of a collection are searched under in a language; `fills` says whether values fall back. */
export function searchedBelow({ id }: Collection, code: string, fills: boolean): string[] {
  const kinds = ["whole", fills ? "filled" : "own"] as const;
  // Documents that are matched again by their present texts are no postings.
  return [idInLanguage(id, code), ...kinds.map((kind) => postedBelow(id, code, kind))];
}

/** Reads documents as everybody sees them in a language. */
export function shownLoader({ reader }: Deps, schema: Schema, fills: boolean): LoadShown {
  const { languages: site, byId, blocks } = schema;
  return async function* load(language, ids) {
    if (site === undefined) return;
    const view = publicView(language, publicFallback(site, language), { fills });
    for await (const { state } of reader.each(ids)) {
      const collection = byId.get(state.collectionId);
      const shown = collection && inLanguage(state, collection, view);
      if (!shown) continue;
      const searched = { ...collection, id: idInLanguage(collection.id, language) };
      yield { state: shown.state, collection: searched, blocks };
    }
  };
}

/**
 * Whether a request sees what postings hold: what is public in a language, with the site's fallbacks or with own values
 * alone.
 */
export function seesPostings(
  { view, states, only, site }: LanguageRequest,
  collection: Collection,
): boolean {
  if (view === null || states.length > 0 || only !== null) return false;
  if (view.seesDrafts || view.seesWorkingCopies || view.substitutes) return false;
  const chain = view.fills ? publicFallback(site, view.code) : [];
  return searchedCodes(collection).includes(view.code) && sameJson([...view.chain], chain);
}
