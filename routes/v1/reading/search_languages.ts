/**
 * `language` in searches: the documents of localized collections as readers of a language see them.
 *
 * @module
 */
import { inLanguageQuery } from "../../../kv/index/query/language_query.ts";
import type { ListPage } from "../../../kv/index/query/list_query.ts";
import { codesOf, type Collection, type Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import {
  inLanguage,
  type LanguageView,
  publicView,
} from "../../../kv/model/languages/in_language.ts";
import { publicCodes, publicFallback } from "../../../kv/model/languages/language.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { idInLanguage } from "../../../kv/search/languages/searched_id.ts";
import type { OpenedSearch } from "../../../kv/search/search_readers.ts";
import type { SearchedInLanguages } from "../../../kv/search/search_index.ts";
import type { Unpublished } from "../../../kv/search/query/unpublished.ts";
import { SEARCHED_IN_LANGUAGE_MAX } from "../../../kv/tuning.ts";
import type { Deps } from "../../deps/deps.ts";
import { parameterInvalid } from "../../query/parameters.ts";
import { languageInvalid } from "./language.ts";
import { searchedBelow, shownLoader } from "./language_postings.ts";
import { searchedRows } from "./searched_rows.ts";

/** The documents of a search as languages show them. */
export interface SearchedLanguages {
  /** The language, where it is one, whose forms of words are equated. */
  code?: string;
  /** Documents that are read and searched while the index of languages is being built. */
  shown?: Unpublished[];
  /** Set if that index is searched. */
  inLanguages?: SearchedInLanguages;
  /** The ids below which documents are searched. */
  collectionIds: string[];
  /** Whether there are more documents than are searched. */
  isCutOff: boolean;
}

/** What a search reads: the published documents of a collection in a language. */
interface Sight {
  collection: Collection;
  view: LanguageView;
  page: ListPage;
}

/** Reads `language` of a search in the collections; null where the site has one language or none is asked for. */
export async function searchedLanguages(
  deps: Deps,
  schema: Schema,
  collectionIds: readonly string[],
  asked: readonly string[],
  opened: OpenedSearch,
): Promise<SearchedLanguages | null> {
  const { languages: site } = schema;
  const [code, ...more] = asked;
  if (site === undefined || code === undefined) return null;
  if (more.length > 0) throw parameterInvalid("language must be given only once");
  const known = publicCodes(site);
  if (code !== "*" && !known.includes(code)) throw languageInvalid(code, known);
  const codes = code === "*" ? known : [code];
  const collections = collectionIds.flatMap((id) => schema.byId.get(id) ?? []);
  const localized = collections.filter((one) => one.localized === true);
  const others = collections.filter((one) => one.localized !== true).map(({ id }) => id);
  const named = code === "*" ? {} : { code };
  if (await deps.search.areLanguagesCurrent(opened, schema)) {
    const fills = code !== "*";
    const inLanguages = {
      areSeveral: codes.length > 1,
      load: shownLoader(deps, schema, () => fills),
    };
    const below = localized.flatMap((collection) =>
      codes.flatMap((one) => searchedBelow(collection, one, fills))
    );
    return { ...named, inLanguages, collectionIds: [...others, ...below], isCutOff: false };
  }
  const sights: Sight[] = [];
  let left = SEARCHED_IN_LANGUAGE_MAX;
  let isCutOff = false;
  for (const collection of localized) {
    for (const one of codes.filter((one) => codesOf(collection).includes(one))) {
      const view = publicView(one, publicFallback(site, one), { fills: code !== "*" });
      const page = await deps.content.index.list(queryOf(collection, view, site.original, left));
      isCutOff ||= page.total > page.rows.length;
      left -= page.rows.length;
      sights.push({ collection, view, page });
    }
  }
  return {
    ...named,
    shown: codes.map((one) =>
      shownIn(deps, schema, one, sights.filter(({ view }) => view.code === one))
    ),
    collectionIds: [
      ...others,
      ...sights.map(({ collection, view }) => idInLanguage(collection.id, view.code)),
    ],
    isCutOff,
  };
}

function queryOf(collection: Collection, view: LanguageView, original: string, limit: number) {
  return inLanguageQuery(
    {
      collections: [collection],
      statuses: ["published" as const],
      sort: [{ by: "updatedAt" as const, descending: true }],
      offset: 0,
      limit,
    },
    view,
    original,
    () => view,
  );
}

/** The documents of some collections in a language. */
function shownIn(
  deps: Deps,
  { blocks }: Schema,
  code: string,
  sights: readonly Sight[],
): Unpublished {
  const parts = sights.map(({ collection, view, page }) => {
    const searched = { ...collection, id: idInLanguage(collection.id, code) };
    const show = (state: DocumentState) => {
      const seen = inLanguage(state, collection, view);
      return seen && { state: seen.state, collection: searched, blocks };
    };
    return { page, show };
  });
  const views = sights.map(({ collection, view }) => [collection.id, view]);
  const seenAs = sha256(JSON.stringify(["search", views])).slice(0, 32);
  return searchedRows(deps, parts, { code, seenAs });
}
