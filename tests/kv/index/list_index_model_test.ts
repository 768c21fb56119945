import { assert } from "@std/assert";
import fc from "fast-check";
import type { IndexRow } from "../../../kv/index/index_row.ts";
import type { Condition } from "../../../kv/index/query/condition.ts";
import { ID_WORDS, writeId } from "../../../kv/index/segments/id_words.ts";
import {
  type ColumnKey,
  type FilterKey,
  FRAMING_SORTS,
} from "../../../kv/index/segments/list_columns.ts";
import type { FacetKey, ListQuery, SortKey } from "../../../kv/index/query/list_query.ts";
import { sortForm } from "../../../kv/index/segments/texts.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import type { FieldDefinition } from "../../../kv/model/fields/field_definition.ts";
import { collectionOf, field, indexedField } from "../../support/sites/fields.ts";
import { Killed } from "../../support/stores/hooked_driver.ts";
import {
  idOf,
  ListHarness,
  type ListProcess,
  otherCollection,
  queryOf,
} from "../../support/harness/list_harness.ts";

const FIELDS = [
  field("text", "text"),
  field("number", "number"),
  field("boolean", "boolean"),
  field("many", "multi_select"),
  // A field whose type is being changed holds values of both kinds.
  field("mixed", "text"),
];
const AUTHOR = indexedField("author", "reference");
const POSTS = collectionOf(...FIELDS, AUTHOR);
const AUTHORS = otherCollection(...FIELDS.map((one) => ({ ...one, indexed: true })), AUTHOR);
const KEYS = FIELDS.map((one) => one.key);

const TEXTS = [
  ...["a", "A", "Ab", "aB", "b", "é", "e\u0301", "É", "Éa", "zz", "ß", "İ", "ς", "Σ"],
  ...["\u{1d4b3}", "\ue000", "\uffff", "ﬀ", "", " ", "漢字", "한", "\u1112\u1161\u11ab"],
];
/** As long as the index holds a text, or a character less; what follows may change how their end sorts. */
const BEGINNINGS = ["a".repeat(499), `${"a".repeat(499)}e`, `${"A".repeat(499)}Σ`].concat(
  [
    "漢".repeat(500),
    `${"\u0e41".repeat(499)}\u1112`,
    `${" ".repeat(498)}Σ'`,
    "\u{1d4b3}".repeat(500),
  ],
);
const ENDINGS = ["", "a", "\u0301", "\u1161", "b é", "'b", "Σ"];
/** Of any length. */
const text = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
  fc.tuple(fc.constantFrom(...BEGINNINGS), fc.constantFrom(...ENDINGS)).map((parts) =>
    parts.join("")
  ),
);
/** What can be asked for: no longer than what the index holds. */
const askedText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  fc.constantFrom(...BEGINNINGS, `${"a".repeat(499)}é`, "é", "σ", "ςb", "'b", "字", "\ud558"),
);
const number = fc.constantFrom(-1.5, 0, 1, 2, 10, 1e15, 0.1, Number.MAX_VALUE);
const time = fc.integer({ min: 0, max: 5 });
const timeOrNull = fc.option(time);
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 1 });

const row: fc.Arbitrary<Omit<IndexRow, "n">> = fc.record({
  id: fc.integer({ min: 0, max: 40 }).map(idOf),
  status: fc.constantFrom(...STATUSES),
  createdAt: time,
  updatedAt: time,
  publishedAt: timeOrNull,
  publishAt: timeOrNull,
  slug: fc.constantFrom("a", "a-b", "ab", "b", "c", "z-1"),
  title: fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS)).map((parts) =>
    parts.join("")
  ),
  values: fc.record({
    k_text: some(text),
    k_number: some(number),
    k_boolean: some(fc.boolean()),
    k_many: fc.array(fc.constantFrom("x", "X", "y"), { maxLength: 3 }),
    k_mixed: some(fc.oneof(text, number, fc.boolean())),
    k_author: some(fc.integer({ min: 0, max: 40 }).map(idOf)),
  }),
});

