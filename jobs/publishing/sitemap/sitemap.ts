/**
 * The sitemap, rendered on request from its stored lines, one for each document and tag. A short sitemap is one file, a
 * long one an index of parts.
 *
 * An id alone decides whether its document begins a part. A new or removed document therefore changes its own part,
 * splits it, or merges two, and all other parts keep their URLs. Each document that begins a part has a row with the
 * time of the part's newest change.
 *
 * @module
 */
import { hasPages } from "../../../kv/model/entities/collection.ts";
import type { Page } from "../../../kv/model/entities/page.ts";
import {
  siteEntryKey,
  siteEntryPrefix,
  sitemapPartKey,
  sitemapPartPrefix,
} from "../../../kv/pages/page_keys.ts";
import type { SiteEntry } from "../../../kv/pages/site_entries.ts";
import type { Range } from "../../../kv/store/driver.ts";
import type { Store } from "../../../kv/store/store.ts";
import { PART_LINES_MAX, SITEMAP_URLS_MAX, WHOLE_LINES_MAX } from "../../limits.ts";
import { listingPath } from "../../render/site_facts.ts";
import { sharedLinks } from "../../render/site_languages.ts";
import {
  renderSitemap,
  renderSitemapIndex,
  SITEMAP_PATH,
  type SitemapEntry,
  sitemapPartPath,
} from "../../render/feeds/sitemap.ts";
import type { Rendering } from "../../render/views/view.ts";
import type { SitemapPath } from "../lists/list_paths.ts";

/** Rows read at a time. */
const BATCH = 1_000;

if (PART_LINES_MAX + 1_001 > SITEMAP_URLS_MAX) {
  throw new RangeError("The first part has the listings of all collections too");
}

/** Renders the sitemap or a part of it; null if there is no such part. */
export async function renderSitemapAt(
  store: Store,
  rendering: Rendering,
  path: SitemapPath,
): Promise<Page | null> {
  if (path.kind === "sitemap") return await renderWhole(store, rendering);
  const { firstId } = path;
  const bounds = await store.listAll(
    { prefix: sitemapPartPrefix, start: sitemapPartKey(firstId) },
    { limit: 2, batchSize: 2 },
  );
  const ids = bounds.map(({ key }) => key[1] as string);
  if (firstId !== "" && ids[0] !== firstId) return null;
  const next = ids.find((id) => id > firstId);
  const range = {
    start: siteEntryKey(firstId),
    end: next === undefined ? [...siteEntryPrefix, "~"] : siteEntryKey(next),
  };
  const lines = await readLines(store, range, PART_LINES_MAX);
  const entries = firstId === "" ? [...commonLines(rendering), ...lines] : lines;
  return renderSitemap(rendering.site, sitemapPartPath(firstId), entries);
}

async function renderWhole(store: Store, rendering: Rendering): Promise<Page> {
  const lines = await readLines(store, { prefix: siteEntryPrefix }, WHOLE_LINES_MAX + 1);
  if (lines.length <= WHOLE_LINES_MAX) {
    return renderSitemap(rendering.site, SITEMAP_PATH, [...commonLines(rendering), ...lines]);
  }
  const rows = await store.listAll<number>({ prefix: sitemapPartPrefix }, { batchSize: BATCH });
  const parts = new Map(rows.map(({ key, value }) => [key[1] as string, value!]));
  if (!parts.has("")) parts.set("", 0);
  const entries = [...parts].sort(([a], [b]) => a < b ? -1 : 1).map(([firstId, updatedAt]) => ({
    path: sitemapPartPath(firstId),
    ...(updatedAt > 0 && { updatedAt }),
  }));
  return renderSitemapIndex(rendering.site, entries);
}

/** Lines in order, at most `limit`. */
async function readLines(store: Store, range: Range, limit: number): Promise<SitemapEntry[]> {
  const rows = await store.listAll<SiteEntry>(range, { limit, batchSize: BATCH });
  return rows.flatMap(({ value }) => entriesOf(value!));
}

/** The home page and the listings precede all documents. */
function commonLines({ schema, site, empty }: Rendering): SitemapEntry[] {
  const paths = [
    "/",
    ...schema.collections
      .filter((one) => hasPages(one) && !one.singleton && !empty?.has(one.id))
      .map(listingPath),
  ];
  if (site.languages === undefined) return paths.map((path) => ({ path }));
  return paths.flatMap((path) => {
    const links = sharedLinks(site, path);
    return links.map((link) => ({ path: link.path, links }));
  });
}

/** The addresses of a line: one for each language that its document is public in. */
function entriesOf([path, updatedAt, languages]: SiteEntry): SitemapEntry[] {
  if (languages === undefined) return [{ path, updatedAt }];
  const links = languages.map(([code, path]) => ({ code, path }));
  return links.map((link) => ({ path: link.path, updatedAt, links }));
}
