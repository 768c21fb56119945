/**
 * What a theme says by itself, in Dutch.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in Dutch. */
export const DUTCH: SiteWords = {
  skip: "Naar de inhoud",
  sections: "Rubrieken",
  footer: "Voettekst",
  search: "Zoeken",
  by: "Door {name}",
  related: "Lees ook",
  more: "Meer in {name}",
  about: "Over {name}",
  archive: "archief, pagina {number}",
  pages: "Pagina’s",
  newer: "Nieuwer",
  older: "Ouder",
  nothing: "Er is nog niets gepubliceerd.",
  nothingHere: "Hier is nog niets gepubliceerd.",
  notFound: "Pagina niet gevonden",
  notFoundWhy: "Op dit adres staat niets. Misschien is het verplaatst, misschien was het er nooit.",
  firstPage: "Naar de startpagina",
  searchLabel: "Zoekwoorden",
  searchScript: "Zoeken werkt met JavaScript. In de rubrieken hierboven staat alles.",
  showMore: "Meer tonen",
  oneFound: "1 resultaat",
  manyFound: "{number} resultaten",
  noneFound: "Niets gevonden voor ‘{words}’.",
  searchBusy: "Veel zoekopdrachten tegelijk: het gaat zo verder.",
  searchSilent: "Het zoeken antwoordt niet. Probeer het later nog eens.",
  note: "Opmerking",
  tip: "Tip",
  important: "Belangrijk",
  warning: "Waarschuwing",
  caution: "Voorzichtig",
};
