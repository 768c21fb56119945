/**
 * Publishing: pages of documents are rendered ahead, by jobs, and stored. This module renders the page of one
 * document; the jobs of this folder decide which pages are stale.
 *
 * - **Document page.** The stored page of a published document, at the path of its collection and slug. Of two
 *   renderings the one that has read later wins.
 * - **Registered references.** The documents and media that a page shows. They are stored before they are read, so that
 *   a change of one finds every page that shows it (RENDER_REFERRERS), whichever commit comes first.
 * - **Related documents** share tags with a document. **Backlinks** are the documents that refer to it.
 * - **Lists.** Home, listings, tags, feeds and the sitemap: made of many documents, rendered when they are asked for
 *   (`lists/list_pages.ts`). Jobs purge them from caches.
 * - **Note.** A row that says what may be stale, written in the commit of the change. A job reads the notes and deletes
 *   them in its commit.
 * - **Purge.** Telling caches, by surrogate key, to drop pages.
 * - **Compute queue.** Rendering runs in short slices between requests.
 *
 * Invariants: a page never shows what the public may not see; a step that was cut off can run again.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import type { DocumentReader } from "../../kv/documents/reader.ts";
import { indexVersionKey } from "../../kv/index/index_keys.ts";
import { type Collection, hasPages } from "../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../kv/model/entities/document.ts";
import { hasPublicTranslation } from "../../kv/model/languages/translation.ts";
import { isPublished, type PublishedDocument } from "../../kv/model/entities/page.ts";
import {
  assumeNoPage,
  type DocumentPageEntries,
  hasReferrers,
  isPageToCome,
  putDocumentPage,
  readDocumentPage,
  registerReferences,
  removeDocumentPage,
} from "../../kv/pages/document_pages.ts";
import type { ShownRelated } from "../../kv/pages/tag_changes.ts";
import { tagsOf } from "../../kv/model/fields/tags.ts";
import { requestReferrerRendering } from "../../kv/pages/rendering_requests.ts";
import { putSiteEntry, removeSiteEntry, type SiteEntry } from "../../kv/pages/site_entries.ts";
import { Operation, StaleRead } from "../../kv/store/operation.ts";
import { RENDER_CONFLICTS_MAX } from "../limits.ts";
import { followedReferences, GrowingLookup, lookUp, shownOnPage } from "./page_lookup.ts";
import { findReferencing } from "./backlinks.ts";
import { findRelated, relatesDocuments } from "./related.ts";
import type { NotifyPlugins } from "./plugin_event.ts";
import type { Purge } from "./purge.ts";
import type { BacklinkIds } from "../render/pages/backlinks_view.ts";
import { renderDocument } from "../render/pages/document_page.ts";
import { documentPath } from "../render/site_facts.ts";
import { documentLinks, linksToSame } from "../render/site_languages.ts";
import { shownElsewhere } from "./shown_elsewhere.ts";
import { isLeftOut, searchFactsOf } from "../render/views/search_facts.ts";
import type { Lookup, Rendering } from "../render/views/view.ts";
import { Traffic } from "../runner/traffic.ts";
import { type ComputeLane, ComputeQueue } from "./compute_queue.ts";

const CONFLICT_DELAY_MS = 5;

/** The environment of publishing jobs. */
export interface Publishing {
  content: Content;
  reader: DocumentReader;
  /** Current site facts, schema and theme. */
  rendering: () => Promise<Rendering>;
  /** Runs long computations between requests. */
  compute: ComputeLane;
  /** Runs computations that a user waits for. */
  urgentCompute: ComputeLane;
  purge: Purge;
  notifyPlugins: NotifyPlugins;
}

/** Completes the environment; `traffic` is what its computations yield to. */
export function createPublishing(
  parts: Omit<Publishing, "compute" | "urgentCompute">,
  traffic?: Traffic,
): Publishing {
  const { store } = parts.content.context;
  const compute = new ComputeQueue(store, traffic ?? new Traffic(store.monotonic), store.monotonic);
  return { ...parts, compute, urgentCompute: compute.urgent };
}

/** Publishing for a job: if a user waits for it, its computations go first. */
export function publishingFor({ urgent }: { urgent: boolean }, publishing: Publishing): Publishing {
  return urgent ? { ...publishing, compute: publishing.urgentCompute } : publishing;
}

/** A published document that was read together with its page, and the rendering environment. */
export interface ReadPage {
  entries: DocumentPageEntries;
  rendering: Rendering;
  document: PublishedDocument;
  n: number;
}

/** The expected path of a document's page, or that it has none yet. */
export interface ExpectedPlace {
  collectionId: string;
  slug: string;
  isUnrendered?: boolean;
}

/**
 * Reads a document and its page before everything that the page shows; null if the document is not public. The
 * expected path is read too; for a new document the commit checks that no page exists.
 */
