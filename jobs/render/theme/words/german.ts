/**
 * What a theme says by itself, in German.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in German. */
export const GERMAN: SiteWords = {
  skip: "Zum Inhalt springen",
  sections: "Rubriken",
  footer: "Fußzeile",
  search: "Suche",
  by: "Von {name}",
  related: "Weiterlesen",
  more: "Mehr unter {name}",
  about: "Über {name}",
  archive: "Archiv, Seite {number}",
  pages: "Seiten",
  newer: "Neuere",
  older: "Ältere",
  nothing: "Hier ist noch nichts erschienen.",
  nothingHere: "In dieser Rubrik ist noch nichts erschienen.",
  notFound: "Seite nicht gefunden",
  notFoundWhy:
    "Unter dieser Adresse ist nichts. Vielleicht ist es umgezogen, vielleicht war es nie da.",
  firstPage: "Zur Startseite",
  searchLabel: "Suchbegriffe",
  searchScript: "Die Suche braucht JavaScript. Alles steht auch in den Rubriken oben.",
  showMore: "Mehr anzeigen",
  oneFound: "1 Treffer",
  manyFound: "{number} Treffer",
  noneFound: "Nichts gefunden für „{words}“.",
  searchBusy: "Viele Suchen auf einmal: gleich geht es weiter.",
  searchSilent: "Die Suche antwortet nicht. Versuchen Sie es später noch einmal.",
  note: "Hinweis",
  tip: "Tipp",
  important: "Wichtig",
  warning: "Warnung",
  caution: "Vorsicht",
};
