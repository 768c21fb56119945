/**
 * Runs in the browser. The card of a page, as messengers and social networks show it.
 *
 * @module
 */
/// <reference lib="dom" />
import type { make } from "../../page/elements.ts";

/** The function of the main bundle that makes elements. */
type Make = typeof make;

/** What a page says of itself where it is shared. */
export interface CardFacts {
  title: string;
  description: string;
  address: string;
  /** The path of the image, which the studio serves too; null if the page has none. */
  image: string | null;
}

/** Reads it from the head of the page. */
export function cardFacts(page: Document): CardFacts {
  const said = (name: string) =>
    page.querySelector(`meta[property="og:${name}"]`)?.getAttribute("content") ?? "";
  const image = URL.parse(said("image"), location.origin);
  return {
    title: said("title"),
    description: said("description"),
    address: said("url"),
    image: said("image") === "" || image === null ? null : image.pathname + image.search,
  };
}

/** The card as a messenger shows it. */
export function drawCard(
  make: Make,
  { title, description, address, image }: CardFacts,
): HTMLElement {
  const texts = [
    make("p", { class: "share-address" }, address),
    make("p", { class: "share-title" }, title),
    description === ""
      ? make("p", { class: "share-text muted" }, "No description: the page has no text yet.")
      : make("p", { class: "share-text" }, description),
  ];
  return make(
    "figure",
    { class: "share-card" },
    ...(image === null ? [] : [make("img", { src: image, alt: "", loading: "lazy" })]),
    make("figcaption", {}, ...texts),
  );
}
