/**
 * The answer where there is no page.
 *
 * @module
 */
import { AGGREGATES_TAG, MISSING_TAG, type Page } from "../../../kv/model/entities/page.ts";
import { markdownBytes } from "../rich_text/markdown.ts";
import { renderFramed } from "./page_frame.ts";
import { wordsOf } from "../theme/site_words.ts";
import type { Rendering } from "../views/view.ts";

/** Where the answer is kept; no request has such a path. */
export const NOT_FOUND_PATH = "not_found";

/** Renders the answer for everything that is not there. */
export function renderNotFound(rendering: Rendering): Page {
  const page = renderFramed(rendering, {
    kind: "not_found",
    path: null,
    title: wordsOf(rendering.site.language).notFound,
    description: "",
    markdown: markdownBytes(["# Page not found"]),
    tags: [MISSING_TAG, AGGREGATES_TAG],
  }, {});
  return { ...page, path: NOT_FOUND_PATH };
}