export async function readPage(
  { content, reader, rendering }: Publishing,
  documentId: string,
  expected?: ExpectedPlace,
): Promise<ReadPage | null> {
  const collection = expected && content.schema.known?.byId.get(expected.collectionId);
  const place = collection && {
    path: documentPath(collection, expected.slug),
    collectionId: collection.id,
  };
  const [entries, facts] = await Promise.all([
    place && expected.isUnrendered
      ? assumeNoPage(content.context.store, documentId, place)
      : readDocumentPage(content.context.store, documentId, place),
    rendering(),
  ]);
  const stored = await reader.ofEntry(documentId, entries.current);
  if (stored === null || !isPublished(stored.state)) return null;
  if (!facts.schema.byId.has(stored.state.collectionId)) return null;
  return { entries, rendering: facts, document: stored.state, n: stored.n };
}

/** How a page is rendered. */
export interface RenderOptions {
  /**
   * When pages that show the document are requested, besides when what they show of it has changed: always, or when
   * that is unknown.
   */
  referrers?: "always" | "if unknown";
  /** Whether the same commit notes the document among those of its tags. */
  isNoted?: boolean;
}

/** What a rendering came to. */
export interface RenderedPage {
  /** Whether anything public changes. */
  changed: boolean;
  /** Absent if the document has no page. */
  shown?: ShownRelated;
}

/**
 * Adds the page of a document to a commit. Of two renderings the one that has read later wins. References are
 * registered before they are read, so a change of one finds the page, whichever commit comes first.
 */
export async function putRenderedPage(
  publishing: Publishing,
  operation: Operation,
  { entries, rendering, document }: ReadPage,
  { referrers, isNoted = false }: RenderOptions = {},
): Promise<RenderedPage> {
  const { context } = publishing.content;
  const collection = rendering.schema.byId.get(document.collectionId);
  if (collection === undefined || !hasPages(collection)) {
    if (referrers !== undefined) await requestReferrerPages(publishing, operation, document.id);
    removeSiteEntry(operation, document.id);
    return { changed: await removeDocumentPage(context.store, operation, entries) };
  }
  const known = entries.location.value?.shownElsewhere;
  const now = shownElsewhere(rendering, document, collection);
  const isShown = referrers === "always" ||
    (known === undefined ? referrers !== undefined : known !== now);
  const [shown] = await Promise.all([
    readShown(publishing, { entries, rendering, document }, collection, isNoted),
    isShown ? requestReferrerPages(publishing, operation, document.id) : undefined,
  ]);
  const { related, backlinks, lookup, registered } = shown;
  const rendered = await publishing.compute.run(() =>
    renderDocument(rendering, document, collection, lookup, { related, backlinks })
  );
  const page = { ...rendered, references: shown.all };
  // Until it is known, the job that follows a change must request them.
  const isKnown = known !== undefined || referrers !== undefined || entries.location.value === null;
  const kept = isKnown ? now : undefined;
  const changed = await putDocumentPage(context, operation, page, registered, kept);
  putLine(operation, document.id, siteEntryOf(rendering, document, collection, page.path));
  return { changed, shown: { ids: related, ...shown.indexed } };
}

/** Adds a document's line of the sitemap to a commit, or its removal. */
function putLine(operation: Operation, id: string, entry: SiteEntry | null): void {
  if (entry === null) removeSiteEntry(operation, id);
  else putSiteEntry(operation, id, entry);
}

/** A document's line of the sitemap, with its pages in other languages; null if search engines are to leave it out. */
function siteEntryOf(
  rendering: Rendering,
  document: DocumentState,
  collection: Collection,
  path: string,
): SiteEntry | null {
  const links = pagesInLanguages(rendering, document, collection);
  const { url } = rendering.site;
  if (links.length === 0 && isLeftOut(searchFactsOf(document, collection, url), url + path)) {
    return null;
  }
  const { updatedAt } = document;
  // What is not written in the first language has its pages below the prefixes of its languages.
  const [[, first] = []] = links;
  const own = links.some(([, one]) => one === path) ? path : first ?? path;
  return links.length > 1 ? [own, updatedAt, links] : [own, updatedAt];
}

/** The codes and paths of the languages in which a document has a page; none where the site has one language. */
function pagesInLanguages(
  { site, schema }: Rendering,
  document: DocumentState,
  collection: Collection,
): [code: string, path: string][] {
  const links = documentLinks(site, schema, document, collection) ?? [];
  return linksToSame(links).map(({ code, path }) => [code, path]);
}

/** Other documents and media that a page shows. */
interface ShownOthers {
  /** Ids of related documents. */
  related: string[];
  /** Documents that refer to it. */
  backlinks: BacklinkIds[];
  /** Sorted ids of everything that the page is registered for. */
  all: string[];
  lookup: Lookup;
  registered: DocumentPageEntries;
  /** The index version of the related documents, if it is known. */
  indexed: Pick<ShownRelated, "version">;
}

/**
 * Registers the references of a page and reads them. Related documents, authors and covers are known only
 * after reading, although mostly remembered. So everything is read again if a new reference was registered;
 * the index must then be unchanged, unless all related documents were known. Backlinks are not registered,
 * only what their cards show: a change of them requests RENDER_TAGS.
 *
 * RENDER_TAGS passes over pages that are still to come, unless they are registered. A page that is not noted in its
 * commit is therefore registered before its related documents are read, even if there are none.
 */
