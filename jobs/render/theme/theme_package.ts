/**
 * A theme out of the files of a package: templates below `templates/`, everything that browsers fetch
 * below `assets/`. A theme is tried out before it may be installed.
 *
 * @module
 */
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import type { BacklinkIds } from "../pages/backlinks_view.ts";
import { DayFormat } from "../views/date_view.ts";
import { renderDocument } from "../pages/document_page.ts";
import { renderHome } from "../pages/home_page.ts";
import { renderListing } from "../pages/listing_page.ts";
import { newestSlice } from "../pages/listing_plan.ts";
import { renderNotFound } from "../pages/not_found_page.ts";
import { renderSearch } from "../pages/search_page.ts";
import { Theme, ThemeFault, type ThemeFiles } from "./theme.ts";
import type { Rendering } from "../views/view.ts";

const TEMPLATE = /^templates\/((?:[a-z0-9_-]+\/){0,3}[a-zA-Z0-9_-]+)\.liquid$/;
const ASSET = /^assets\/((?:[\w-]+\/){0,3}[\w-][\w.-]*\.([a-z0-9]+))$/;

/** Allowed asset types of a theme, by file extension; none can run code. */
const ASSET_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
  woff: "font/woff",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  avif: "image/avif",
  gif: "image/gif",
  svg: "image/svg+xml",
  ico: "image/x-icon",
  txt: "text/plain; charset=utf-8",
};

/** The files of a package by path, as a theme; other files are left out and named in `faults`. */
export function themeFiles(
  files: ReadonlyMap<string, Uint8Array>,
): { theme: ThemeFiles; faults: string[] } {
  const templates: Record<string, string> = {};
  const assets: Record<string, { contentType: string; body: Uint8Array }> = {};
  const faults: string[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (const [path, body] of files) {
    if (path === "theme.json") continue;
    const template = TEMPLATE.exec(path)?.[1];
    const [, asset, ending] = ASSET.exec(path) ?? [];
    const contentType = ownValue(ASSET_TYPES, ending ?? "");
    if (template !== undefined) {
      try {
        templates[template] = decoder.decode(body);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        faults.push(`${path} is not UTF-8`);
      }
    } else if (asset !== undefined && contentType !== undefined) {
      assets[asset] = { contentType, body };
    } else {
      faults.push(`${path} is neither a template nor an asset`);
    }
  }
  return { theme: { templates, assets }, faults };
}

/** The faults of a theme, found by rendering one page of each kind; empty if there are none. */
export function themeFaults(files: ThemeFiles): string[] {
  const rendering: Rendering = {
    site: SAMPLE_SITE,
    schema: SAMPLE_SCHEMA,
    theme: new Theme(files),
    days: new DayFormat(SAMPLE_SITE),
  };
  const documents = [SAMPLE_DOCUMENT];
  const nothing = { medium: () => null, document: () => null };
  const renderings = [
    () => renderHome(rendering, [{ collection: SAMPLE_COLLECTION, documents, total: 9 }]),
    () => renderHome(rendering, []),
    () =>
      renderListing(rendering, {
        collection: SAMPLE_COLLECTION,
        slice: newestSlice(1),
        documents,
        total: 1,
      }),
    () =>
      renderListing(rendering, {
        collection: SAMPLE_COLLECTION,
        slice: newestSlice(1),
        documents,
        total: 1,
        tag: SAMPLE_TAG,
      }),
    () => renderDocument(rendering, SAMPLE_DOCUMENT, SAMPLE_COLLECTION, nothing),
    () =>
      renderDocument(
        rendering,
        SAMPLE_DOCUMENT,
        SAMPLE_COLLECTION,
        { ...nothing, document: () => SAMPLE_DOCUMENT },
        { backlinks: [SAMPLE_BACKLINKS] },
      ),
    () => renderNotFound(rendering),
    () => renderSearch(rendering),
  ];
  const faults = renderings.flatMap((render) => {
    try {
      render();
      return [];
    } catch (error) {
      if (error instanceof ThemeFault) return [error.message];
      throw error;
    }
  });
  return [...new Set([...faults, ...rendering.theme.parseFaults()])];
}

const SAMPLE_SITE = {
  title: "A site",
  description: "What it is about",
  url: "https://site.invalid",
  language: "en",
  timezone: "UTC",
  imageTransforms: true,
};

const SAMPLE_COLLECTION = {
  id: "COLLECTION",
  slug: "posts",
  name: "Posts",
  description: "",
  exposed: true,
  createdAt: 0,
  updatedAt: 0,
  fields: [],
};

const SAMPLE_TAG = { label: "Light", path: "/posts/tags/light", description: "", about: null };

const SAMPLE_SCHEMA: Schema = {
  stamp: null,
  collections: [SAMPLE_COLLECTION],
  bySlug: new Map([["posts", SAMPLE_COLLECTION]]),
  byId: new Map([["COLLECTION", SAMPLE_COLLECTION]]),
  blocks: new Map(),
};

/** More of them than are shown. */
const SAMPLE_BACKLINKS: BacklinkIds = {
  collection: SAMPLE_COLLECTION,
  field: {
    id: "FIELD",
    collectionId: "COLLECTION",
    key: "author",
    name: "author",
    label: "Author",
    type: "reference",
    required: false,
    help: "",
    options: { collection: "posts" },
    unique: false,
    indexed: true,
    sortable: false,
    position: 0,
    createdAt: 0,
    updatedAt: 0,
  },
  ids: ["DOCUMENT"],
  total: 9,
};

const SAMPLE_DOCUMENT = {
  id: "DOCUMENT",
  collectionId: "COLLECTION",
  slug: "hello",
  title: "Hello",
  status: "published" as const,
  createdAt: 0,
  updatedAt: 0,
  publishedAt: 0,
  publishAt: null,
  data: {},
  blocks: [],
};
