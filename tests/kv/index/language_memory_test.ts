/** What a process keeps of lists in languages goes with the documents that are translated. */
import { assert } from "@std/assert";
import type { IndexRow } from "../../../kv/index/index_row.ts";
import { inLanguageQuery } from "../../../kv/index/query/language_query.ts";
import type { ListQuery } from "../../../kv/index/query/list_query.ts";
import { languageKey } from "../../../kv/index/segments/language_columns.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { publicView } from "../../../kv/model/languages/in_language.ts";
import { assertEquals } from "../../support/harness/assert.ts";
import { ListHarness, queryOf, rowOf } from "../../support/harness/list_harness.ts";
import { collectionOf, field, indexedField } from "../../support/sites/fields.ts";

const DOCUMENTS = 5_000;
const TRANSLATED_EVERY = 5;
const OTHERS = ["fr", "de", "es"];
const POSTS: Collection = {
  ...collectionOf(
    { ...indexedField("summary", "text"), sortable: true, localized: true },
    indexedField("category", "select"),
    { ...field("rating", "number"), sortable: true, indexed: true },
  ),
  localized: true,
};

/** A text of about fifty characters, of which no two are equal. */
function textOf(number: number, code = "en"): string {
  return `The ${number * 7919 % DOCUMENTS}th Text of a List Index, in ${code}, ${number}`;
}

function rowAt(number: number): IndexRow {
  const values: IndexRow["values"] = {
    k_summary: [textOf(number)],
    k_category: [`category-${number % 20}`],
    k_rating: [number * 7919 % 1_000],
  };
  if (number % TRANSLATED_EVERY === 0) {
    values[languageKey("", "$has")] = ["k_summary", "k_category", "k_rating"];
    for (const code of OTHERS) {
      values[languageKey(code, "$title")] = [`${code} ${number}`];
      values[languageKey(code, "$slug")] = [`${code}-${number}`];
      values[languageKey(code, "$status")] = ["published"];
      values[languageKey(code, "$publishedAt")] = [1_700_000_000 + number];
      values[languageKey(code, "$updatedAt")] = [1_700_000_000 + number];
      values[languageKey(code, "$has")] = ["title", "k_summary"];
      values[languageKey(code, ".k_summary")] = [textOf(number, code)];
    }
  }
  return rowOf(number, { publishedAt: 1_700_000_000 + number, values });
}

const newest = [{ by: "publishedAt" as const, descending: true }];
const QUERIES: Partial<ListQuery>[] = [
  { sort: [{ by: { fieldKey: "k_rating" }, descending: true }] },
  { sort: [{ by: { fieldKey: "k_summary" }, descending: false }] },
  { sort: newest, facets: [{ by: { fieldKey: "k_category" }, kind: "values" }] },
  {
    sort: newest,
    where: { kind: "part", by: { fieldKey: "k_summary" }, where: "contains", text: "text" },
  },
];

Deno.test("lists in three more languages keep half as much as those of the original, or less", async () => {
  using harness = await ListHarness.open();
  const writer = harness.start();
  const rows = Array.from({ length: DOCUMENTS }, (_, number) => rowAt(number));
  for (let from = 0; from < DOCUMENTS; from += 250) {
    await harness.write(writer, POSTS, rows.slice(from, from + 250));
  }
  await harness.compact(writer, POSTS);
  const { index } = harness.start();
  const asked = QUERIES.map((query) =>
    queryOf([POSTS], { ...query, statuses: ["published"], limit: 1 })
  );
  for (const query of asked) assertEquals((await index.list(query)).total, DOCUMENTS);
  const { bytes } = index;
  for (const code of OTHERS) {
    const view = publicView(code, ["en"], { substitutes: true });
    for (const query of asked) {
      const inLanguage = inLanguageQuery(query, view, "en", () => view);
      assertEquals((await index.list(inLanguage)).total, DOCUMENTS);
    }
  }
  const ratio = index.bytes / bytes;
  assert(ratio <= 1.5, `${index.bytes} bytes against ${bytes}: ${ratio.toFixed(2)} times as much`);
});
