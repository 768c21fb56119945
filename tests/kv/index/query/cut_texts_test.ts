import { assert, assertEquals, assertRejects } from "@std/assert";
import { allOf, type Condition, hasValue } from "../../../../kv/index/query/condition.ts";
import { isBoundary } from "../../../../kv/index/query/cut_texts.ts";
import { sortForm } from "../../../../kv/index/segments/texts.ts";
import { CUT_ROWS_READ_MAX } from "../../../../kv/tuning.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { collectionOf, indexedField } from "../../../support/sites/fields.ts";
import {
  idOf,
  ListHarness,
  otherCollection,
  queryOf,
  rowOf,
} from "../../../support/harness/list_harness.ts";

const POSTS = collectionOf(
  indexedField("text", "text"),
  indexedField("number", "number"),
);
const BY = { fieldKey: "k_text" };

/** As long as the index holds a text, or a character less. */
const BEGINNINGS = [
  "a".repeat(499),
  `${"a".repeat(499)}e`,
  `${"A".repeat(499)}Σ`,
  "漢".repeat(500),
  `${"\u0e41".repeat(499)}\u1112`,
  `${" ".repeat(498)}Σ'`,
  "\u{1d4b3}".repeat(500),
];
const ENDINGS = ["", "a", "\u0301", "\u1161", "b é", "'b", "Σ"];
const TEXTS = ["", "a", "e", ...BEGINNINGS.flatMap((one) => ENDINGS.map((end) => one + end))];
const ASKED = [...BEGINNINGS, `${"a".repeat(499)}é`, "", "a", "é", "σ", "ς", "σb", "'b", "字"];

function conditions(): Condition[] {
  const found = ASKED.flatMap((asked): Condition[] => {
    const value = sortForm(asked);
    const ends = [true, false].map((isOpen) => ({ value, isOpen }));
    return [
      hasValue(BY, asked),
      ...(["contains", "startsWith", "endsWith"] as const).map((where): Condition => {
        return { kind: "part", by: BY, where, text: value };
      }),
      ...ends.map((from): Condition => ({ kind: "range", by: BY, from, to: null })),
      ...ends.map((to): Condition => ({ kind: "range", by: BY, from: null, to })),
    ];
  });
  const not = (of: Condition): Condition => ({ kind: "not", of });
  return [
    ...found,
    ...found.map(not),
    ...found.map((one, at) => not(allOf(found[(at * 7 + 3) % found.length]!, not(one)))),
  ];
}

Deno.test("filters on texts of any length find what they would find in the whole texts", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const rows = TEXTS.map((text, number) => rowOf(number, { values: { k_text: [text] } }));
  await harness.write(process, POSTS, rows);
  await harness.compact(process, POSTS);
  // Some are replaced by the delta, some with another text.
  const later = rows.filter((_, at) => at % 3 === 0).map((row, at) => ({
    ...row,
    n: 2,
    values: at % 2 === 0 ? row.values : { k_text: [TEXTS[at * 5 % TEXTS.length]!] },
  }));
  await harness.write(process, POSTS, later);
  for (const where of conditions()) {
    await harness.check(process, queryOf([POSTS], { where }));
  }
});

Deno.test("filters on texts that fit read no documents, others each once", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const texts = ["a".repeat(499), "b", `${"a".repeat(600)}z`, `${"a".repeat(600)}y`];
  const rows = texts.map((text, number) => rowOf(number, { values: { k_text: [text] } }));
  await harness.write(process, POSTS, rows.slice(0, 2));
  const where: Condition = { kind: "part", by: BY, where: "contains", text: "z" };
  const list = () => process.index.list(queryOf([POSTS], { where }));
  await list();
  assertEquals(harness.wholeReads, 0);
  await harness.write(process, POSTS, rows.slice(2));
  assertEquals((await list()).rows.map(({ id }) => id), [rows[2]!.id]);
  assertEquals(harness.wholeReads, 2);
  await process.index.list(queryOf([POSTS], { where, sort: [{ by: "title", descending: true }] }));
  assertEquals(harness.wholeReads, 2);
  // What the beginning decides is not read either.
  const begins: Condition = { kind: "part", by: BY, where: "startsWith", text: "aaa" };
  assertEquals((await process.index.list(queryOf([POSTS], { where: begins }))).total, 3);
  assertEquals((await process.index.list(queryOf([POSTS], { where: hasValue(BY, "b") }))).total, 1);
  assertEquals(harness.wholeReads, 2);
});

Deno.test("a filter that depends on too many long texts is refused, and answered once it selects fewer", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const rows = Array.from({ length: CUT_ROWS_READ_MAX + 1 }, (_, number) =>
    rowOf(number, {
      values: { k_text: [`${"a".repeat(520)}${number}`], k_number: [number % 2] },
    }));
  for (let from = 0; from < rows.length; from += 200) {
    await harness.write(process, POSTS, rows.slice(from, from + 200));
  }
  const where: Condition = { kind: "part", by: BY, where: "endsWith", text: "a7" };
  const refusal = await assertRejects(
    () => process.index.list(queryOf([POSTS], { where })),
    Refusal,
  );
  assertEquals(refusal.code, "FILTER_INVALID");
  assert(refusal.message.includes("the field text"), refusal.message);
  assert(refusal.message.includes("1001 documents"), refusal.message);
  const odd = allOf(where, hasValue({ fieldKey: "k_number" }, 1));
  await harness.check(process, queryOf([POSTS], { where: odd }));
  // Of a search only what it has found is read.
  const some = rows.slice(0, 20).map(({ id }) => id);
  await harness.check(
    process,
    queryOf([POSTS], { where: allOf(where, hasValue("id", ...some)) }),
  );
});

Deno.test("match follows references to documents by the whole of their texts", async () => {
  using harness = await ListHarness.open();
  const process = harness.start();
  const authors = otherCollection(indexedField("text", "text"));
  const posts = collectionOf(indexedField("author", "reference"));
  await harness.write(
    process,
    authors,
    ["z", "y"].map((end, number) =>
      rowOf(number, { values: { k_text: [`${"a".repeat(600)}${end}`] } })
    ),
  );
  await harness.write(
    process,
    posts,
    [0, 1, 1].map((author, number) => rowOf(10 + number, { values: { k_author: [idOf(author)] } })),
  );
  const where: Condition = {
    kind: "match",
    by: { fieldKey: "k_author" },
    target: {
      collection: authors,
      statuses: ["published"],
      where: { kind: "part", by: BY, where: "contains", text: "y" },
    },
  };
  await harness.check(process, queryOf([posts], { where }));
  await harness.check(process, queryOf([posts], { where: { kind: "not", of: where } }));
});

Deno.test("isBoundary() holds for no character that normalization joins to one before it", () => {
  const joined = new Set<string>();
  for (let point = 0; point < 0x110000; point++) {
    if (point >= 0xd800 && point < 0xe000) continue;
    for (const later of [...String.fromCodePoint(point).normalize("NFD")].slice(1)) {
      joined.add(later);
    }
  }
  assert(joined.size > 100);
  assertEquals([...joined].filter(isBoundary), []);
});
