/**
 * Pages in the languages of the site, rendered when they are asked for: documents as readers of a language see them,
 * and lists of those. Nothing is stored, so that a change of one language costs nothing in the others.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import type { StoredDocument } from "../../kv/documents/write.ts";
import { languageSlugKey, oldLanguageSlugKey, slugKey } from "../../kv/keys.ts";
import { type Collection, hasPages, type Schema } from "../../kv/model/entities/collection.ts";
import type { Page } from "../../kv/model/entities/page.ts";
import { inLanguage, type LanguageView } from "../../kv/model/languages/in_language.ts";
import {
  type PageLanguage,
  pageLanguagesOf,
  type SiteLanguages,
} from "../../kv/model/languages/language.ts";
import { isUlid } from "../../kv/model/values/ulid.ts";
import type { Entry } from "../../kv/store/operation.ts";
import { documentPath, pageOfMarkdown, slugAt } from "../render/site_facts.ts";
import { documentLinks, languageAt, languageTag, renderingIn } from "../render/site_languages.ts";
import type { Rendering } from "../render/views/view.ts";
import { languageDocuments, publicViewOf } from "./language_documents.ts";
import { readListPath } from "./lists/list_paths.ts";
import { type ListSource, planList } from "./lists/list_plan.ts";
import { isMissing, renderPath, renderWithOthers } from "./render_path.ts";

/** `/posts/a-slug`, below the prefix of its language. */
const DOCUMENT_PATH = /^\/([a-z0-9-]+)\/((?:[A-Za-z0-9-]|%[0-9A-F]{2})+)$/;

/** Lists that a language has of its own. */
const LIST_KINDS = new Set(["home", "listing", "tag", "feed", "llms", "search"]);

/** What answers a request below the prefix of a language. */
export type LanguageAnswer =
  | { kind: "page"; page: Page; language: string; isMarkdown: boolean }
  | { kind: "moved"; path: string; status: 301 | 308; tags: string[] }
  | { kind: "missing" };

/** The source of pages in languages. */
export interface LanguagePagesOptions {
  content: Content;
  reader: DocumentReader;
  rendering: () => Promise<Rendering>;
}

/** Renders pages in languages. */
export class LanguagePages {
  readonly #options: LanguagePagesOptions;

  constructor(options: LanguagePagesOptions) {
    this.#options = options;
  }

  /**
   * What stands at a path; null where the site has one language. Without `fresh` by what this process knows of the
   * schema, and null for every path of the first language: its pages are stored, except for translations into it.
   */
  async find(path: string, { fresh = false } = {}): Promise<LanguageAnswer | null> {
    const known = this.#options.content.schema.known?.languages;
    if (!fresh && languageAt(pageLanguagesOf(known), path) === null) return null;
    const schema = await this.#options.content.schema.current();
    const site = schema.languages;
    if (site === undefined) return null;
    const languages = pageLanguagesOf(site);
    const [first] = languages;
    const below = languageAt(languages, path);
    if (below === null && !fresh) return null;
    const { language, rest } = below ?? { language: first, rest: path };
    if (language === undefined) return null;
    const page = pageOfMarkdown(rest) ?? rest;
    const answer = await this.#answer(schema, site, language, page);
    const isMarkdown = page !== rest;
    if (answer.kind !== "page") return answer;
    return isMarkdown && answer.page.markdown === undefined
      ? { kind: "missing" }
      : { ...answer, isMarkdown };
  }

