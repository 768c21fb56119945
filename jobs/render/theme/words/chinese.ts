/**
 * What a theme says by itself, in Chinese, in simplified letters.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in Chinese, in simplified letters. */
export const CHINESE: SiteWords = {
  skip: "跳到正文",
  sections: "栏目",
  footer: "页脚",
  search: "搜索",
  by: "作者：{name}",
  related: "相关阅读",
  more: "更多{name}",
  about: "关于{name}",
  archive: "存档，第 {number} 页",
  pages: "分页",
  newer: "较新",
  older: "较早",
  nothing: "还没有发布任何内容。",
  nothingHere: "这里还没有发布任何内容。",
  notFound: "找不到页面",
  notFoundWhy: "这个地址没有内容。它可能已经移动，或者从未存在。",
  firstPage: "返回首页",
  searchLabel: "搜索词",
  searchScript: "搜索需要 JavaScript。上面的栏目列出了全部内容。",
  showMore: "显示更多",
  oneFound: "1 条结果",
  manyFound: "{number} 条结果",
  noneFound: "没有找到“{words}”。",
  searchBusy: "搜索的人很多，稍后继续。",
  searchSilent: "搜索没有响应，请稍后再试。",
  note: "注意",
  tip: "提示",
  important: "重要",
  warning: "警告",
  caution: "小心",
};