const columnKey: fc.Arbitrary<ColumnKey> = fc.oneof(
  fc.constantFrom(...FRAMING_SORTS),
  fc.constantFrom(...KEYS, "k_author").map((fieldKey) => ({ fieldKey })),
);
const sort: fc.Arbitrary<SortKey[]> = fc.array(
  fc.record({ by: columnKey, descending: fc.boolean() }),
  { maxLength: 3 },
);
const filterKey: fc.Arbitrary<FilterKey> = fc.oneof(
  { weight: 6, arbitrary: columnKey },
  fc.constant("id" as const),
);
const id = fc.integer({ min: 0, max: 40 }).map(idOf);
const value = fc.oneof(
  askedText,
  number,
  time,
  fc.boolean(),
  id,
  fc.constantFrom("x", "y", "draft"),
);
const bound = fc.option(fc.record({
  value: fc.oneof(askedText.map(sortForm), number, time),
  isOpen: fc.boolean(),
}));

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    kind: fc.constant("values" as const),
    by: filterKey,
    values: fc.array(fc.oneof(value, fc.constant(null)), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("range" as const), by: columnKey, from: bound, to: bound })
    .map((range) => {
      const isMixed = typeof range.from?.value !== typeof range.to?.value;
      return isMixed && range.from !== null ? { ...range, to: null } : range;
    }),
  fc.record({
    kind: fc.constant("part" as const),
    by: columnKey,
    where: fc.constantFrom("contains" as const, "startsWith" as const, "endsWith" as const),
    text: askedText.map(sortForm),
  }),
  fc.uniqueArray(id, { maxLength: 6 }).map((ids): Condition => {
    const words = new Uint32Array(ids.length * ID_WORDS);
    ids.toSorted().forEach((one, index) => writeId(words, index, one));
    return { kind: "documents", ids: words, name: ids.toSorted().join() };
  }),
);

/** Conditions of any shape; `match` leads to the other collection, and from there on once more. */
function conditionTree(levels: number, matches: number): fc.Arbitrary<Condition> {
  const match = matches === 0 ? leaf : fc.record({
    statuses: fc.subarray([...STATUSES]),
    where: conditionTree(1, matches - 1),
  }).map((target): Condition => ({
    kind: "match",
    by: { fieldKey: "k_author" },
    target: { ...target, collection: matches % 2 === 0 ? AUTHORS : POSTS },
  }));
  const leaves = fc.oneof({ weight: 4, arbitrary: leaf }, match);
  if (levels === 0) return leaves;
  const inner = conditionTree(levels - 1, matches);
  return fc.oneof(
    { weight: 3, arbitrary: leaves },
    fc.record({
      kind: fc.constantFrom("and" as const, "or" as const),
      of: fc.array(inner, { maxLength: 3 }),
    }),
    inner.map((of): Condition => ({ kind: "not", of })),
  );
}

const facet: fc.Arbitrary<FacetKey> = fc.record({
  by: fc.constantFrom(...KEYS, "k_author").map((fieldKey) => ({ fieldKey })),
  kind: fc.constantFrom("values" as const, "summary" as const),
});
/** Each collection that a query looks at has a moment of its own, so that only some follow references. */
const queries = (matches: number): fc.Arbitrary<Partial<ListQuery>> =>
  fc.record({
    statuses: fc.oneof(
      { weight: 2, arbitrary: fc.constant(STATUSES) },
      fc.subarray([...STATUSES]),
    ),
    where: conditionTree(2, matches),
    sort,
    offset: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(30)),
    limit: fc.integer({ min: 1, max: 20 }),
    after: fc.oneof(
      fc.constant("start" as const),
      fc.record({ id, values: fc.constant([]) }),
    ),
    facets: fc.array(facet, { minLength: 1, maxLength: 2 }),
  }, { requiredKeys: ["statuses", "sort", "offset", "limit"] }).chain((part) =>
    typeof part.after === "object" ? positioned(part, part.after.id) : fc.constant(part)
  );