async function readShown(
  publishing: Publishing,
  { entries, rendering, document }: Pick<ReadPage, "entries" | "rendering" | "document">,
  collection: Collection,
  isNoted: boolean,
): Promise<ShownOthers> {
  const { context: { store }, index } = publishing.content;
  const references = followedReferences(document, collection, rendering);
  const key = indexVersionKey(collection.id);
  const always = !isNoted && tagsOf(collection, document).some(relatesDocuments);
  let registered = entries;
  let version = entries.indexVersion;
  let seen: Lookup = new GrowingLookup(publishing);
  for (let look = 1; look <= RENDER_CONFLICTS_MAX; look++) {
    const [related, backlinks] = await Promise.all([
      findRelated({ store, index }, collection, document, version),
      findReferencing({ store, index }, rendering.schema, collection, document.id),
    ]);
    const carrying = new Set(backlinks.flatMap(({ ids }) => ids));
    const shown = shownOnPage(rendering, document, collection, { references, related, backlinks });
    const allOf = (lookup: Lookup) => {
      const { media, documents } = shown(lookup);
      const authors = documents.filter((id) => !carrying.has(id) && id !== document.id);
      return [...new Set([...references.all, ...related, ...authors, ...media])].sort();
    };
    const guessed = allOf(seen);
    const known = registered.location.value?.references ?? [];
    const before = registered;
    registered = await registerReferences(store, before, guessed, { isNoted, always });
    const isFirst = always && isPageToCome(before);
    const relatedUnchanged = related.every((id) => known.includes(id)) &&
      !(isFirst && registered !== before);
    const [lookup, later] = await Promise.all([
      lookUp(publishing, shown),
      relatedUnchanged ? version : store.get(key),
    ]);
    const isSame = later?.versionstamp === version?.versionstamp;
    const all = allOf(lookup);
    if (isSame && all.every((id) => guessed.includes(id))) {
      const indexed = version === undefined ? {} : { version: version.versionstamp };
      return { related, backlinks, all, lookup, registered, indexed };
    }
    seen = lookup;
    version = later;
  }
  throw new StaleRead(entries.version.key);
}

/** Adds the current page of a document to a commit; null if the document is not published. */
export async function renderPage(
  publishing: Publishing,
  operation: Operation,
  id: string,
  expected?: ExpectedPlace,
): Promise<{ changed: boolean } | null> {
  const read = await readPage(publishing, id, expected);
  if (read === null) return null;
  return await putRenderedPage(publishing, operation, read);
}

/** Adds the removal of a document's page to a commit; false if the document is published after all. */
export async function unrenderPage(
  publishing: Publishing,
  operation: Operation,
  id: string,
): Promise<boolean> {
  const { content: { context: { store } }, reader } = publishing;
  const entries = await readDocumentPage(store, id);
  const stored = await reader.ofEntry(id, entries.current);
  if (stored !== null && isPublished(stored.state)) return false;
  await putTranslatedLine(publishing, operation, id, stored?.state ?? null);
  await removeDocumentPage(store, operation, entries);
  return true;
}

/** Adds the line of a document that is public in translations alone to a commit; removes it if it is not. */
async function putTranslatedLine(
  { rendering }: Publishing,
  operation: Operation,
  id: string,
  document: DocumentState | null,
): Promise<void> {
  const facts = hasPublicTranslation(document) ? await rendering() : null;
  const collection = facts?.schema.byId.get(document?.collectionId ?? "");
  if (document !== null && facts !== null && collection && hasPages(collection)) {
    const [[, path] = []] = pagesInLanguages(facts, document, collection);
    if (path !== undefined) {
      return putLine(operation, id, siteEntryOf(facts, document, collection, path));
    }
  }
  removeSiteEntry(operation, id);
}

/** Renders or removes a document's page in commits of its own; returns whether it has changed. */
export async function bringPage(
  publishing: Publishing,
  id: string,
  expected?: ExpectedPlace,
): Promise<boolean> {
  const { content: { context: { store } }, reader } = publishing;
  for (let run = 1; run <= RENDER_CONFLICTS_MAX; run++) {
    const operation = new Operation();
    try {
      const rendered = await renderPage(publishing, operation, id, expected);
      if (rendered === null) {
        // A document that never had a page or line needs no commit; most documents without one are drafts.
        const { location, current } = await readDocumentPage(store, id);
        if (location.value === null) {
          const stored = await reader.ofEntry(id, current);
          if (!hasPublicTranslation(stored?.state ?? null)) return false;
        }
        if (!await unrenderPage(publishing, operation, id)) continue;
      }
      if ((await store.commit(operation)).ok) return rendered?.changed ?? true;
    } catch (error) {
      if (!(error instanceof StaleRead)) throw error;
    }
    await store.sleep(store.random() * CONFLICT_DELAY_MS * run);
  }
  throw new Error("A document is changed too often to be rendered");
}

/** Adds the job that renders the pages which show a document or medium, if there are any. */
export async function requestReferrerPages(
  { content: { context } }: Publishing,
  operation: Operation,
  targetId: string,
): Promise<void> {
  if (!await hasReferrers(context.store, targetId)) return;
  requestReferrerRendering(operation, context, targetId);
}
