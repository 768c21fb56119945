/**
 * One page of the site as another theme would render it. Nothing is stored but the theme's own files,
 * which lie under paths of their own.
 *
 * @module
 */
import { Operation } from "../../kv/store/operation.ts";
import type { Collection } from "../../kv/model/collection.ts";
import { isPublished, type Page, type PublishedDocument } from "../../kv/model/page.ts";
import { putPage } from "../../kv/pages/pages.ts";
import { Refusal } from "../../kv/refusals.ts";
import { HOME_COLLECTIONS_MAX } from "../limits.ts";
import { listNewest, publishedOf } from "../publishing/newest_documents.ts";
import { followedReferences, lookUp } from "../publishing/page_lookup.ts";
import type { Publishing } from "../publishing/publishing.ts";
import { renderDocument } from "../render/document_page.ts";
import { HOME_DOCUMENTS, renderHome } from "../render/home_page.ts";
import { renderListing } from "../render/listing_page.ts";
import { LISTING_SIZE, newestSlice } from "../render/listing_plan.ts";
import { renderNotFound } from "../render/not_found_page.ts";
import { type Theme, ThemeFault } from "../render/theme.ts";
import type { Rendering } from "../render/view.ts";

/** Files of a theme put into one commit. */
const ASSETS_PER_COMMIT = 8;

/** Renders the page at a path with a theme; the page for what is missing where there is none. */
export async function previewPage(
  publishing: Publishing,
  theme: Theme,
  path: string,
): Promise<Page> {
  const rendering: Rendering = { ...await publishing.rendering(), theme };
  await putAssets(publishing, theme);
  try {
    return await renderPath(publishing, rendering, path);
  } catch (error) {
    if (!(error instanceof ThemeFault)) throw error;
    throw new Refusal("CONFLICT", { about: error.message.slice(0, 500) }, { cause: error });
  }
}

async function renderPath(
  publishing: Publishing,
  rendering: Rendering,
  path: string,
): Promise<Page> {
  if (path === "/") return await renderFirstPage(publishing, rendering);
  const [, slug, documentSlug] = /^\/([a-z0-9-]+)(?:\/([a-z0-9-]+))?$/.exec(path) ?? [];
  const collection = rendering.schema.bySlug.get(slug ?? "");
  if (collection === undefined) return renderNotFound(rendering);
  if (documentSlug === undefined) {
    const { total, documents } = await newest(publishing, collection, 2 * LISTING_SIZE);
    const slice = newestSlice(total);
    const shown = documents.slice(0, total - slice.start).toReversed();
    return renderListing(rendering, { collection, slice, documents: shown, total });
  }
  const stored = await publishing.reader.findBySlug(collection.id, documentSlug);
  if (stored === null || !isPublished(stored.state)) return renderNotFound(rendering);
  const document = stored.state;
  const references = followedReferences(document, collection, rendering);
  const lookup = await lookUp(publishing, references);
  return renderDocument(rendering, document, collection, lookup);
}

async function renderFirstPage(publishing: Publishing, rendering: Rendering): Promise<Page> {
  const collections = rendering.schema.collections.slice(0, HOME_COLLECTIONS_MAX);
  const sections = await Promise.all(collections.map(async (collection) => ({
    collection,
    ...await newest(publishing, collection, HOME_DOCUMENTS),
  })));
  return renderHome(rendering, sections);
}

async function newest(
  publishing: Publishing,
  collection: Collection,
  limit: number,
): Promise<{ total: number; documents: PublishedDocument[] }> {
  const page = await listNewest(publishing.content, [collection], limit);
  return { total: page.total, documents: await publishedOf(publishing, page) };
}

/** The theme's files are public: their paths change with them, so they are in nobody's way. */
async function putAssets({ content: { context } }: Publishing, theme: Theme): Promise<void> {
  const pages = theme.assetPages();
  for (let start = 0; start < pages.length; start += ASSETS_PER_COMMIT) {
    const operation = new Operation();
    for (const page of pages.slice(start, start + ASSETS_PER_COMMIT)) {
      await putPage(context, operation, page);
    }
    if (operation.mutations > 0) await context.store.commit(operation);
  }
}
