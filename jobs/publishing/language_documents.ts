/**
 * The documents of a site as readers of one of its languages see them, for pages and lists.
 *
 * @module
 */
import type { StoredDocument } from "../../kv/documents/write.ts";
import { inLanguageQuery } from "../../kv/index/query/language_query.ts";
import type { ListPage, ListQuery } from "../../kv/index/query/list_query.ts";
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import { inLanguage, type LanguageView, publicView } from "../../kv/model/languages/in_language.ts";
import { publicFallback, type SiteLanguages } from "../../kv/model/languages/language.ts";
import type { Entry } from "../../kv/store/operation.ts";
import type { ListSource } from "./lists/list_plan.ts";

/** How the public sees documents in a language. */
export function publicViewOf(site: SiteLanguages, code: string): LanguageView {
  const substitutes = site.byCode.get(code)?.untranslated === "show";
  return publicView(code, publicFallback(site, code), { substitutes });
}

/** The documents of the site as readers of a language see them. */
export function languageDocuments(
  { content, reader }: ListSource,
  { schema, site, view }: { schema: Schema; site: SiteLanguages; view: LanguageView },
): ListSource {
  const { context, index } = content;
  const targets = { ...view, substitutes: true };
  const seen = (stored: StoredDocument | null, how: LanguageView): StoredDocument | null => {
    const collection = stored && schema.byId.get(stored.state.collectionId);
    if (!stored || !collection) return null;
    const shown = inLanguage(stored.state, collection, how);
    return shown && { n: stored.n, state: shown.state };
  };
  const ofSchema = (collections: readonly Collection[]) =>
    collections.map((one) => schema.byId.get(one.id) ?? one);
  const ofPage = async (page: ListPage) =>
    (await reader.ofPage(page)).map((stored) => seen(stored, view) ?? stored);
  const listOne = (query: ListQuery, collection: Collection, versions?: readonly Entry[]) => {
    const asked = { ...query, collections: [collection] };
    return index.list(inLanguageQuery(asked, view, site.original, () => targets), versions);
  };
  return {
    content: {
      context,
      index: {
        list: async (query: ListQuery, versions?: readonly Entry[]) => {
          const collections = ofSchema(query.collections);
          if (!collections.some(({ localized }) => localized)) {
            return await index.list({ ...query, collections }, versions);
          }
          const pages = await Promise.all(
            collections.map((collection) => listOne(query, collection, versions)),
          );
          const [only, ...others] = pages;
          if (only !== undefined && others.length === 0) return only;
          return await newestOf(pages, query.limit, ofPage);
        },
      },
    },
    reader: {
      find: async (id: string) => seen(await reader.find(id), targets),
      findBySlug: async (collectionId: string, slug: string) =>
        seen(await reader.findBySlug(collectionId, slug), targets),
      ofPage,
    },
  };
}

/** The documents that lists without a prefix show: those of the first language, if the site has several. */
export function inFirstLanguage(
  source: ListSource,
  { schema }: { schema: Schema },
): ListSource {
  const { languages: site } = schema;
  const first = site?.all[0];
  if (site === undefined || first === undefined || first.public === false) return source;
  return languageDocuments(source, { schema, site, view: publicViewOf(site, first.code) });
}

/** The newest documents of several collections, each of which is listed separately, newest first. */
async function newestOf(
  pages: readonly ListPage[],
  limit: number,
  ofPage: (page: ListPage) => Promise<StoredDocument[]>,
): Promise<ListPage> {
  const rows = pages.flatMap((page) => page.rows);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  const times = new Map(
    (await ofPage({ total, rows })).map(({ state }) => [state.id, state.publishedAt ?? 0]),
  );
  const timeOf = (id: string) => times.get(id) ?? 0;
  rows.sort((a, b) => timeOf(b.id) - timeOf(a.id) || (a.id < b.id ? 1 : -1));
  return { total, rows: rows.slice(0, limit) };
}
