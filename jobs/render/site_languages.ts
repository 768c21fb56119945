/**
 * The languages of a site on its pages: where each one begins, and where a page stands in the others.
 *
 * @module
 */
import type { Collection, Schema } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import { inLanguage, publicView } from "../../kv/model/languages/in_language.ts";
import { type PageLanguage, publicFallback } from "../../kv/model/languages/language.ts";
import { originalOf, statusOf, translationOf } from "../../kv/model/languages/translation.ts";
import { DayFormat } from "./views/date_view.ts";
import { canLeaveOut, isLeftOut, searchFactsOf } from "./views/search_facts.ts";
import { documentPath, type MenuEntry, type SiteFacts } from "./site_facts.ts";
import type { Rendering } from "./views/view.ts";

/** A page in one of the languages. */
export interface LanguageLink extends PageLanguage {
  /** Its path, which leads to the page or, where there is none, to the language's home. */
  path: string;
  /** Whether the same page is there. */
  isSame: boolean;
  /** Set where search engines are to leave it out. */
  isLeftOut?: true;
  /** Set for the language that the document is written in. */
  isOriginal?: true;
}

/** The texts of the site in one language. */
interface SiteTexts {
  "site.title"?: string;
  "site.description"?: string;
  "site.menu"?: MenuEntry[];
}

const RENDERINGS = new WeakMap<Rendering, Map<string, Rendering>>();

/** A rendering of the site in a language: its words, dates and texts, and paths that begin with its prefix. */
export function renderingIn(rendering: Rendering, { code, prefix }: PageLanguage): Rendering {
  const known = RENDERINGS.get(rendering) ?? new Map<string, Rendering>();
  RENDERINGS.set(rendering, known);
  const before = known.get(code);
  if (before !== undefined) return before;
  const texts = (rendering.site.texts?.[code] ?? {}) as SiteTexts;
  const site: SiteFacts = {
    ...rendering.site,
    language: code,
    prefix,
    ...(texts["site.title"] && { title: texts["site.title"] }),
    ...(texts["site.description"] && { description: texts["site.description"] }),
    ...(texts["site.menu"] && { menu: texts["site.menu"] }),
  };
  const schema = prefixed(rendering.schema, prefix, code);
  const made = { ...rendering, site, schema, days: new DayFormat(site) };
  known.set(code, made);
  return made;
}

/** The schema with collections whose paths begin with a prefix; they are found by the slugs that they have. */
function prefixed(schema: Schema, prefix: string, code: string): Schema {
  const collections = schema.collections.map((one): Collection => ({
    ...one,
    slug: `${prefix.slice(1)}/${one.slug}`,
    name: one.labels?.[code] ?? one.name,
    fields: one.fields.map((field) => ({ ...field, label: field.labels?.[code] ?? field.label })),
  }));
  return {
    ...schema,
    collections,
    bySlug: new Map(schema.collections.map(({ slug }, at) => [slug, collections[at]!])),
    byId: new Map(collections.map((one) => [one.id, one])),
  };
}

/** A document's page in each language of the site; undefined where the site has one. */
export function documentLinks(
  { languages, url }: SiteFacts,
  { languages: site }: Pick<Schema, "languages">,
  state: DocumentState,
  collection: Collection,
): LanguageLink[] | undefined {
  if (languages === undefined || site === undefined || !collection.localized) return undefined;
  const plain = { ...collection, slug: collection.slug.replace(/^.*\//, "") };
  const mayBeLeftOut = canLeaveOut(collection);
  return languages.map((language) => {
    const own = documentPathIn(language, plain, state);
    const isSame = own !== null;
    const path = own ?? (language.prefix || "/");
    const link: LanguageLink = { ...language, path, isSame };
    if (isSame && mayBeLeftOut) {
      const view = publicView(language.code, publicFallback(site, language.code));
      const shown = inLanguage(state, collection, view)?.state ?? state;
      if (isLeftOut(searchFactsOf(shown, collection, url), url + path)) link.isLeftOut = true;
    }
    return originalOf(state, collection) === language.code ? { ...link, isOriginal: true } : link;
  });
}

/** The path of a document's page in a language; null if it is not public in it. `collection` has its own slug. */
export function documentPathIn(
  { code, prefix }: PageLanguage,
  collection: Collection,
  state: DocumentState,
): string | null {
  const slug = publishedSlug(state, collection, code);
  return slug === null ? null : prefix + documentPath(collection, slug);
}

/** The slug of a document in a language in which it is public; null for any other. */
function publishedSlug(state: DocumentState, collection: Collection, code: string): string | null {
  if (originalOf(state, collection) === code) {
    return state.status === "published" ? state.slug : null;
  }
  const translation = translationOf(state, code);
  if (translation === undefined || statusOf(state, translation) !== "published") return null;
  return translation.slug;
}

/** A page that every language has, such as the home page or a listing. */
export function sharedLinks({ languages, prefix = "" }: SiteFacts, path: string): LanguageLink[] {
  const rest = path.slice(prefix.length) || "/";
  return (languages ?? []).map((language) => ({
    ...language,
    path: rest === "/" ? language.prefix || "/" : language.prefix + rest,
    isSame: true,
  }));
}

/**
 * The links to the languages that have the page, for search engines. The first is for readers of all others: the first
 * language of the site or, if that has none, the original.
 */
export function linksToSame(links: readonly LanguageLink[]): LanguageLink[] {
  const same = links.filter(({ isSame, isLeftOut }) => isSame && !isLeftOut);
  const [first] = same;
  const chosen = links[0] === first ? first : same.find(({ isOriginal }) => isOriginal) ?? first;
  return chosen === undefined ? [] : [chosen, ...same.filter((one) => one !== chosen)];
}

/** The links of a page for search engines: each language that has it, and the one for all others. */
export function alternates(
  { url }: Pick<SiteFacts, "url">,
  links: readonly LanguageLink[],
): { hreflang: string; href: string }[] {
  const same = linksToSame(links);
  const [first] = same;
  if (first === undefined) return [];
  return [
    ...same.map(({ code, path }) => ({ hreflang: code, href: url + path })),
    { hreflang: "x-default", href: url + first.path },
  ];
}

/** The language whose paths begin as a path does, and the rest of the path; null for the first language. */
export function languageAt(
  languages: readonly PageLanguage[],
  path: string,
): { language: PageLanguage; rest: string } | null {
  for (const language of languages) {
    const { prefix } = language;
    if (prefix === "") continue;
    if (path === prefix || path === `${prefix}.md`) {
      return { language, rest: path === prefix ? "/" : "/index.md" };
    }
    if (path.startsWith(`${prefix}/`)) return { language, rest: path.slice(prefix.length) };
  }
  return null;
}

/** The surrogate key of a language's pages. */
export function languageTag(code: string): string {
  return `lang-${code.toLowerCase()}`;
}
