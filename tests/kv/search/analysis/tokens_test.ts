import { assertEquals } from "@std/assert";
import { TERM_UNITS_MAX } from "../../../../kv/tuning.ts";
import { searchForm } from "../../../../kv/search/query/search_form.ts";
import { eachTerm } from "../../../../kv/search/analysis/tokens.ts";

function termsOf(text: string): string {
  const terms: string[] = [];
  eachTerm(text, 0, (term, position) => terms.push(`${term}@${position}`));
  return terms.join(" ");
}

Deno.test("searchForm() drops case, diacritics and compatibility forms, and keeps what makes other letters", () => {
  for (
    const [text, form] of [
      ["ÉCOLE Żółć Ærø", "ecole zolc aero"],
      ["Straße STRASSE ẞ", "strasse strasse ss"],
      ["İstanbul ısı", "istanbul isi"],
      ["ΣΊΣΥΦΟΣ σίσυφος", "σισυφοσ σισυφοσ"],
      ["ﬁne ２０２４ Ａ", "fine 2024 a"],
      ["e\u0301 n\u0303", "e n"],
      ["soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"],
      ["ガギグ か\u3099 ｶﾞ", "ガギグ が ガ"],
      ["한국어 น้ำ", "한국어 น้ำ"],
      ["مُحَمَّد", "محمد"],
      ["\ud800lone", "\ud800lone"],
    ] as const
  ) assertEquals(searchForm(text), form, text);
});

Deno.test("eachTerm() gives words of spaced scripts one term, and runs of others overlapping pairs", () => {
  for (
    const [text, terms] of [
      ["The quick-brown fox_2.5", "the@0 quick@1 brown@2 fox@3 2@4 5@5"],
      ["Anna's don’t l'été rock'n'roll", "anna@0 dont@1 l@2 ete@3 rock@4 n@5 roll@6"],
      ["東京都", "東京@0 京都@1 都@2"],
      ["Deno日本 v2", "deno@0 日本@1 本@2 v2@3"],
      ["カメラ・猫", "カメ@0 メラ@1 ラ@2 猫@3"],
      ["ภาษา", "ภา@0 าษ@1 ษา@2 า@3"],
      ["서울에서 봄", "서울@0 울에@1 에서@2 서@3 봄@4"],
      ["第3回", "第@0 3@1 回@2"],
      ["¿¡!? -- 🎉", ""],
    ] as const
  ) assertEquals(termsOf(text), terms, text);
});

Deno.test("eachTerm() cuts very long words", () => {
  assertEquals(termsOf("x".repeat(1_000)), `${"x".repeat(TERM_UNITS_MAX)}@0`);
});
