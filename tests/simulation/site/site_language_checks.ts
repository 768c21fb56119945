/**
 * What must hold of pages in several languages, by a reading of the documents of its own: which pages exist, which other
 * languages they name, what the sitemap says, and what a search in each language finds.
 *
 * @module
 */
import { languagesIndex } from "../../../jobs/kinds/rebuild_search.ts";
import { LanguagePages } from "../../../jobs/publishing/language_pages.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { type PageRow, readPageBody } from "../../../kv/pages/pages.ts";
import { pagePrefix } from "../../../kv/pages/page_keys.ts";
import { postedBelow } from "../../../kv/search/languages/language_posting.ts";
import { SearchIndex } from "../../../kv/search/search_index.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import type { SiteFixture } from "./site_fixture.ts";

/** The languages of the site; the first has no prefix. */
export const CODES = ["en", "fr", "de"];
const ORIGIN = "https://site.example";

/** What a run has come to. */
export interface LanguagesRun {
  /** Pages in languages that were public in the end. */
  pages: number;
  /** Alternates that these named. */
  alternates: number;
}

/** What is public of a document: its slug and title by language, and the language that it is written in. */
interface PublicDocument {
  at: number;
  original: string;
  slugs: Map<string, { slug: string; title: string }>;
}

/** Compares everything that is public with the documents. */
export async function assertLanguages(fixture: SiteFixture, about: string): Promise<LanguagesRun> {
  const { client, harness } = fixture;
  const { content, publishing: { reader, rendering } } = client;
  const documents: PublicDocument[] = [];
  for (const [at, id] of fixture.ids.entries()) {
    const stored = await harness.run(reader.find(id));
    if (stored !== null) documents.push(publicPart(stored.state, at));
  }
  const pages = new LanguagePages({ content, reader, rendering });
  const run = { pages: 0, alternates: 0 };
  const urls = new Map<string, Record<string, string>>();
  for (const document of documents) {
    const expected = alternatesOf(document);
    for (const [code, { slug, title }] of document.slugs) {
      const html = code === "en"
        ? await storedPage(fixture, `/posts/${slug}`)
        : await languagePage(fixture, pages, `/${code}/posts/${slug}`);
      assert(html !== null, `${about}: no page of ${title} in ${code}`);
      assert(html.includes(title), `${about}: the page of ${title} in ${code} says something else`);
      assertEquals(readAlternates(html, "html"), expected, `${about}: ${title} in ${code}`);
      // A line of a document in one language needs no alternates.
      urls.set(expected[code] ?? "", document.slugs.size > 1 ? expected : {});
      run.pages += 1;
      run.alternates += Object.keys(expected).length;
    }
  }
  assertNoMore(fixture, documents, about);
  await assertSitemap(fixture, urls, about);
  await assertFound(fixture, documents, about);
  return run;
}

function publicPart(state: DocumentState, at: number): PublicDocument {
  const original = state.originalLanguage ?? "en";
  const slugs: PublicDocument["slugs"] = new Map();
  const isOff = state.status === "archived" || state.status === "trashed";
  for (const code of CODES) {
    const side = code === original ? state : state.translations?.[code];
    if (side?.status !== "published" || isOff) continue;
    slugs.set(code, { slug: side.slug, title: side.title });
  }
  return { at, original, slugs };
}

/** Each language of a document, and for all others the first of the site or, without that, the original. */
function alternatesOf({ original, slugs }: PublicDocument): Record<string, string> {
  const found = new Map<string, string>();
  for (const [code, { slug }] of slugs) {
    found.set(code, `${ORIGIN}${code === "en" ? "" : `/${code}`}/posts/${slug}`);
  }
  const others = found.get("en") ?? found.get(original) ?? [...found.values()][0];
  if (others !== undefined) found.set("x-default", others);
  return Object.fromEntries(found);
}

/** The alternates of a page, or of a line of the sitemap, as a crawler reads them. */
function readAlternates(text: string, from: "html" | "sitemap"): Record<string, string> {
  const link = from === "html"
    ? /<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g
    : /<xhtml:link rel="alternate" hreflang="([^"]+)" href="([^"]+)"\/>/g;
  return Object.fromEntries([...text.matchAll(link)].map(([, code, href]) => [code, href]));
}

async function storedPage({ kv, client, harness }: SiteFixture, path: string) {
  const { value } = kv.read([...pagePrefix, path]);
  if (value === null) return null;
  const body = await harness.run(readPageBody(client.context, value as PageRow));
  return body === null ? null : new TextDecoder().decode(body);
}

async function languagePage({ harness }: SiteFixture, pages: LanguagePages, path: string) {
  const answer = await harness.run(pages.find(path, { fresh: true }));
  return answer?.kind === "page" ? new TextDecoder().decode(answer.page.body) : null;
}

/** No other pages of documents are stored. */
function assertNoMore(
  { kv }: SiteFixture,
  documents: readonly PublicDocument[],
  about: string,
): void {
  const expected = documents.flatMap(({ slugs }) => {
    const own = slugs.get("en");
    return own === undefined ? [] : [`/posts/${own.slug}`];
  });
  const stored = kv.dump(pagePrefix).map(({ key }) => String(key[1]))
    .filter((path) => /^\/posts\/[^/]+$/.test(path));
  assertEquals(stored.sort(), expected.sort(), `${about}: stored pages`);
}

/** The sitemap names the pages of documents, each with all of its languages. */
async function assertSitemap(
  { client, harness }: SiteFixture,
  urls: ReadonlyMap<string, Record<string, string>>,
  about: string,
): Promise<void> {
  const page = await harness.run(client.lists.find("/sitemap.xml"));
  const body = page && await harness.run(readPageBody(client.context, page as PageRow));
  const text = body ? new TextDecoder().decode(body) : "";
  const lines = [...text.matchAll(/<url><loc>([^<]+)<\/loc>(.*?)<\/url>/g)]
    .map(([, url = "", rest = ""]) => [url, readAlternates(rest, "sitemap")] as const)
    .filter(([url]) => /\/posts\/[^/]+$/.test(url));
  assertEquals(Object.fromEntries(lines.sort()), Object.fromEntries([...urls].sort()), about);
}

/** A search in a language finds the documents that are public in it. */
async function assertFound(
  { client, harness, ids }: SiteFixture,
  documents: readonly PublicDocument[],
  about: string,
): Promise<void> {
  const { content, publishing: { reader } } = client;
  const { schema } = await harness.run(languagesIndex(content));
  const [collection] = schema.collections;
  assert(collection !== undefined);
  const search = new SearchIndex({ store: client.context.store, loadDocuments: () => [] });
  for (const code of CODES) {
    const found: string[] = [];
    for (const { at, slugs } of documents) {
      const text = `word${at}${code}`;
      const opened = await harness.run(search.open({ languages: true }));
      const { hits } = await harness.run(search.search({
        text,
        exact: true,
        page: 1,
        perPage: 50,
        collectionIds: ["whole", "filled"].map((kind) =>
          postedBelow(collection.id, code, kind as "whole")
        ),
        inLanguages: {
          areSeveral: false,
          load: async function* (_code, some) {
            for await (const { state } of reader.each(some)) {
              yield { state: { ...state, status: "published" as const }, collection };
            }
          },
        },
      }, opened));
      const isExpected = slugs.get(code)?.title.startsWith(text) ?? false;
      const expected = isExpected ? [ids[at]] : [];
      assertEquals(hits.map(({ documentId }) => documentId), expected, `${about}: ${text}`);
      found.push(...hits.map(({ documentId }) => documentId));
    }
  }
}
