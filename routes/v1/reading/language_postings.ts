/**
 * Searches of the index of languages, in place of reading documents one by one.
 *
 * @module
 */
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { inLanguage, publicView } from "../../../kv/model/languages/in_language.ts";
import { publicFallback } from "../../../kv/model/languages/language.ts";
import { postedBelow } from "../../../kv/search/languages/language_posting.ts";
import { idInLanguage } from "../../../kv/search/languages/searched_id.ts";
import type { LoadShown } from "../../../kv/search/query/visible_matches.ts";
import type { Deps } from "../../deps/deps.ts";

/** The kinds of postings. */
export const KINDS = ["whole", "filled", "own"] as const;

/** What the documents of a collection are searched under in a language; `fills` says whether values fall back. */
export function searchedBelow({ id }: Collection, code: string, fills: boolean): string[] {
  const kinds = ["whole", fills ? "filled" : "own"] as const;
  // Documents that are matched again by their present texts are no postings.
  return [idInLanguage(id, code), ...kinds.map((kind) => postedBelow(id, code, kind))];
}

/** Reads documents as everybody sees them in a language; `fillsIn` says whether values fall back. */
export function shownLoader(
  { reader }: Deps,
  schema: Schema,
  fillsIn: (code: string) => boolean,
): LoadShown {
  const { languages: site, byId, blocks } = schema;
  return async function* load(language, ids) {
    if (site === undefined) return;
    const view = publicView(language, publicFallback(site, language), {
      fills: fillsIn(language),
    });
    for await (const { state } of reader.each(ids)) {
      const collection = byId.get(state.collectionId);
      const shown = collection && inLanguage(state, collection, view);
      if (!shown) continue;
      const searched = { ...collection, id: idInLanguage(collection.id, language) };
      yield { state: shown.state, collection: searched, blocks };
    }
  };
}
