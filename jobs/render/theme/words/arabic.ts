/**
 * What a theme says by itself, in Arabic.
 *
 * @module
 */
import type { SiteWords } from "../site_words.ts";

/** The words of a site in Arabic. */
export const ARABIC: SiteWords = {
  skip: "انتقل إلى المحتوى",
  sections: "الأقسام",
  footer: "تذييل الصفحة",
  search: "بحث",
  by: "بقلم {name}",
  related: "اقرأ أيضًا",
  more: "المزيد في {name}",
  about: "عن {name}",
  archive: "الأرشيف، صفحة {number}",
  pages: "الصفحات",
  newer: "الأحدث",
  older: "الأقدم",
  nothing: "لم يُنشر شيء بعد.",
  nothingHere: "لم يُنشر شيء هنا بعد.",
  notFound: "الصفحة غير موجودة",
  notFoundWhy: "لا يوجد شيء في هذا العنوان. ربما نُقل، أو لم يكن هنا قط.",
  firstPage: "إلى الصفحة الأولى",
  searchLabel: "كلمات البحث",
  searchScript: "يحتاج البحث إلى JavaScript. كل شيء مدرج في الأقسام أعلاه.",
  showMore: "عرض المزيد",
  oneFound: "نتيجة واحدة",
  manyFound: "عدد النتائج: {number}",
  noneFound: "لا نتائج لـ «{words}».",
  searchBusy: "عمليات بحث كثيرة في آن واحد: سيتابع بعد لحظة.",
  searchSilent: "البحث لا يستجيب. حاول لاحقًا.",
  note: "ملاحظة",
  tip: "نصيحة",
  important: "مهم",
  warning: "تحذير",
  caution: "تنبيه",
};
