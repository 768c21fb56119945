import { assertEquals } from "@std/assert";
import { SearchSite } from "../../support/search_site.ts";

Deno.test("search() finds words in title, text and rich text, whatever their case and diacritics", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "Crème brûlée", text: "Eggs and sugar", rich: "Bake it\nslowly" });
  await site.publish({ title: "Something else" });

  for (const text of ["creme", "CRÈME brulee", "eggs", "slowly bake", "sugar crème"]) {
    assertEquals(await site.titles(text), ["Crème brûlée"], text);
  }
  assertEquals(await site.titles("eggs else"), []);
});
