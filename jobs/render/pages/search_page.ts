/**
 * The search page of the site. It is prerendered like all pages; its results come from the public search API
 * through the only script of the public site.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { AGGREGATES_TAG, type Page } from "../../../kv/model/entities/page.ts";
import { hasPages } from "../../../kv/model/entities/collection.ts";
import { SEARCH_COLLECTIONS_MAX } from "../../../kv/limits/requests.ts";
import { Html } from "../markup.ts";
import { markdownBytes } from "../rich_text/markdown.ts";
import { renderFramed } from "./page_frame.ts";
import {
  foundItem,
  piecesOf,
  searchNow,
  searchSoon,
  startSearch,
  stepThrough,
} from "./search_script.ts";
import { wordsOf } from "../theme/site_words.ts";
import type { Rendering } from "../views/view.ts";

/** Its path. */
export const SEARCH_PATH = "/search";

const FUNCTIONS = [foundItem, piecesOf, searchNow, searchSoon, startSearch, stepThrough];
const SOURCE = `"use strict";\n${FUNCTIONS.map(String).join("\n")}\nstartSearch();\n`;
if (/<\/script|<!--/i.test(SOURCE)) throw new Error("The script would end its own element");
const SCRIPT = new Html(`<script type="module">${SOURCE}</script>`);

/** The hash by which the page's policy allows exactly this script, whatever a theme prints. */
export const SEARCH_SCRIPT_HASH = `sha256-${createHash("sha256").update(SOURCE).digest("base64")}`;

/** Renders the search page. */
export function renderSearch(rendering: Rendering): Page {
  const { schema, site } = rendering;
  const shown = schema.collections.filter((one) => hasPages(one) && one.exposed);
  // If there are more collections than a search may name, all are searched, and the script skips hidden ones.
  const named = shown.slice(0, SEARCH_COLLECTIONS_MAX + 1);
  const { prefix = "" } = site;
  return renderFramed(rendering, {
    kind: "search",
    path: SEARCH_PATH,
    title: wordsOf(site.language).search,
    description: "",
    markdown: () =>
      markdownBytes([
        "# Search",
        "`GET /api/v1/search?q=` answers what it finds on this site as JSON.",
      ]),
    tags: [AGGREGATES_TAG],
  }, {
    searched: shown.map(({ slug, name }) => ({ slug: slug.slice(prefix.length), name })),
    narrowed: named.length <= SEARCH_COLLECTIONS_MAX,
    script: SCRIPT,
  });
}
