/** Labels of choices outlive a time in which the site has no languages. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { LANGUAGES, multilingual } from "../../../support/sites/multilingual.ts";

const KIND = "/collections/posts/fields/kind";
const LABELS = { a: { fr: "Un" }, b: { fr: "Deux" } };
const select = (name: string, choices: string[], labels?: Json) => ({
  name,
  label: name,
  type: "select",
  required: false,
  help: "",
  options: { choices, ...(labels !== undefined && { choiceLabels: labels }) },
});

Deno.test("choices keep their labels when a definition is saved while the site has no languages", async () => {
  await using test = await multilingual();
  const { admin } = test;
  answered(
    await admin("POST", "/collections/posts/fields", select("kind", ["a", "b"], LABELS)),
    201,
  );
  const group = {
    name: "more",
    label: "more",
    type: "group",
    options: { fields: [select("inner", ["a", "b"], LABELS)] },
  };
  answered(await admin("POST", "/collections/posts/fields", group), 201);
  const block = { name: "note", label: "Note", fields: [select("tone", ["a", "b"], LABELS)] };
  answered(await admin("POST", "/blocks", block), 201);
  answered(await admin("PATCH", "/settings", { languages: null }), 200);

  // What was read can be sent back; what the form does not show stays.
  const { options } = answered(await admin("GET", KIND), 200);
  answered(await admin("PATCH", KIND, { options }), 200);
  answered(await admin("PATCH", KIND, { options: { choices: ["b", "c"] } }), 200);
  const fields = [select("inner", ["a"])];
  answered(await admin("PATCH", "/collections/posts/fields/more", { options: { fields } }), 200);
  answered(await admin("PATCH", "/blocks/note", { fields: [select("tone", ["b"])] }), 200);
  const news = { choices: ["b"], choiceLabels: { b: { fr: "Autre" } } };
  assertEquals((await admin("PATCH", KIND, { options: news })).status, 422);

  answered(await admin("PATCH", "/settings", { languages: LANGUAGES }), 200);
  const labelsOf = async (path: string) => answered(await admin("GET", path), 200);
  assertEquals((await labelsOf(KIND)).options.choiceLabels, { b: { fr: "Deux" } });
  const more = await labelsOf("/collections/posts/fields/more");
  assertEquals(more.options.fields[0].options.choiceLabels, { a: { fr: "Un" } });
  const note = await labelsOf("/blocks/note");
  assertEquals(note.fields[0].options.choiceLabels, { b: { fr: "Deux" } });
  // With languages, options are what is sent.
  answered(await admin("PATCH", KIND, { options: { choices: ["b", "c"] } }), 200);
  assertEquals((await labelsOf(KIND)).options.choiceLabels, undefined);
});
