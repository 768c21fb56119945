/** What changes of documents in several languages cost, and their publication, counted in calls of the store. */
import { createDocument, patchDocument } from "../../../kv/documents/documents.ts";
import { writeTranslation } from "../../../kv/documents/translations/translations.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { parseCollection } from "../../../kv/model/input/collection_input.ts";
import { createCollection } from "../../../kv/schema/collections.ts";
import { Settings } from "../../../kv/sources/settings.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { openTurnSite, type TurnSite } from "../../support/sites/turn_site.ts";
import type { Calls } from "../../support/stores/counting_driver.ts";

const FIELDS = [{ name: "summary", type: "text", label: "Summary" }];

/** A site in three languages. */
async function translatedSite(): Promise<TurnSite> {
  const site = await openTurnSite();
  const languages = [{ code: "en" }, { code: "fr", fallback: ["en"] }, { code: "de" }];
  await site.run(new Settings(site.context).patch(UNATTENDED, { languages }));
  return site;
}

Deno.test("a change of a translation takes as many calls as one of its document, and writes no more", async () => {
  await using site = await translatedSite();
  const { content } = site;
  const fields = FIELDS.map((field) => ({ ...field, localized: true }));
  const input = { slug: "posts2", name: "Posts", fields, localized: true };
  await site.run(createCollection(content, UNATTENDED, parseCollection(input as never)));
  const values = { title: "Apple", summary: "Red", status: "published" };
  const { state: { id } } = await site.run(
    createDocument(content, UNATTENDED, "posts2", values),
  );
  for (const code of ["fr", "de"]) {
    await site.run(writeTranslation(content, UNATTENDED, id, code, values));
  }
  await site.settle();
  const costOf = async (write: () => Promise<unknown>): Promise<Calls> => {
    site.driver.take();
    await site.run(write());
    const cost = site.driver.take();
    await site.settle();
    return cost;
  };
  // The first one reads what the process does not have in memory.
  for (const summary of ["Once", "Green"]) {
    const original = await costOf(() => patchDocument(content, UNATTENDED, id, { summary }));
    const french = await costOf(() =>
      writeTranslation(content, UNATTENDED, id, "fr", { summary: `${summary}!` })
    );
    assertEquals([french.calls, french.inSequence], [original.calls, original.inSequence]);
    assert(french.calls <= 3, `${french.calls} calls`);
    assert(french.written <= 1.1 * original.written, `${french.written} bytes`);
  }
});

Deno.test("PUBLISH reads a document once for its postings in all languages", async () => {
  await using site = await translatedSite();
  const { content } = site;
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
