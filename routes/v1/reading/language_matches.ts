/**
 * `q` of a list in a language: what is published is found by the postings of that language and of those that stand in
 * for it. Only what those cannot know is read: languages that are not public, working copies, and values that fall back
 * in another order than the site's.
 *
 * @module
 */
import { allOf, type Condition, someDocuments } from "../../../kv/index/query/condition.ts";
import {
  existsIn,
  hasGapsIn,
  isShownIn,
  isUnpublishedIn,
} from "../../../kv/index/query/language_sides.ts";
import type { ListPage, ListQuery } from "../../../kv/index/query/list_query.ts";
import { ID_WORDS } from "../../../kv/index/segments/id_words.ts";
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { laidOver } from "../../../kv/model/entities/working_copy.ts";
import { inLanguage, type LanguageView } from "../../../kv/model/languages/in_language.ts";
import { publicFallback, type SiteLanguages } from "../../../kv/model/languages/language.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import type { ListedMatches } from "../../../kv/search/list_searches.ts";
import { postingId, searchedCodes } from "../../../kv/search/languages/language_posting.ts";
import { idInLanguage } from "../../../kv/search/languages/searched_id.ts";
import type { Unpublished } from "../../../kv/search/query/unpublished.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { SEARCHED_GAPS_MAX, SEARCHED_UNPUBLISHED_MAX } from "../../../kv/tuning.ts";
import type { Deps } from "../../deps/deps.ts";
import type { LanguageRequest } from "./language.ts";
import { KINDS, searchedBelow, shownLoader } from "./language_postings.ts";
import { searchedRows } from "./searched_rows.ts";

/** A search within the documents of a query, in a language. */
export interface LanguageListSearch {
  schema: Schema;
  collection: Collection;
  query: ListQuery;
  text: string;
  language: LanguageRequest;
  view: LanguageView;
}

/** How the documents that are shown in one language are found. */
interface ShownSide {
  code: string;
  /** Whether its postings have the values that fall back; else only own values. */
  fills: boolean;
  /** The languages whose values fall back in another order than the site's. */
  completing: readonly string[];
}

/** The matches of a search in a language, and whether it left documents out; null while its index is not built. */
export async function matchesInView(
  deps: Deps,
  asked: LanguageListSearch,
  version: Entry,
): Promise<{ matches: ListedMatches; isCutOff: boolean } | null> {
  const { schema, collection, text, view, language: { site } } = asked;
  const { search } = deps;
  const { code } = view;
  const opened = await search.open({ shown: code, languages: true });
  if (!await search.areLanguagesCurrent(opened, schema)) return null;
  const sides = shownSides(view, site, collection);
  const fillsIn = (code: string) => sides.find((side) => side.code === code)?.fills ?? true;
  const load = shownLoader(deps, schema, fillsIn);
  const collectionIds = sides.flatMap((side) => searchedBelow(collection, side.code, side.fills));
  const below = {
    code,
    collectionIds: [...collectionIds, idInLanguage(collection.id, code)],
    load,
  };
  const unposted = await findUnposted(deps, asked, sides, version);
  const others = unposted === null ? [] : [unposted.documents];
  const find = async (others: Unpublished[]) => {
    const found = await search.matchesInLanguage(text, schema, { ...below, others }, opened);
    return await shownOnce(deps, asked, found, version);
  };
  let matches = await find(others);
  let isCutOff = unposted?.isCutOff ?? false;
  const completing = sides.filter((side) => side.completing.length > 0);
  for (const side of completing) {
    const more = await findCompleted(deps, asked, side, { matches, others }, version);
    if (more === null) continue;
    isCutOff ||= more.isCutOff;
    others.push(more.documents);
  }
  if (others.length > (unposted === null ? 0 : 1)) matches = await find(others);
  return { matches, isCutOff };
}

/** The languages that documents are shown in, as far as these have postings. */
function shownSides(
  { code, chain, fills, substitutes }: LanguageView,
  site: SiteLanguages,
  collection: Collection,
): ShownSide[] {
  const posted = searchedCodes(collection);
  const codes = [code, ...chain];
  return (substitutes ? codes : [code]).filter((one) => posted.includes(one)).map((one) => {
    const at = codes.indexOf(one);
    const rest = codes.slice(at + 1).filter((other) => posted.includes(other));
    if (!fills || rest.length === 0) return { code: one, fills: false, completing: [] };
    // A document that is shown in this language has none of those before it.
    const others = publicFallback(site, one)
      .filter((other) => posted.includes(other) && !codes.slice(0, at).includes(other));
    const isSame = sameJson(rest, others);
    return { code: one, fills: isSame, completing: isSame ? [] : rest };
  });
}

