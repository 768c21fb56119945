/**
 * A document's own page as Markdown.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { PublishedDocument } from "../../../kv/model/entities/page.ts";
import type { BacklinkSection } from "./backlinks_view.ts";
import { findLead, isSummary } from "../views/excerpt.ts";
import { markdownBytes, markdownLine, markdownLink } from "../rich_text/markdown.ts";
import type { RelatedView } from "./related_view.ts";
import { MarkdownViewer } from "../views/markdown_view.ts";
import { documentPath, listingPath, markdownAddress } from "../site_facts.ts";
import { teaserMarkdown } from "../views/teaser.ts";
import type { Lookup, Rendering } from "../views/view.ts";

/** Title, lead and texts as on the page, with the facts between them as a list. */
export function documentMarkdown(
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
  lookup: Lookup,
  related: readonly RelatedView[] = [],
  sections: readonly BacklinkSection[] = [],
): Uint8Array {
  const { site } = rendering;
  const viewer = new MarkdownViewer(rendering, lookup);
  const lead = findLead(document, collection);
  const { body, facts } = viewer.fields(
    collection.fields,
    document.data,
    ({ key }) => key,
    (field) => field.name === lead?.name || isSummary(field),
  );
  const { publishedAt, createdAt, updatedAt } = document;
  const section = markdownLink(collection.name, markdownAddress(site, listingPath(collection)));
  // Related documents that the author chose are listed among the facts.
  const found = related.flatMap(({ title, path, published }) =>
    published === undefined || path === null
      ? []
      : [`- ${markdownLink(title, markdownAddress(site, path))}`]
  );
  return markdownBytes([
    `# ${markdownLine(document.title)}`,
    markdownLine(lead?.text ?? ""),
    [
      `- Page: <${site.url}${documentPath(collection, document.slug)}>`,
      `- Collection: ${section}`,
      `- Published: ${viewer.date(publishedAt ?? createdAt)}`,
      `- Updated: ${viewer.date(updatedAt)}`,
      ...facts,
    ].join("\n"),
    ...body,
    viewer.blocks(document.blocks as Json),
    ...sections.flatMap(({ name, path, documents }) => [
      `## ${markdownLink(name, markdownAddress(site, path))}`,
      documents.map((one) => teaserMarkdown(one, site)).join("\n"),
    ]),
    ...found.length === 0 ? [] : ["## Related", found.join("\n")],
  ]);
}
