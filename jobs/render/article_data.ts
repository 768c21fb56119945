/**
 * Structured data of a document for search engines, in the vocabulary of schema.org.
 *
 * @module
 */
import type { Collection } from "../../kv/model/entities/collection.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { PublishedDocument } from "../../kv/model/entities/page.ts";
import { HEADLINE_CHARS_MAX } from "../limits.ts";
import type { BylineView } from "./views/byline_view.ts";
import { fieldRole } from "./views/field_role.ts";
import { homeUrl, listingPath, type SiteFacts } from "./site_facts.ts";
import { Html } from "./markup.ts";
import { type MediaView, pictureView } from "./views/media_view.ts";
import { sharedImage } from "./views/shared_image.ts";
import type { Rendering } from "./views/view.ts";
import { isUndated } from "./views/when.ts";

/** The facts needed in addition to the document. */
interface ArticleFacts {
  path: string;
  description: string;
  image: MediaView | null;
  topics: string[];
  bylines: BylineView[];
}

/** Field names for the end and the place of an event. */
const END_NAMES = /^(?:ends?|endsAt|endsOn|endDate|endTime)$/;
const PLACE_NAMES = /^(?:place|location|venue|address)$/;

/**
 * A document as JSON-LD: an event if a field contains its date, a page if publication dates are hidden, a news
 * article if it has authors, else an article.
 */
export function articleData(
  rendering: Rendering,
  document: PublishedDocument,
  collection: Collection,
  facts: ArticleFacts,
): Html {
  const begins = valueOf(document, collection, (field) => fieldRole(field) === "date");
  if (typeof begins === "number") return eventData(rendering, document, collection, facts, begins);
  if (isUndated(rendering.schema, collection)) return pageData(rendering, document, facts);
  const { site } = rendering;
  const { path, description, image, topics, bylines } = facts;
  const authors = bylines.map(({ value }) => value);
  const data = {
    "@context": "https://schema.org",
    "@type": authors.length > 0 ? "NewsArticle" : "Article",
    mainEntityOfPage: { "@type": "WebPage", "@id": site.url + path },
    inLanguage: site.language,
    headline: [...document.title].slice(0, HEADLINE_CHARS_MAX).join(""),
    datePublished: isoOf(document.publishedAt ?? document.createdAt),
    dateModified: isoOf(document.updatedAt),
    ...(description !== "" && { description }),
    ...(topics.length > 0 && { keywords: topics }),
    publisher: publisherOf(site),
    ...(image !== null && { image: [sharedImage(site, image).url, image.url] }),
    ...(authors.length > 0 && {
      author: authors.map(({ title, path }) => ({
        "@type": "Person",
        name: title,
        ...(path !== null && { url: site.url + path }),
      })),
    }),
  };
  return jsonLd(data);
}

/** Something that takes place, as JSON-LD. */
function eventData(
  { site }: Rendering,
  document: PublishedDocument,
  collection: Collection,
  { path, description, image }: ArticleFacts,
  begins: number,
): Html {
  const ends = valueOf(document, collection, ({ name }) => END_NAMES.test(name));
  const place = valueOf(document, collection, ({ name }) => PLACE_NAMES.test(name));
  return jsonLd({
    "@context": "https://schema.org",
    "@type": "Event",
    name: document.title,
    url: site.url + path,
    inLanguage: site.language,
    startDate: isoOf(begins),
    ...(typeof ends === "number" && { endDate: isoOf(ends) }),
    ...(typeof place === "string" && place !== "" && {
      location: { "@type": "Place", name: place, address: place },
    }),
    ...(description !== "" && { description }),
    ...(image !== null && { image: [sharedImage(site, image).url, image.url] }),
    organizer: publisherOf(site),
  });
}

/** A page without a day, as JSON-LD. */
function pageData(
  { site }: Rendering,
  document: PublishedDocument,
  { path, description, image }: ArticleFacts,
): Html {
  return jsonLd({
    "@context": "https://schema.org",
    "@type": "WebPage",
    name: document.title,
    url: site.url + path,
    inLanguage: site.language,
    dateModified: isoOf(document.updatedAt),
    ...(description !== "" && { description }),
    ...(image !== null && { image: [sharedImage(site, image).url, image.url] }),
    isPartOf: { "@type": "WebSite", name: site.title, url: homeUrl(site) },
  });
}

/** The value of the first field that fits. */
function valueOf(
  { data }: PublishedDocument,
  { fields }: Collection,
  fits: (field: Collection["fields"][number]) => boolean,
): Json | undefined {
  const field = fields.find(fits);
  return field === undefined ? undefined : data[field.key];
}

/** The path that leads to a page, as JSON-LD; null for the first page, and for one that is nowhere. */
export function breadcrumbData(
  site: SiteFacts,
  { kind, path, title, collection, crumb }: {
    kind: string;
    path: string | null;
    title: string;
    collection?: Collection;
    crumb?: string;
  },
): Html | null {
  if (path === null || kind === "home" || collection === undefined) return null;
  const section = { name: collection.name, url: site.url + listingPath(collection) };
  const steps = [
    { name: site.title, url: homeUrl(site) },
    ...(collection.singleton ? [] : [section]),
    { name: crumb ?? title, url: site.url + path },
  ];
  // The list of a collection is its own last step.
  const shown = steps.filter(({ url }, index) =>
    steps.findIndex((one) => one.url === url) === index
  );
  return jsonLd({
    "@context": "https://schema.org",
    "@type": "BreadcrumbList",
    itemListElement: shown.map(({ name, url }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: url,
    })),
  });
}

function publisherOf(site: SiteFacts): object {
  const logo = pictureView(site, site.logo?.medium ?? null);
  const organization = { "@type": "Organization", name: site.title, url: site.url };
  if (logo === null) return organization;
  const { url, width, height } = logo;
  return { ...organization, logo: { "@type": "ImageObject", url, width, height } };
}

/** An author as JSON-LD. */
export function profileData(
  { site }: Rendering,
  document: PublishedDocument,
  { path, description, image }: { path: string; description: string; image: MediaView | null },
): Html {
  return jsonLd({
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    url: site.url + path,
    inLanguage: site.language,
    dateCreated: isoOf(document.publishedAt ?? document.createdAt),
    dateModified: isoOf(document.updatedAt),
    mainEntity: {
      "@type": "Person",
      name: document.title,
      url: site.url + path,
      ...(description !== "" && { description }),
      ...(image !== null && { image: sharedImage(site, image).url }),
    },
  });
}

/** A page that is no article: the site itself, or a collection of its pages. */
export function siteData(
  site: SiteFacts,
  { kind, path, title, description }: {
    kind: string;
    path: string | null;
    title: string;
    description: string;
  },
): Html | null {
  if (path === null) return null;
  const isHome = kind === "home";
  const about = isHome ? site.description : description;
  return jsonLd({
    "@context": "https://schema.org",
    "@type": isHome ? "WebSite" : "CollectionPage",
    name: title,
    url: site.url + path,
    inLanguage: site.language,
    ...(about !== "" && { description: about }),
    ...(!isHome && { isPartOf: { "@type": "WebSite", name: site.title, url: homeUrl(site) } }),
  });
}

/** JSON in which nothing can end the element around it. */
function jsonLd(data: object): Html {
  const text = JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new Html(text);
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