/** The selected documents that no posting holds as they are shown; of very many, those changed last. */
async function findUnposted(
  deps: Deps,
  asked: LanguageListSearch,
  sides: readonly ShownSide[],
  version: Entry,
): Promise<{ documents: Unpublished; isCutOff: boolean } | null> {
  const { collection, query, view, language: { site } } = asked;
  const posted = searchedCodes(collection);
  const codes = [view.code, ...view.chain];
  // Postings have values of languages that the collection has no more.
  const unseen = sides.filter(({ fills }) => fills)
    .flatMap(({ code }) => publicFallback(site, code).filter((one) => !posted.includes(one)));
  const unknown = new Set([...codes.filter((one) => !posted.includes(one)), ...unseen]);
  const conditions: Condition[] = [...unknown].map((one) => existsIn(one, site.original));
  if (view.seesDrafts) {
    const known = codes.filter((one) => posted.includes(one));
    conditions.push(...known.map((one) => isUnpublishedIn(one, site.original)));
  }
  const copies = query.overlay?.rows(collection.id) ?? [];
  if (copies.length > 0) conditions.push(someDocuments(copies.map(({ id }) => id)));
  if (conditions.length === 0) return null;
  const page = await deps.content.index.list({
    ...within(query, { kind: "or", of: conditions }),
    sort: [{ by: "updatedAt", descending: true }],
    offset: 0,
    limit: SEARCHED_UNPUBLISHED_MAX,
  }, [version]);
  if (page.rows.length === 0) return null;
  return { documents: shownRows(deps, asked, page), isCutOff: page.total > page.rows.length };
}

/** The selected documents of a language that match only together with what falls back from others, best first. */
async function findCompleted(
  deps: Deps,
  asked: LanguageListSearch,
  { code, completing }: ShownSide,
  { matches, others }: { matches: ListedMatches; others: readonly Unpublished[] },
  version: Entry,
): Promise<{ documents: Unpublished; isCutOff: boolean } | null> {
  const { schema, collection, query, text, view, language: { site } } = asked;
  const collectionIds = [code, ...completing].flatMap((one) =>
    searchedBelow(collection, one, true)
  );
  const load = shownLoader(deps, schema, () => true);
  const candidates = await deps.search.candidates(text, schema, {
    code: view.code,
    collectionIds: [...collectionIds, ...searchedBelow(collection, code, false)],
    load,
  });
  const known = someDocuments(others.flatMap(({ documents }) => documents.map(({ id }) => id)));
  const found: Condition = { kind: "documents", ids: matches.ids, name: matches.name };
  const where = allOf(
    isShownIn(code, view, site.original),
    hasGapsIn(collection, code, site.original),
    { kind: "not", of: { kind: "or", of: [known, found] } },
    someDocuments([...candidates]),
  );
  const page = await deps.content.index.list({
    ...within(query, where),
    sort: [{ by: "updatedAt", descending: true }],
    offset: 0,
    limit: SEARCHED_GAPS_MAX,
  }, [version]);
  if (page.rows.length === 0) return null;
  return { documents: shownRows(deps, asked, page), isCutOff: page.total > page.rows.length };
}

/** Documents as the request sees them, in place of their postings. */
function shownRows(
  deps: Deps,
  { schema: { blocks }, collection, view }: LanguageListSearch,
  page: ListPage,
): Unpublished {
  const codes = searchedCodes(collection).filter((one) =>
    one === view.code || view.chain.includes(one)
  );
  const show = (state: DocumentState) => {
    const seen = inLanguage(view.seesWorkingCopies ? laidOver(state) : state, collection, view);
    if (seen === null) return null;
    const searched = { ...collection, id: idInLanguage(collection.id, seen.language) };
    return { state: seen.state, collection: searched, blocks };
  };
  return searchedRows(deps, [{ page, show }], {
    code: view.code,
    seenAs: sha256(JSON.stringify(["list", view])).slice(0, 32),
    postingsOf: (id) => codes.flatMap((code) => KINDS.map((kind) => postingId(id, code, kind))),
  });
}

/** Each document once, in the language that it is shown in. */
async function shownOnce(
  { content: { index } }: Deps,
  { query, view, language: { site } }: LanguageListSearch,
  matches: ListedMatches,
  version: Entry,
): Promise<ListedMatches> {
  if (!view.substitutes) return matches;
  const { ids, scores, languages, clauses } = matches;
  const names = [matches.name];
  const shown: number[] = [];
  for (const code of new Set(languages)) {
    if (code === undefined) continue;
    const isShown = within(query, isShownIn(code, view, site.original));
    const { name, are } = await index.among(isShown, matches, [version]);
    names.push(name);
    languages.forEach((one, at) => {
      if (one === code && are[at] === 1) shown.push(at);
    });
  }
  shown.sort((a, b) => a - b);
  const kept = new Uint32Array(shown.length * ID_WORDS);
  shown.forEach((at, row) => {
    kept.set(ids.subarray(at * ID_WORDS, (at + 1) * ID_WORDS), row * ID_WORDS);
  });
  return {
    ids: kept,
    scores: Float32Array.from(shown, (at) => scores[at] ?? 0),
    languages: shown.map((at) => languages[at]),
    name: sha256(...names),
    clauses,
  };
}

function within(query: ListQuery, where: Condition): ListQuery {
  const { facets: _counted, after: _position, ...rest } = query;
  return { ...rest, where: query.where === undefined ? where : allOf(where, query.where) };
}
