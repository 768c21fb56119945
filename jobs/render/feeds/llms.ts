/**
 * `/llms.txt` (llmstxt.org): a description of the site with links to its content as Markdown.
 *
 * @module
 */
import { AGGREGATES_TAG, type Page } from "../../../kv/model/entities/page.ts";
import { hasPages } from "../../../kv/model/entities/collection.ts";
import { inEventOrder } from "../pages/event_order.ts";
import { HOME_DOCUMENTS, type HomeSection } from "../pages/home_page.ts";
import { markdownLine, markdownLink, markdownParts } from "../rich_text/markdown.ts";
import { textPage } from "../pages/page_frame.ts";
import { feedPath, listingPath, markdownAddress } from "../site_facts.ts";
import { SITEMAP_PATH } from "./sitemap.ts";
import { teaserMarkdown, teaserOf } from "../views/teaser.ts";
import type { Rendering } from "../views/view.ts";

/** Renders `/llms.txt` with all collections that have something published, and the newest documents of those on the first page. */
export function renderLlms(rendering: Rendering, sections: HomeSection[]): Page {
  const { site, schema } = rendering;
  const empty = new Set(
    sections.filter(({ total }) => total === 0).map(({ collection }) => collection.id),
  );
  const shown = schema.collections.filter((one) => hasPages(one) && !empty.has(one.id));
  const collections = shown.map((collection) => {
    const link = markdownLink(collection.name, markdownAddress(site, listingPath(collection)));
    const about = markdownLine(collection.description);
    return `- ${link}${about === "" ? "" : `: ${about}`}`;
  });
  const newest = sections.filter(({ documents }) => documents.length > 0).map((section) => {
    const chosen = inEventOrder(rendering, section.collection, section.documents)
      .slice(0, HOME_DOCUMENTS);
    const lines = chosen.map((document) =>
      teaserMarkdown(teaserOf(rendering, document, section.collection), site)
    );
    return `## ${markdownLine(section.collection.name)}\n\n${lines.join("\n")}`;
  });
  const text = markdownParts([
    `# ${markdownLine(site.title) || "Site"}`,
    site.description === "" ? "" : `> ${markdownLine(site.description)}`,
    "Every page is also available as Markdown: add `.md` to its URL, or send `Accept: text/markdown`.",
    collections.length === 0 ? "" : `## Collections\n\n${collections.join("\n")}`,
    ...newest,
    `## Optional\n\n${
      [
        `- ${markdownLink("Home page", markdownAddress(site, "/"))}`,
        `- ${
          markdownLink("Feed", site.url + feedPath(site.prefix ?? "", "json"))
        }: the newest documents`,
        `- ${markdownLink("Sitemap", site.url + SITEMAP_PATH)}: every page`,
      ].join("\n")
    }`,
  ]);
  return textPage("/llms.txt", "text/plain; charset=utf-8", `${text}\n`, [AGGREGATES_TAG]);
}