const query = queries(2);

/** A position of which each value may or may not be one that a document has. */
function positioned(part: Partial<ListQuery>, id: string): fc.Arbitrary<Partial<ListQuery>> {
  const values = part.sort!.map(() =>
    fc.option(fc.oneof(text.map(sortForm), number, time, fc.boolean()))
  );
  return fc.tuple(...values).map((given) => ({ ...part, after: { id, values: given } }));
}

type Action =
  | { does: "write"; who: number; rows: Omit<IndexRow, "n">[]; authors: boolean }
  | { does: "remove"; who: number; ids: string[] }
  | { does: "list"; who: number; query: Partial<ListQuery> }
  | { does: "flag"; flags: boolean[] }
  | { does: "compact"; who: number; small: boolean }
  | { does: "killed"; who: number; at: number; when: "before" | "after" }
  | { does: "two compactions"; at: number }
  | { does: "list, then compaction"; at: number; query: Partial<ListQuery> }
  | { does: "list, then writes"; at: number; ids: string[]; query: Partial<ListQuery> };

const who = fc.nat(1);
const at = fc.integer({ min: 1, max: 14 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("write" as const),
      who,
      rows: fc.uniqueArray(row, { minLength: 1, maxLength: 8, selector: (one) => one.id }),
      authors: fc.boolean(),
    }),
  },
  fc.record({
    does: fc.constant("remove" as const),
    who,
    ids: fc.uniqueArray(fc.integer({ min: 0, max: 40 }).map(idOf), { minLength: 1, maxLength: 4 }),
  }),
  { weight: 5, arbitrary: fc.record({ does: fc.constant("list" as const), who, query }) },
  fc.record({
    does: fc.constant("flag" as const),
    flags: fc.array(fc.boolean(), { minLength: FIELDS.length, maxLength: FIELDS.length }),
  }),
  fc.record({ does: fc.constant("compact" as const), who, small: fc.boolean() }),
  fc.record({
    does: fc.constant("killed" as const),
    who,
    at,
    when: fc.constantFrom("before" as const, "after" as const),
  }),
  fc.record({ does: fc.constant("two compactions" as const), at }),
  fc.record({ does: fc.constant("list, then compaction" as const), at, query }),
  fc.record({
    does: fc.constant("list, then writes" as const),
    at: fc.integer({ min: 1, max: 6 }),
    ids: fc.array(fc.integer({ min: 0, max: 40 }).map(idOf), { minLength: 1, maxLength: 8 }),
    query: queries(0),
  }),
);

/** Runs actions against two processes over one store, and compares every list. */
class Run {
  readonly #harness: ListHarness;
  readonly #processes: ListProcess[];
  #collection = collectionWith(FIELDS.map(() => true));
  #n = 0;

  constructor(harness: ListHarness) {
    this.#harness = harness;
    // One closes epochs all the time, the other keeps almost nothing in memory.
    this.#processes = [harness.start({ openRowsMax: 3 }), harness.start({ memoryBytesMax: 2_000 })];
  }

  async act(action: Action): Promise<void> {
    switch (action.does) {
      case "write":
        return await this.#write(action.who, action.rows, action.authors);
      case "remove":
        return await this.#harness.write(this.#process(action.who), this.#collection, action.ids);
      case "list":
        return await this.#list(action.who, action.query);
      case "flag":
        this.#collection = collectionWith(action.flags);
        return;
      case "compact":
        return await this.#compact(action.who, action.small);
      case "killed":
        return await this.#killed(action.who, action.at, action.when);
      case "two compactions":
        return await this.#twoCompactions(action.at);
      case "list, then compaction":
        return await this.#listThenCompaction(action.at, action.query);
      case "list, then writes":
        return await this.#listThenWrites(action.at, action.ids, action.query);
    }
  }

