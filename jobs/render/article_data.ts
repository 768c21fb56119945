/**
 * What search engines are told of a document, in the vocabulary of schema.org.
 *
 * @module
 */
import type { PublishedDocument } from "../../kv/model/page.ts";
import { HEADLINE_CHARS_MAX } from "../limits.ts";
import type { BylineView } from "./byline_view.ts";
import type { SiteFacts } from "./site_facts.ts";
import { Html } from "./markup.ts";
import { type MediaView, pictureView } from "./media_view.ts";
import { sharedImage } from "./shared_image.ts";
import type { Rendering } from "./view.ts";

/** An article as JSON-LD, in which nothing can end the element around it. */
export function articleData(
  { site }: Rendering,
  document: PublishedDocument,
  { path, description, image, topics, bylines }: {
    path: string;
    description: string;
    image: MediaView | null;
    topics: string[];
    bylines: BylineView[];
  },
): Html {
  const makers = bylines.map(({ value }) => value);
  const data = {
    "@context": "https://schema.org",
    "@type": "Article",
    mainEntityOfPage: { "@type": "WebPage", "@id": site.url + path },
    inLanguage: site.language,
    headline: [...document.title].slice(0, HEADLINE_CHARS_MAX).join(""),
    datePublished: isoOf(document.publishedAt ?? document.createdAt),
    dateModified: isoOf(document.updatedAt),
    ...(description !== "" && { description }),
    ...(topics.length > 0 && { keywords: topics }),
    publisher: publisherOf(site),
    ...(image !== null && { image: [sharedImage(site, image).url, image.url] }),
    ...(makers.length > 0 && {
      author: makers.map(({ title, path }) => ({
        "@type": "Person",
        name: title,
        ...(path !== null && { url: site.url + path }),
      })),
    }),
  };
  return jsonLd(data);
}

function publisherOf(site: SiteFacts): object {
  const logo = pictureView(site, site.logo?.medium ?? null);
  const organization = { "@type": "Organization", name: site.title, url: site.url };
  if (logo === null) return organization;
  const { url, width, height } = logo;
  return { ...organization, logo: { "@type": "ImageObject", url, width, height } };
}

/** Somebody who makes documents, as JSON-LD. */
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
    ...(!isHome && { isPartOf: { "@type": "WebSite", name: site.title, url: `${site.url}/` } }),
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
