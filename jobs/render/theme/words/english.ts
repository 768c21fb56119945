/**
 * What a theme says by itself, in English. `{…}` is where a name or a number stands.
 *
 * @module
 */

/** The words of a site in English. */
export const ENGLISH = {
  skip: "Skip to content",
  sections: "Sections",
  footer: "Footer",
  search: "Search",
  by: "By {name}",
  related: "Related",
  more: "More in {name}",
  about: "About {name}",
  archive: "archive, page {number}",
  pages: "Pages",
  newer: "Newer",
  older: "Older",
  nothing: "Nothing has been published yet.",
  nothingHere: "Nothing has been published here yet.",
  notFound: "Page not found",
  notFoundWhy: "There is nothing at this address. It may have moved, or it was never here.",
  firstPage: "To the first page",
  searchLabel: "Words to look for",
  searchScript: "Searching needs JavaScript. The sections above list everything.",
  showMore: "Show more",
  oneFound: "1 result",
  manyFound: "{number} results",
  noneFound: "Nothing is found for “{words}”.",
  searchBusy: "Many searches at once: it goes on in a moment.",
  searchSilent: "The search does not answer. Try again later.",
  note: "Note",
  tip: "Tip",
  important: "Important",
  warning: "Warning",
  caution: "Caution",
};
