/**
 * What search engines are told of a document, in the vocabulary of schema.org.
 *
 * @module
 */
import type { PublishedDocument } from "../../kv/model/page.ts";
import { HEADLINE_CHARS_MAX } from "../limits.ts";
import type { SiteFacts } from "./site_facts.ts";
import { Html } from "./markup.ts";
import type { MediaView } from "./media_view.ts";
import type { FieldView, ReferenceView, Rendering } from "./view.ts";

/** An article as JSON-LD, in which nothing can end the element around it. */
export function articleData(
  { site }: Rendering,
  document: PublishedDocument,
  { image, bylines }: { image: MediaView | null; bylines: FieldView[] },
): Html {
  const makers = bylines.map(({ value }) => value as ReferenceView);
  const data = {
    "@context": "https://schema.org",
    "@type": "Article",
    headline: [...document.title].slice(0, HEADLINE_CHARS_MAX).join(""),
    datePublished: isoOf(document.publishedAt ?? document.createdAt),
    dateModified: isoOf(document.updatedAt),
    publisher: { "@type": "Organization", name: site.title, url: site.url },
    ...(image !== null && { image: [image.url] }),
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
