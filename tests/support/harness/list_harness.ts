/**
 * Documents that are written to a list index and to a naive copy at once, by several processes over one
 * store.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import {
  compactCollection,
  type CompactionOptions,
} from "../../../kv/index/segments/compaction.ts";
import { recordDelta } from "../../../kv/index/segments/delta.ts";
import { currentKey } from "../../../kv/keys.ts";
import { indexedKeys, type IndexRow } from "../../../kv/index/index_row.ts";
import { isLanguageKey } from "../../../kv/index/segments/language_columns.ts";
import { ListIndex } from "../../../kv/index/list_index.ts";
import type { ListPage, ListQuery, NamedVersion } from "../../../kv/index/query/list_query.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import { STATUSES } from "../../../kv/model/entities/document.ts";
import { textIndex } from "../../../kv/model/values/scalar_index.ts";
import { DenoKvDriver, type Driver } from "../../../kv/store/driver.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { collectionOf } from "../sites/fields.ts";
import { HookedDriver } from "../stores/hooked_driver.ts";
import { type NaiveDocuments, naiveList } from "./naive_lists.ts";

/** A query for every document, by id, unless overridden. */
export function queryOf(collections: Collection[], part: Partial<ListQuery> = {}): ListQuery {
  return { collections, statuses: STATUSES, sort: [], offset: 0, limit: 50, ...part };
}

/** The `number`-th id of a test; ids and numbers have one order. */
export function idOf(number: number): string {
  return `${ulid(1_700_000_000_000 + number * 1000).slice(0, 10)}0000000000000000`;
}

/** A row with values for whatever is not given. */
export function rowOf(number: number, part: Partial<IndexRow> = {}): IndexRow {
  return {
    id: idOf(number),
    n: 1,
    status: "published",
    createdAt: 1_700_000_000 + number,
    updatedAt: 1_700_000_000 + number,
    publishedAt: null,
    publishAt: null,
    slug: `document-${number}`,
    title: `Document ${number}`,
    values: {},
    ...part,
  };
}

/** One process: its own connection and list index. */
export interface ListProcess {
  driver: HookedDriver;
  store: Store;
  index: ListIndex;
}

/** A store, what should be in it, and processes over it. */
export class ListHarness {
  readonly documents: NaiveDocuments = new Map();
  readonly store: Store;
  /** How many documents were read for the whole of their texts. */
  wholeReads = 0;
  readonly #driver: Driver;

  private constructor(driver: Driver) {
    this.#driver = driver;
    this.store = new Store(driver);
  }

  /** An empty harness; `using` closes it. */
  static async open(): Promise<ListHarness> {
    return new ListHarness(new DenoKvDriver(await Deno.openKv(":memory:")));
  }

  /** A process of this harness. */
  start(options: { openRowsMax?: number; memoryBytesMax?: number } = {}): ListProcess {
    const driver = new HookedDriver(this.#driver);
    const store = new Store(driver, { sleep: () => Promise.resolve() });
    const loadRows = async (collection: Collection, ids: string[]) => {
      // Documents are read from the store, so that a test can act before and after that.
      await store.get(currentKey("document", ids[0]!));
      return await this.loadRows(collection, ids);
    };
    const loadWhole = (collection: Collection, versions: readonly NamedVersion[]) =>
      Promise.resolve(this.#wholeRows(collection, versions));
    return { driver, store, index: new ListIndex({ store, loadRows, loadWhole, ...options }) };
  }

  /** Rows of documents that have not changed since. */
  #wholeRows({ id }: Collection, versions: readonly NamedVersion[]): IndexRow[] {
    this.wholeReads += versions.length;
    const documents = this.documents.get(id);
    return versions.flatMap((version) => {
      const row = documents?.get(version.id);
      return row?.n === version.n ? [row] : [];
    });
  }

  /** Rows as documents give them: with the fields that are flagged now. */
  loadRows(collection: Collection, ids: string[]): Promise<IndexRow[]> {
    const documents = this.documents.get(collection.id);
    const rows = ids.map((id) => documents?.get(id)).filter((row) => row !== undefined);
    return Promise.resolve(rows.map((row) => flaggedRow(collection, row)));
  }

  /** Writes rows, or the going of ids, in one commit. */
  async write(
    process: ListProcess,
    collection: Collection,
    changes: (IndexRow | string)[],
  ): Promise<void> {
    for (let attempt = 0; attempt < 10; attempt++) {
      const epoch = attempt === 0
        ? await process.index.epoch(collection.id)
        : await process.index.readEpoch(collection.id);
      const operation = new Operation();
      for (const change of changes) {
        const row = typeof change === "string"
          ? { id: change, gone: true as const }
          : flaggedRow(collection, change);
        recordDelta(operation, collection.id, epoch, row);
      }
      if (!(await this.store.commit(operation)).ok) continue;
      const documents = this.documents.get(collection.id) ?? new Map();
      this.documents.set(collection.id, documents);
      for (const change of changes) {
        if (typeof change === "string") documents.delete(change);
        else documents.set(change.id, change);
      }
      return;
    }
    throw new Error("The epoch changed ten times");
  }

  /** What the naive copy answers. */
  expected(query: ListQuery): ListPage {
    return naiveList(this.documents, query);
  }

  /** Compares a process's answer with that of the naive copy. */
  async check({ index }: ListProcess, query: ListQuery): Promise<void> {
    const page = await index.list(query);
    assertEquals(page, this.expected(query), JSON.stringify({ ...query, collections: [] }));
  }

  /** Compacts with the process until there is nothing left to do; returns how many calls it took. */
  async compact(
    { store }: ListProcess,
    collection: Collection,
    options: Partial<CompactionOptions> = {},
  ): Promise<number> {
    const loadRows = (of: Collection, ids: string[]) => this.loadRows(of, ids);
    let end: Pick<CompactionOptions, "endEpoch"> = {};
    for (let calls = 1; calls < 1000; calls++) {
      const all = { loadRows, deltaRowsMin: 1, ...options, ...end };
      const { done, ...progress } = await compactCollection(store, collection, all);
      if (done) return calls;
      end = progress;
    }
    throw new Error("The compaction does not end");
  }

  [Symbol.dispose](): void {
    this.store.close();
  }
}

/** The row with the values of flagged fields alone, texts cut. */
function flaggedRow(collection: Collection, row: IndexRow): IndexRow {
  const values: IndexRow["values"] = {};
  for (const key of indexedKeys(collection)) {
    values[key] = (row.values[key] ?? []).flatMap((value) =>
      typeof value === "string" ? textIndex(value) : [value]
    );
  }
  // What a row has in languages, it has whatever is flagged.
  for (const [key, list] of Object.entries(row.values)) if (isLanguageKey(key)) values[key] = list;
  return { ...row, values };
}

/** A collection with another id. */
export function otherCollection(...fields: Collection["fields"]): Collection {
  return { ...collectionOf(...fields), id: "01JD0000000000000000000001", slug: "pages" };
}