  async #answer(
    schema: Schema,
    site: SiteLanguages,
    language: PageLanguage,
    path: string,
  ): Promise<LanguageAnswer> {
    const { content, reader } = this.#options;
    const all = await this.#options.rendering();
    const isFirst = language.prefix === "";
    const rendering = isFirst ? all : renderingIn(all, language);
    const view = publicViewOf(site, language.code);
    const source = languageDocuments({ content, reader }, { schema, site, view });
    const list = readListPath(path);
    if (isFirst && list !== null) return { kind: "missing" };
    if (list !== null) {
      const plan = LIST_KINDS.has(list.kind) ? await planList(source, rendering, list) : null;
      return plan === null
        ? { kind: "missing" }
        : this.#page(withHome(await plan.render(), language), language);
    }
    const [, slug = "", encoded = ""] = DOCUMENT_PATH.exec(path) ?? [];
    const collection = rendering.schema.bySlug.get(slug);
    if (collection === undefined || !hasPages(collection)) return { kind: "missing" };
    const original = schema.byId.get(collection.id);
    if (isFirst && !original?.localized) return { kind: "missing" };
    if (!original?.localized) return await this.#shared(source, rendering, language, path);
    return await this.#document({ schema, site, view, language, rendering, source }, {
      original,
      collection,
      slug: slugAt(encoded),
    });
  }

  /** A document of a collection that is not localized: as it was written. */
  async #shared(
    source: ListSource,
    rendering: Rendering,
    language: PageLanguage,
    path: string,
  ): Promise<LanguageAnswer> {
    const page = await renderPath(source, rendering, path);
    return isMissing(page) ? { kind: "missing" } : this.#page(page, language);
  }

  async #document(
    { schema, site, view, language, rendering, source }: {
      schema: Schema;
      site: SiteLanguages;
      view: LanguageView;
      language: PageLanguage;
      rendering: Rendering;
      source: ListSource;
    },
    { original, collection, slug }: { original: Collection; collection: Collection; slug: string },
  ): Promise<LanguageAnswer> {
    const found = await this.#findBySlug(original, view, site, slug);
    if (found === null) return { kind: "missing" };
    const shown = inLanguage(found.state, original, view);
    if (shown === null || shown.state.status !== "published") return { kind: "missing" };
    if (shown.state.slug !== slug) {
      const path = documentPath(collection, shown.state.slug);
      const tags = [`doc-${found.state.id}`, languageTag(language.code)];
      return { kind: "moved", path, status: shown.language === view.code ? 308 : 301, tags };
    }
    const links = documentLinks(rendering.site, schema, found.state, original);
    const isOwn = shown.language === view.code;
    const canonical = isOwn
      ? undefined
      : links?.find(({ code, isSame }) => code === shown.language && isSame)?.path;
    const page = await renderWithOthers(
      source,
      rendering,
      { ...shown.state, status: "published" },
      collection,
      { links, textLanguage: shown.language, ...(canonical !== undefined && { canonical }) },
    );
    return this.#page(page, language);
  }

  /** The document that has, or had, a slug in a language or in one that stands in for it. */
  async #findBySlug(
    { id }: Collection,
    { code, chain, substitutes }: LanguageView,
    site: SiteLanguages,
    slug: string,
  ): Promise<StoredDocument | null> {
    const { content: { context: { store } }, reader } = this.#options;
    const codes = [code, ...substitutes ? chain : []];
    const entries = await store.getMany([
      ...codes.map((one) => languageSlugKey(id, one, slug)),
      ...codes.includes(site.original) ? [slugKey(id, slug)] : [],
      oldLanguageSlugKey(id, code, slug),
    ]) as Entry<string>[];
    // The address by id leads to the page, too.
    const ids = [...entries.map(({ value }) => value), isUlid(slug) ? slug : null];
    for (const value of ids) {
      const stored = value === null ? null : await reader.find(value);
      if (stored !== null && stored.state.collectionId === id) return stored;
    }
    return null;
  }

  #page(page: Page, { code }: PageLanguage): LanguageAnswer {
    const tags = [...page.tags, languageTag(code)];
    return { kind: "page", page: { ...page, tags }, language: code, isMarkdown: false };
  }
}

/** The home page of a language stands at its prefix. */
function withHome(page: Page, { prefix }: PageLanguage): Page {
  return page.path === "/" ? { ...page, path: prefix } : page;
}
