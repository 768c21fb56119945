/** What the publication of a document in several languages reads and writes, counted in calls of the store. */
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { writeTranslation } from "../../../kv/documents/translations/translations.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { Settings } from "../../../kv/sources/settings.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { openTurnSite } from "../../support/sites/turn_site.ts";

const FIELDS = [{ name: "summary", type: "text", label: "Summary" }];

Deno.test("PUBLISH reads a document once for its postings in all languages", async () => {
  await using site = await openTurnSite();
  const { content, context } = site;
  await site.run(
    new Settings(context).patch(UNATTENDED, {
      languages: [{ code: "en" }, { code: "fr", fallback: ["en"] }, { code: "de" }],
    }),
  );
  /** The calls in sequence that follow a change of a document with translations, if it can have any. */
  const callsOf = async (slug: string, isLocalized: boolean): Promise<number> => {
    const fields = FIELDS.map((field) => ({ ...field, ...(isLocalized && { localized: true }) }));
    const input = { slug, name: slug, fields, ...(isLocalized && { localized: true }) };
    await site.run(createCollection(content, UNATTENDED, parseCollection(input as never)));
    const values = { title: "Apple", summary: "Red", status: "published" };
    const made = await site.run(createDocument(content, UNATTENDED, slug, values));
    const { id } = made.state;
    if (isLocalized) {
      for (const code of ["fr", "de"]) {
        await site.run(writeTranslation(content, UNATTENDED, id, code, values));
      }
    }
    await site.settle();
    await site.run(patchDocument(content, UNATTENDED, id, { summary: "Green" }));
    const calls = await site.drainInTurns();
    await site.settle();
    return calls;
  };
  const without = await callsOf("plain", false);
  assertEquals(await callsOf("translated", true), without);
});
