/**
 * What a theme says by itself, in Italian.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in Italian. */
export const ITALIAN: SiteWords = {
  skip: "Vai al contenuto",
  sections: "Sezioni",
  footer: "Piè di pagina",
  search: "Cerca",
  by: "Di {name}",
  related: "Leggi anche",
  more: "Altro in {name}",
  about: "Su {name}",
  archive: "archivio, pagina {number}",
  pages: "Pagine",
  newer: "Più recenti",
  older: "Meno recenti",
  nothing: "Non è stato ancora pubblicato nulla.",
  nothingHere: "Qui non è stato ancora pubblicato nulla.",
  notFound: "Pagina non trovata",
  notFoundWhy: "A questo indirizzo non c’è nulla. Forse è stato spostato, forse non c’è mai stato.",
  firstPage: "Alla pagina iniziale",
  searchLabel: "Parole da cercare",
  searchScript: "La ricerca richiede JavaScript. Le sezioni qui sopra contengono tutto.",
  showMore: "Mostra altro",
  oneFound: "1 risultato",
  manyFound: "{number} risultati",
  noneFound: "Nessun risultato per «{words}».",
  searchBusy: "Molte ricerche insieme: si riprende tra un attimo.",
  searchSilent: "La ricerca non risponde. Riprova più tardi.",
  note: "Nota",
  tip: "Suggerimento",
  important: "Importante",
  warning: "Avvertenza",
  caution: "Attenzione",
};
