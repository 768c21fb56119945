/**
 * The page for unknown URLs.
 *
 * @module
 */
import { AGGREGATES_TAG, MISSING_TAG, type Page } from "../../../kv/model/entities/page.ts";
import { markdownBytes } from "../rich_text/markdown.ts";
import { renderFramed } from "./page_frame.ts";
import { wordsOf } from "../theme/site_words.ts";
import type { Rendering } from "../views/view.ts";

/** The storage path of the page; no request has this path. */
export const NOT_FOUND_PATH = "not_found";

/** Renders the 404 page. */
export function renderNotFound(rendering: Rendering): Page {
  const page = renderFramed(rendering, {
    kind: "not_found",
    path: null,
    title: wordsOf(rendering.site.language).notFound,
    description: "",
    markdown: () => markdownBytes(["# Page not found"]),
    tags: [MISSING_TAG, AGGREGATES_TAG],
  }, {});
  return { ...page, path: NOT_FOUND_PATH };
}
