/**
 * What a theme says by itself, in Japanese.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in Japanese. */
export const JAPANESE: SiteWords = {
  skip: "本文へ移動",
  sections: "セクション",
  footer: "フッター",
  search: "検索",
  by: "文：{name}",
  related: "関連記事",
  more: "{name}をもっと見る",
  about: "{name}について",
  archive: "アーカイブ、{number}ページ",
  pages: "ページ",
  newer: "新しい記事",
  older: "以前の記事",
  nothing: "まだ何も公開されていません。",
  nothingHere: "ここにはまだ何も公開されていません。",
  notFound: "ページが見つかりません",
  notFoundWhy: "このアドレスには何もありません。移動したか、最初からなかったのかもしれません。",
  firstPage: "トップページへ",
  searchLabel: "検索する言葉",
  searchScript: "検索には JavaScript が必要です。すべての記事は上のセクションにあります。",
  showMore: "さらに表示",
  oneFound: "1 件",
  manyFound: "{number} 件",
  noneFound: "「{words}」は見つかりませんでした。",
  searchBusy: "検索が混み合っています。まもなく続けます。",
  searchSilent: "検索が応答しません。後でもう一度お試しください。",
  note: "注記",
  tip: "ヒント",
  important: "重要",
  warning: "警告",
  caution: "注意",
};
