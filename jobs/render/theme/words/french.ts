/**
 * What a theme says by itself, in French.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in French. */
export const FRENCH: SiteWords = {
  skip: "Aller au contenu",
  sections: "Rubriques",
  footer: "Pied de page",
  search: "Recherche",
  by: "Par {name}",
  related: "À lire aussi",
  more: "Plus dans {name}",
  about: "À propos de {name}",
  archive: "archives, page {number}",
  pages: "Pages",
  newer: "Plus récents",
  older: "Plus anciens",
  nothing: "Rien n’a encore été publié.",
  nothingHere: "Rien n’a encore été publié ici.",
  notFound: "Page introuvable",
  notFoundWhy:
    "Il n’y a rien à cette adresse. La page a peut-être été déplacée, ou n’a jamais existé.",
  firstPage: "Vers la page d’accueil",
  searchLabel: "Mots recherchés",
  searchScript: "La recherche a besoin de JavaScript. Les rubriques ci-dessus contiennent tout.",
  showMore: "Afficher plus",
  oneFound: "1 résultat",
  manyFound: "{number} résultats",
  noneFound: "Aucun résultat pour « {words} ».",
  searchBusy: "Beaucoup de recherches à la fois : cela reprend dans un instant.",
  searchSilent: "La recherche ne répond pas. Réessayez plus tard.",
  note: "Remarque",
  tip: "Astuce",
  important: "Important",
  warning: "Avertissement",
  caution: "Attention",
};
