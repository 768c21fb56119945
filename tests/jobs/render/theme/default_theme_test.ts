/** The files of the default theme. */
import { assertEquals } from "@std/assert";
import { FIELD_TYPE_NAMES } from "../../../../kv/model/fields/field_definition.ts";
import { DEFAULT_THEME } from "../../../../jobs/render/theme/default/theme.ts";
import { SPOKEN_LANGUAGES, wordsOf } from "../../../../jobs/render/theme/site_words.ts";

const FOLDER = new URL("../../../../jobs/render/theme/default/", import.meta.url);

Deno.test("field.liquid shows every type of field", () => {
  const { field } = DEFAULT_THEME.templates;

  const shown = [...field!.matchAll(/\{%- when "(\w+)" -%\}/g)].map(([, type]) => type);

  assertEquals(shown.toSorted(), [...FIELD_TYPE_NAMES].toSorted());
});

Deno.test("the default theme has every template that is in its folder", async () => {
  const files = await Array.fromAsync(Deno.readDir(FOLDER));
  const names = files.filter(({ name }) => name.endsWith(".liquid"))
    .map(({ name }) => name.replace(".liquid", ""));

  assertEquals(Object.keys(DEFAULT_THEME.templates).sort(), names.sort());
});

Deno.test("site.css consists of every style sheet that is in the folder", async () => {
  const css = new TextDecoder().decode(DEFAULT_THEME.assets["site.css"].body);

  for await (const { name } of Deno.readDir(FOLDER)) {
    if (!name.endsWith(".css")) continue;
    const sheet = await Deno.readTextFile(new URL(name, FOLDER));
    assertEquals(css.includes(sheet), true, name);
  }
});

Deno.test("every language of a site has the same words as English", () => {
  const names = Object.keys(wordsOf("en"));

  for (const language of SPOKEN_LANGUAGES) {
    assertEquals(Object.keys(wordsOf(language)), names, language);
  }
});
