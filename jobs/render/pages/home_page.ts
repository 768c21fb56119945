/**
 * The first page of the site.
 *
 * @module
 */
import type { Collection } from "../../../kv/model/entities/collection.ts";
import {
  AGGREGATES_TAG,
  type Page,
  type PublishedDocument,
} from "../../../kv/model/entities/page.ts";
import { eventKey, inEventOrder } from "./event_order.ts";
import { collectionView, renderFramed } from "./page_frame.ts";
import { markdownBytes, markdownLine, markdownLink } from "../rich_text/markdown.ts";
import { listingPath, markdownAddress, type MenuEntry } from "../site_facts.ts";
import { teaserMarkdown, teaserOf } from "../views/teaser.ts";
import type { Lookup, Rendering } from "../views/view.ts";

/** Documents of one collection on the first page. */
export const HOME_DOCUMENTS = 5;

/** Documents of a collection whose documents take place, of which those that are to come first are shown. */
const EVENTS_LOOKED_AT = 40;

/** How many of the newest documents of a collection the first page chooses from. */
export function homeChoice(collection: Collection): number {
  return eventKey(collection) === undefined ? HOME_DOCUMENTS : EVENTS_LOOKED_AT;
}

/** The newest documents of a collection, newest first, and how many there are in all. */
export interface HomeSection {
  collection: Collection;
  documents: PublishedDocument[];
  total: number;
}

/** Renders the first page; collections without documents, of one alone, or outside of the menu are left out. `lookup` knows what stands on cards. */
export function renderHome(
  rendering: Rendering,
  sections: HomeSection[],
  lookup?: Lookup,
): Page {
  const { site } = rendering;
  const shown = inMenuOrder(sections, site.menu).filter(({ collection, documents }) =>
    documents.length > 0 && !collection.singleton && isListed(collection, site.menu)
  ).map((section) => ({
    ...collectionView(section.collection),
    documents: inEventOrder(rendering, section.collection, section.documents)
      .slice(0, HOME_DOCUMENTS)
      .map((document) => teaserOf(rendering, document, section.collection, lookup)),
    more: section.total > HOME_DOCUMENTS,
  }));
  return renderFramed(rendering, {
    kind: "home",
    path: "/",
    title: site.title,
    description: site.description,
    covers: shown.flatMap(({ documents }) => documents).map(({ image }) => image),
    markdown: markdownBytes([
      `# ${markdownLine(site.title)}`,
      markdownLine(site.description),
      ...shown.flatMap(({ name, path, documents }) => [
        `## ${markdownLink(name, markdownAddress(site, path))}`,
        documents.map((one) => teaserMarkdown(one, site)).join("\n"),
      ]),
    ]),
    tags: [AGGREGATES_TAG],
  }, { sections: shown });
}

/** A collection outside of the menu of all is on the first page when its owner's own menu names it. */
function isListed(collection: Collection, menu: MenuEntry[] = []): boolean {
  return !collection.unlisted || menu.some(({ url }) => url === listingPath(collection));
}

/** The collections that the menu of the owner names come first, as they stand there; the first of them leads. */
function inMenuOrder(sections: HomeSection[], menu: MenuEntry[] = []): HomeSection[] {
  const places = new Map(menu.map(({ url }, place) => [url, place] as const).toReversed());
  const placeOf = ({ collection }: HomeSection) => places.get(listingPath(collection)) ?? Infinity;
  // Those that are not in it stay as they were.
  return sections.toSorted((a, b) => placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b));
}
