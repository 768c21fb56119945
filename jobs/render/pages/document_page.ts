/**
 * A document's own page.
 *
 * @module
 */
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import {
  collectionTag,
  type DocumentPage,
  documentTag,
  type PublishedDocument,
} from "../../../kv/model/entities/page.ts";
import { excerptOf, findLead, isSummary } from "../views/excerpt.ts";
import { articleData, profileData } from "../article_data.ts";
import { bylineViews } from "../views/byline_view.ts";
import { backlinkFeeds, type BacklinkIds, backlinkSections } from "./backlinks_view.ts";
import { collectionView, type PageFacts, renderFramed } from "./page_frame.ts";
import { documentMarkdown } from "./document_markdown.ts";
import { foreignDirection } from "../views/direction.ts";
import { readingTime } from "../views/reading_time.ts";
import { searchFactsOf } from "../views/search_facts.ts";
import { documentPath } from "../site_facts.ts";
import { documentLinks, type LanguageLink } from "../site_languages.ts";
import type { MediaView } from "../views/media_view.ts";
import { type RelatedIds, relatedView } from "./related_view.ts";
import { type TagLink, tagLink } from "../views/tag_view.ts";
import {
  type FieldsView,
  type FieldView,
  type Lookup,
  type ReferenceView,
  type Rendering,
  Viewer,
} from "../views/view.ts";
import { holdsAuthors, whenOf } from "../views/when.ts";

/** Other documents on a page that the document does not refer to. */
export interface Others {
  related?: RelatedIds;
  backlinks?: readonly BacklinkIds[];
  /** Its page in each language; by its own state when absent. */
  links?: readonly LanguageLink[] | undefined;
  /** The path of the page that a page of another language repeats. */
  canonical?: string;
  /** The language of its text, if that is not the page's. */
  textLanguage?: string;
}

/**
 * Renders the page of a document. `lookup` knows what {@linkcode referencesOf} asked for, the documents related to it,
 * its backlinks, and the covers of all of these.
 */
export function renderDocument(
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
  lookup: Lookup,
  { related: relatedIds = [], backlinks = [], ...given }: Others = {},
): DocumentPage {
  const inLanguage = given.links ? given : asWritten(rendering, document, collection);
  const asked = new Set<string>();
  const asking = noting(lookup, asked);
  const viewer = new Viewer(rendering, asking);
  const view = viewer.fields(collection.fields, document.data, (field) => field.key);
  const path = documentPath(collection, document.slug);
  const isProfile = holdsAuthors(rendering.schema, collection);
  const lead = findLead(document, collection);
  const image = heroOf(view);
  const tagged = taggedOf(collection, view.tags);
  const topics = topicsOf(tagged);
  const { description, ...search } = searchOf(rendering, document, collection, viewer);
  const said = { path, description, image };
  const bylines = bylineViews(rendering, document, collection, asking);
  const related = relatedView(rendering, document, collection, relatedIds, asking);
  const sections = backlinkSections(rendering, document, backlinks, asking);
  const published = viewer.date(document.publishedAt ?? document.createdAt);
  const updated = viewer.date(document.updatedAt);
  const page = renderFramed(rendering, {
    ...said,
    ...languageFacts(inLanguage),
    ...search,
    kind: "document",
    title: document.title,
    collection,
    isProfile,
    times: { published: published.iso, updated: updated.iso },
    topics,
    feeds: backlinkFeeds(document, backlinks, sections),
    authors: bylines.map(({ value }) => value.title),
    markdown: () => documentMarkdown(rendering, document, collection, lookup, related, sections),
    structured: isProfile
      ? profileData(rendering, document, said)
      : articleData(rendering, document, collection, { ...said, topics, bylines }),
    tags: [documentTag(document.id), collectionTag(collection.slug)],
  }, {
    collection: collectionView(collection),
    sections,
    document: {
      id: document.id,
      title: document.title,
      path,
      published,
      when: whenOf(rendering, document, collection),
      updated,
      reading: readingTime(document, collection, rendering.site.language),
      direction: foreignDirection(document.title, rendering.site.language),
      ...foreignLanguage(rendering, inLanguage),
      lead: lead?.text ?? "",
      image,
      fields: view.fields,
      bylines,
      tags: view.tags,
      tagged,
      related,
      body: [...view.covers, ...view.body]
        .filter((field) => field.name !== lead?.name && field.value !== image),
      facts: view.facts.filter((field) => !isSummaryField(collection, field)),
      blocks: viewer.blocks(document.blocks),
    },
  });
  const references = [...asked].filter(isUlid).sort();
  return { ...page, documentId: document.id, references, ...leading(given, inLanguage) };
}

/** The page of a document that is not written in the first language repeats that below the prefix of its language. */
function asWritten(
  { site, schema }: Rendering,
  document: PublishedDocument,
  collection: Collection,
): Pick<Others, "links" | "canonical" | "textLanguage"> {
  const links = documentLinks(site, schema, document, collection);
  const original = links?.find((link) => link.isOriginal && link.isSame);
  if (original === undefined || original.prefix === "") return { links };
  return { links, canonical: original.path, textLanguage: original.code };
}

/** Where the path leads; a page below the prefix of a language repeats another one on purpose. */
function leading({ links }: Others, { canonical }: Others): Pick<DocumentPage, "leadsTo"> {
  return links === undefined && canonical !== undefined ? { leadsTo: canonical } : {};
}

/** Where the page stands in other languages, and which page it repeats. */
function languageFacts({ links, canonical }: Others): Pick<PageFacts, "links" | "canonical"> {
  return { ...(links && { links }), ...(canonical !== undefined && { canonical }) };
}

/** The language of the text, if that is not the page's. */
function foreignLanguage({ site }: Rendering, { textLanguage }: Others): { language?: string } {
  return textLanguage === undefined || textLanguage === site.language
    ? {}
    : { language: textLanguage };
}

/** Everything that a document is tagged with, in order. */
function taggedOf(collection: Collection, tags: FieldView[]): TagLink[] {
  return tags.flatMap(({ name, value }) => {
    const values = Array.isArray(value) ? value : [value];
    return values.map((one) => tagLink(collection, name, one as string | ReferenceView));
  });
}

/** A lookup that notes what it is asked for. */
function noting(lookup: Lookup, asked: Set<string>): Lookup {
  return {
    medium: (id) => (asked.add(id), lookup.medium(id)),
    document: (id) => (asked.add(id), lookup.document(id)),
  };
}

function topicsOf(tagged: readonly TagLink[]): string[] {
  return tagged.map(({ label }) => label);
}

/** The cover of a document, or else its first image, is shown above its text. */
function heroOf(view: FieldsView): MediaView | null {
  const media = [...view.covers, ...view.body].filter((field) =>
    fieldType(field.type).referenceTo === "media"
  )
    .map(({ value }) => value as MediaView);
  return media.find(({ mime }) => mime.startsWith("image/")) ?? null;
}

/** What search engines and social networks are given. */
function searchOf(
  { site }: Rendering,
  document: PublishedDocument,
  collection: Collection,
  viewer: Viewer,
) {
  const search = searchFactsOf(document, collection, site.url);
  const medium = viewer.medium(search.image);
  return {
    description: search.description ?? excerptOf(document, collection),
    search,
    shareImage: medium?.mime.startsWith("image/") ? medium : null,
  };
}

function isSummaryField(collection: Collection, { name }: FieldView): boolean {
  return collection.fields.some((field) => field.name === name && isSummary(field));
}