  async #write(who: number, rows: Omit<IndexRow, "n">[], authors = false): Promise<void> {
    this.#n += 1;
    const numbered = rows.map((one) => ({ ...one, n: this.#n }));
    const collection = authors ? AUTHORS : this.#collection;
    await this.#harness.write(this.#process(who), collection, numbered);
  }

  async #list(who: number, part: Partial<ListQuery>): Promise<void> {
    await this.#harness.check(this.#process(who), this.#query(part));
  }

  async #compact(who: number, small: boolean): Promise<void> {
    const options = small ? { deltaRowsMax: 3, fillRowsMax: 4 } : {};
    await this.#harness.compact(this.#process(who), this.#collection, options);
  }

  async #killed(who: number, at: number, when: "before" | "after"): Promise<void> {
    const process = this.#process(who);
    const from = process.driver.calls;
    process.driver.hook = (n, now) => {
      if (n === from + at && now === when) throw new Killed();
    };
    try {
      await this.#compact(who, true);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
    process.driver.hook = () => {};
  }

  /** The other process compacts in the middle of this one's compaction. */
  async #twoCompactions(at: number): Promise<void> {
    await this.#meanwhile(at, () => this.#compact(1, false), () => this.#compact(0, true));
  }

  /** The other process compacts in the middle of this one's list. */
  async #listThenCompaction(at: number, part: Partial<ListQuery>): Promise<void> {
    await this.#rewrite([idOf(3), idOf(7)]);
    await this.#meanwhile(at, () => this.#compact(1, false), () => this.#list(0, part));
  }

  /** Documents are written one by one, and listed so that epochs are closed, in the middle of a list. */
  async #listThenWrites(at: number, ids: string[], part: Partial<ListQuery>): Promise<void> {
    await this.#rewrite([idOf(5)]);
    const query = this.#query(part);
    const allowed = [this.#harness.expected(query)];
    const { driver, index } = this.#process(0);
    const closer = this.#harness.start({ openRowsMax: 1 });
    const from = driver.calls;
    driver.hook = async (n, when) => {
      if (n !== from + at || when !== "before") return;
      for (const id of ids) {
        await this.#rewrite([id]);
        allowed.push(this.#harness.expected(query));
        await this.#harness.check(closer, this.#query({}));
      }
    };
    const page = await index.list(query);
    driver.hook = () => {};
    const found = JSON.stringify(page);
    assert(allowed.some((one) => JSON.stringify(one) === found), "The page never was");
  }

  /** New versions of documents, by the other process; those that are not there are made. */
  async #rewrite(ids: string[]): Promise<void> {
    const rows = ids.map((id, index) => {
      const known = this.#harness.documents.get(this.#collection.id)?.get(id);
      return { ...(known ?? SAMPLES[index % SAMPLES.length]!), id, updatedAt: this.#n % 6 };
    });
    await this.#write(1, rows);
  }

  async #meanwhile(at: number, other: () => Promise<void>, own: () => Promise<void>) {
    const { driver } = this.#process(0);
    const from = driver.calls;
    driver.hook = async (n, when) => {
      if (n === from + at && when === "before") await other();
    };
    await own();
    driver.hook = () => {};
  }

  #process(who: number): ListProcess {
    return this.#processes[who]!;
  }

  #query(part: Partial<ListQuery>): ListQuery {
    return queryOf([this.#collection], part);
  }
}

const SAMPLES = fc.sample(row, { numRuns: 8, seed: 1 });

function collectionWith(flags: boolean[]): Collection {
  return collectionOf(
    ...FIELDS.map((one, index): FieldDefinition => ({ ...one, indexed: flags[index]! })),
    AUTHOR,
  );
}

Deno.test("ListIndex answers like a naive list, whatever is written, compacted, killed or flagged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
      using harness = await ListHarness.open();
      const run = new Run(harness);
      for (const one of actions) await run.act(one);
      await run.act({ does: "list", who: 0, query: {} });
      await run.act({ does: "compact", who: 1, small: true });
      await run.act({ does: "list", who: 0, query: { limit: 100 } });
      await run.act({ does: "list", who: 1, query: { limit: 100 } });
    }),
    { numRuns: 100 },
  );
});
