import { assertEquals } from "@std/assert";
import { NormalizedText } from "../../../../kv/search/analysis/normalized_text.ts";

Deno.test("NormalizedText keeps every character in its place", () => {
  const alignedForm = new NormalizedText();
  for (
    const text of ["Éa Straße", "ﬁne Żółć", "e\u0301 Ærø", "İ ẞ ガ 東 한 น้ำ", "𝐀𝐁 \ud800x", "ŉ ΐ"]
  ) {
    assertEquals(alignedForm.of(text).length, text.length, text);
  }
  assertEquals(alignedForm.of("ÉCOLE à Łódź"), "ecole a lodz");
  assertEquals(
    alignedForm.of("Ёлка ΆΛΦΑ ｆｅｒｒｙ \ud83c\udf89"),
    "елка αλφα ferry \ud83c\udf89",
  );
});

Deno.test("NormalizedText.of() takes texts of any length", () => {
  const text = "Éa".repeat(30_000);
  assertEquals(new NormalizedText().of(text), "ea".repeat(30_000));
});
