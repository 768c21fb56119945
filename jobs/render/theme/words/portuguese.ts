/**
 * What a theme says by itself, in Portuguese.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in Portuguese. */
export const PORTUGUESE: SiteWords = {
  skip: "Ir para o conteúdo",
  sections: "Seções",
  footer: "Rodapé",
  search: "Buscar",
  by: "Por {name}",
  related: "Leia também",
  more: "Mais em {name}",
  about: "Sobre {name}",
  archive: "arquivo, página {number}",
  pages: "Páginas",
  newer: "Mais recentes",
  older: "Mais antigos",
  nothing: "Ainda não foi publicado nada.",
  nothingHere: "Ainda não foi publicado nada aqui.",
  notFound: "Página não encontrada",
  notFoundWhy:
    "Não há nada neste endereço. Talvez tenha mudado de lugar, talvez nunca tenha existido.",
  firstPage: "Para a página inicial",
  searchLabel: "Palavras a procurar",
  searchScript: "A busca precisa de JavaScript. As seções acima contêm tudo.",
  showMore: "Mostrar mais",
  oneFound: "1 resultado",
  manyFound: "{number} resultados",
  noneFound: "Nenhum resultado para “{words}”.",
  searchBusy: "Muitas buscas ao mesmo tempo: continua em um instante.",
  searchSilent: "A busca não responde. Tente mais tarde.",
  note: "Nota",
  tip: "Dica",
  important: "Importante",
  warning: "Aviso",
  caution: "Cuidado",
};
