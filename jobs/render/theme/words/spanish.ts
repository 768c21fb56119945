/**
 * What a theme says by itself, in Spanish.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in Spanish. */
export const SPANISH: SiteWords = {
  skip: "Saltar al contenido",
  sections: "Secciones",
  footer: "Pie de página",
  search: "Buscar",
  by: "Por {name}",
  related: "Relacionado",
  more: "Más en {name}",
  about: "Sobre {name}",
  archive: "archivo, página {number}",
  pages: "Páginas",
  newer: "Más recientes",
  older: "Más antiguos",
  nothing: "Todavía no se ha publicado nada.",
  nothingHere: "Todavía no se ha publicado nada aquí.",
  notFound: "Página no encontrada",
  notFoundWhy: "No hay nada en esta dirección. Puede que se haya movido o que nunca existiera.",
  firstPage: "A la página de inicio",
  searchLabel: "Palabras que buscar",
  searchScript: "La búsqueda necesita JavaScript. Las secciones de arriba lo contienen todo.",
  showMore: "Mostrar más",
  oneFound: "1 resultado",
  manyFound: "{number} resultados",
  noneFound: "No hay resultados para «{words}».",
  searchBusy: "Muchas búsquedas a la vez: seguirá en un momento.",
  searchSilent: "La búsqueda no responde. Inténtelo más tarde.",
  note: "Nota",
  tip: "Consejo",
  important: "Importante",
  warning: "Advertencia",
  caution: "Precaución",
};
