import { COLLECTION_TEMPLATES } from "../../../routes/studio/definitions/collection_templates.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { testApp } from "../../support/sites/app.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

Deno.test("every template of a collection is accepted as it is, and so is a copy of what comes of it", async () => {
  await using test = await testApp();
  await test.setUp();

  for (const { name, slug, fields } of COLLECTION_TEMPLATES) {
    answered(await test.admin("POST", "/collections", { name, slug, fields }), 201);
    const made = answered(await test.admin("GET", `/collections/${slug}`), 200);
    const copy = { name: `${name} again`, slug: `${slug}-again`, fields: made.fields };
    const copied = answered(await test.admin("POST", "/collections", copy), 201);

    const plain = (all: { name: string; type: string; options: unknown }[]) =>
      all.map((field) => [field.name, field.type, field.options]);
    assertEquals(plain(copied.fields), plain(made.fields));
    assert(
      copied.fields.every((field: { id: string }, index: number) =>
        field.id !== made.fields[index].id
      ),
    );
  }
});
