import { assertEquals } from "@std/assert";
import { thumbnailField } from "../../../routes/studio/thumbnail.ts";
import { collection, field } from "../../support/sites/site.ts";

Deno.test("thumbnailField() is the cover of a collection, or else its first medium", () => {
  const named = (fields: ReturnType<typeof field>[]) =>
    thumbnailField(collection("posts", fields))?.name;
  const logo = field("logo", "media", { role: "facts" });
  const chosen = field("photo", "media", { role: "cover" });

  assertEquals(named([field("words", "text"), logo, chosen]), "photo");
  assertEquals(named([field("words", "text"), logo]), "logo");
  assertEquals(named([field("words", "text")]), undefined);
  assertEquals(thumbnailField(null), undefined);
});
