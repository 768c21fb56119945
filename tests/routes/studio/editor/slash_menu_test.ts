import { assertEquals } from "@std/assert";
import { slashChoices } from "../../../../routes/studio/editor/slash_menu.ts";

Deno.test("slashChoices() tells a style from a block of the site with the same name", () => {
  const run = () => true;
  const choices = slashChoices([
    { label: "Quote", words: "Quote quote insert", run },
    { label: "Image", words: "Image image insert", run },
  ]);

  const labels = choices.map(({ label }) => label);
  assertEquals(labels.filter((label) => label === "Quote").length, 1);
  assertEquals(labels.slice(-2), ["Quote (block)", "Image"]);
  assertEquals(new Set(labels).size, labels.length);
});
