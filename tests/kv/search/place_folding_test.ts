import { assertEquals } from "@std/assert";
import { PlaceFolding } from "../../../kv/search/place_folding.ts";

Deno.test("PlaceFolding keeps every character in its place", () => {
  const folding = new PlaceFolding();
  for (
    const text of ["Éa Straße", "ﬁne Żółć", "e\u0301 Ærø", "İ ẞ ガ 東 한 น้ำ", "𝐀𝐁 \ud800x", "ŉ ΐ"]
  ) {
    assertEquals(folding.fold(text).length, text.length, text);
  }
  assertEquals(folding.fold("ÉCOLE à Łódź"), "ecole a lodz");
  assertEquals(folding.fold("Ёлка ΆΛΦΑ ｆｅｒｒｙ \ud83c\udf89"), "елка αλφα ferry \ud83c\udf89");
});

Deno.test("PlaceFolding folds texts of any length", () => {
  const text = "Éa".repeat(30_000);
  assertEquals(new PlaceFolding().fold(text), "ea".repeat(30_000));
});
