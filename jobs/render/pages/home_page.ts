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

/** Number of events of a collection from which the upcoming ones are chosen. */
const EVENTS_READ = 40;

/** How many of the newest documents of a collection the first page chooses from. */
export function homeChoice(collection: Collection): number {
  return eventKey(collection) === undefined ? HOME_DOCUMENTS : EVENTS_READ;
}

/** The newest documents of a collection, newest first, and how many there are in all. */
export interface HomeSection {
  collection: Collection;
  documents: PublishedDocument[];
  total: number;
}

/**
 * Renders the home page without collections that are empty, hold a single document, or are hidden from the
 * menu. `lookup` knows the contents of cards.
 */
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
    markdown: () =>
      markdownBytes([
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

/** Collections in the site's menu come first, in its order; the first one leads. */
function inMenuOrder(sections: HomeSection[], menu: MenuEntry[] = []): HomeSection[] {
  const places = new Map(menu.map(({ url }, place) => [url, place] as const).toReversed());
  const placeOf = ({ collection }: HomeSection) => places.get(listingPath(collection)) ?? Infinity;
  // Others keep their order.
  return sections.toSorted((a, b) => placeOf(a) === placeOf(b) ? 0 : placeOf(a) - placeOf(b));
}
