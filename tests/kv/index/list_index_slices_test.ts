import { assertEquals } from "@std/assert";
import { compactCollection } from "../../../kv/index/segments/compaction.ts";
import { hasValue, titleContains } from "../../../kv/index/query/condition.ts";
import { ID_WORDS, writeId } from "../../../kv/index/segments/id_words.ts";
import type { IndexRow } from "../../../kv/index/index_row.ts";
import { ListIndex } from "../../../kv/index/list_index.ts";
import type { ListQuery } from "../../../kv/index/query/list_query.ts";
import type { RankedMatches } from "../../../kv/index/query/ranked.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { eventLoopTurn } from "../../../kv/store/event_loop_turn.ts";
import { collectionOf, field } from "../../support/sites/fields.ts";
import {
  idOf,
  ListHarness,
  otherCollection,
  queryOf,
  rowOf,
} from "../../support/harness/list_harness.ts";
import { WorkMeter } from "../../support/harness/work_meter.ts";

/** So many that what goes over all of them without a pause is beyond the bound. */
const ROWS = 12_000;
/** The same of what is read from documents: a compaction reads so many at a time. */
const LATE_ROWS = 4_200;
/** Blocks of code that may run without a pause: some tenths of a millisecond, a few before they are compiled. */
const BLOCKS_MAX = 50_000;
const plain = collectionOf(
  { ...field("tag", "text"), indexed: true, sortable: true },
  field("late", "text"),
);
const other = otherCollection(...plain.fields);
const flagged: Collection = {
  ...other,
  fields: other.fields.map((one) => ({ ...one, indexed: true, sortable: true })),
};
const tag = { fieldKey: "k_tag" };
const facets: ListQuery["facets"] = [{ by: tag, kind: "values" }];

function row(number: number, n: number): IndexRow {
  return rowOf(number, {
    n,
    title: `Document ${number * 7_919 % 40_009}`,
    values: {
      k_tag: [`tag ${number % 97}`, `of ${number}`, `or ${number}`],
      k_late: [`late ${number}`],
    },
  });
}

async function writeRows(
  harness: ListHarness,
  collection: Collection,
  { count, step = 1, n = 1 }: { count: number; step?: number; n?: number },
): Promise<void> {
  const process = harness.start();
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from(
      { length: Math.min(500, count - from) },
      (_, index) => row((from + index) * step, n),
    );
    await harness.write(process, collection, rows);
  }
}

/** Documents that a search has found, many of them as good as one another. */
function matchesOf(count: number): RankedMatches {
  const ids = new Uint32Array(count * ID_WORDS);
  for (let at = 0; at < count; at++) writeId(ids, at, idOf((at * 7_919) % ROWS));
  return { ids, scores: Float32Array.from({ length: count }, (_, at) => -(at >> 10)), name: "m" };
}

Deno.test("lists and compactions do little between two rounds of the event loop, however many documents", async () => {
  // First, so that every function is compiled with its counters.
  await using meter = await WorkMeter.start();
  using harness = await ListHarness.open();
  await writeRows(harness, plain, { count: ROWS });
  await harness.compact(harness.start(), plain);
  await harness.write(harness.start(), plain, [idOf(3), idOf(ROWS - 3)]);
  await harness.compact(harness.start(), plain);
  // These wait in the delta.
  await writeRows(harness, plain, { count: ROWS / 4, step: 4, n: 2 });
  await writeRows(harness, other, { count: LATE_ROWS });
  await harness.compact(harness.start(), other);

  const { store } = harness;
  const loadRows = async (of: Collection, ids: string[]) => {
    await eventLoopTurn();
    return await harness.loadRows(of, ids);
  };
  const index = new ListIndex({ store, loadRows, loadWhole: () => Promise.resolve([]) });
  const list = (part: Partial<ListQuery>, of = plain) => () => index.list(queryOf([of], part));
  const [some, others] = [matchesOf(2_000), matchesOf(1_000)];
  const late = { fieldKey: "k_late" };
  const compact = async (of: Collection) => {
    while (!(await compactCollection(store, of, { loadRows })).done);
  };
  const works: [string, () => Promise<unknown>][] = [
    ["the first list of a process", list({})],
    ["a first sort by title", list({ sort: [{ by: "title", descending: true }] })],
    ["a first sort by a field", list({ sort: [{ by: tag, descending: false }] })],
    ["titles that contain a text", list({ where: titleContains("77") })],
    ["documents with values", list({ where: hasValue(tag, "of 17", "tag 3", null) })],
    ["facets of all", list({ facets })],
    ["facets of few", list({ facets, where: hasValue(tag, `of ${ROWS - 1}`) })],
    [
      "a first sort by a field added later",
      list({ sort: [{ by: late, descending: true }] }, flagged),
    ],
    ["matches of a search", () => index.ranked(queryOf([plain]), some)],
    ["their facets", () => index.ranked(queryOf([plain], { facets }), others)],
    ["a compaction of the delta", () => compact(plain)],
    ["a compaction that fills a column", () => compact(flagged)],
  ];
  const long: string[] = [];
  for (const [what, work] of works) {
    const { blocks, where } = await meter.longestTurn(work);
    if (blocks > BLOCKS_MAX) long.push(`${what}: ${blocks} blocks, ${where}`);
  }
  assertEquals(long, []);
});
