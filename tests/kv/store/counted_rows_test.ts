/**
 * Counted rows against a count of all rows: two processes over one store, commits that fail, that are repeated, or
 * whose outcome is unknown, processes that begin again, and changes while a process counts.
 */
import type { Key } from "../../../kv/keys.ts";
import { CountedRows, type CountedSource, stampCounted } from "../../../kv/store/counted_rows.ts";
import type { CountedQuery } from "../../../kv/store/counted_windows.ts";
import type { Driver } from "../../../kv/store/driver.ts";
import { eventLoopTurn } from "../../../kv/store/event_loop_turn.ts";
import { type Entry, Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { NOON } from "../../support/harness/context.ts";
import { DirectDriver, SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { seededRandom, seededUlids } from "../../support/seeded_random.ts";

const KINDS = ["queued A", "queued B", "done A", "done B", "failed A"];
const rowKey = (id: string): Key => ["row", id];

const SOURCE: CountedSource<string> = {
  family: "jobs",
  range: (start, end) => ({ start: rowKey(start), end: rowKey(end) }),
  kindOf: ({ key, value }) => ({ id: key[1] as string, kind: value }),
};

/** Calls that take a while, and commits that fail before or after they have taken effect. */
function shaky(kv: SimulatedKv, random: () => number): Driver {
  const inner = new DirectDriver(kv);
  const wait = async () => {
    for (let turns = Math.floor(random() * 3); turns > 0; turns--) await eventLoopTurn();
  };
  return {
    groupChecksMax: inner.groupChecksMax,
    inFlightMax: 4,
    async getMany(keys) {
      await wait();
      return await inner.getMany(keys);
    },
    async *list(range, options) {
      await wait();
      for await (const entry of inner.list(range, options)) {
        if (random() < 0.1) await wait();
        yield entry;
      }
    },
    async commit(operation) {
      await wait();
      const chance = random();
      if (chance < 0.1) throw new Error("not committed");
      const result = await inner.commit(operation);
      await wait();
      if (chance < 0.2) throw new Error("committed, perhaps");
      return result;
    },
    close: () => {},
  };
}

class Model {
  readonly random: () => number;
  readonly #kv = new SimulatedKv();
  readonly #newId: (ms: number) => string;
  #processes: { store: Store; counted: CountedRows<string> }[] = [];
  #ids: string[] = [];

  constructor(seed: number) {
    this.random = seededRandom(seed);
    this.#newId = seededUlids(this.random);
    this.#processes = [this.#begin(), this.#begin()];
  }

  #begin() {
    const store = new Store(shaky(this.#kv, this.random), {
      sleep: eventLoopTurn,
      random: this.random,
      monotonic: () => NOON,
    });
    return { store, counted: new CountedRows(store, SOURCE) };
  }

  #any<T>(items: readonly T[]): T {
    return items[Math.floor(this.random() * items.length)]!;
  }

  /** Commits, and again where the outcome is unknown, as a driver that repeats does. */
  async #commit(store: Store, operation: Operation): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        await store.commit(operation);
        return;
      } catch {
        if (this.random() < 0.5) return;
      }
    }
  }

  /** Adds, changes or removes some rows, the last of them unread. */
  async write(): Promise<void> {
    const { store } = this.#any(this.#processes);
    const operation = new Operation();
    const act = this.random();
    if (act < 0.5 || this.#ids.length < 3) {
      for (let count = 1 + Math.floor(this.random() * 4); count > 0; count--) {
        // Now, a minute ago, or long ago, as the ids of scheduled jobs are.
        const id = this.#newId(NOON + Math.floor(this.random() * this.#any([3_000, 6e4, 1e9])));
        this.#ids.push(id);
        operation.set(rowKey(id), this.#any(KINDS));
        stampCounted(operation, "jobs", id);
      }
    } else {
      const id = this.#any(this.#ids);
      if (act < 0.8) {
        const entry = await store.get(rowKey(id)).catch(() => null);
        if (entry === null || entry.value === null) return;
        operation.check(entry).set(rowKey(id), this.#any(KINDS));
      } else operation.delete(rowKey(id));
      stampCounted(operation, "jobs", id);
    }
    await this.#commit(store, operation);
  }

  /** A process ends, and another begins. */
  restart(): void {
    this.#processes[Math.floor(this.random() * 2)] = this.#begin();
  }

  async ask(): Promise<void> {
    await this.#any(this.#processes).counted.current();
  }

  /** Each process answers what is there. */
  async check(step: string): Promise<void> {
    const rows = this.#kv.dump(["row"]) as Entry<string>[];
    const ids = ["0", ...this.#ids].toSorted();
    for (const { counted } of this.#processes) {
      const kinds = KINDS.filter(() => this.random() < 0.6);
      const query: CountedQuery = {
        fits: (kind) => kinds.includes(kind),
        skip: Math.floor(this.random() * 10),
        limit: 1 + Math.floor(this.random() * 10),
        ...(this.random() < 0.5 && { start: this.#any(ids).slice(0, this.#any([7, 9, 10, 26])) }),
        ...(this.random() < 0.5 && { end: this.#any(ids).slice(0, this.#any([7, 9, 10, 26])) }),
      };
      const { start = "", end = "~", skip, limit } = query;
      const expected = rows.filter(({ key, value }) =>
        kinds.includes(value!) && (key[1] as string) >= start && (key[1] as string) < end
      ).map(({ key }) => key[1] as string).reverse();
      const page = (await counted.current()).page(query);
      assertEquals(page, { ids: expected.slice(skip, skip + limit), total: expected.length }, step);
    }
  }
}

Deno.test("every process counts exactly what is stored, whatever became of its commits", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const model = new Model(seed);
    for (let step = 0; step < 40; step++) {
      const work = Array.from(
        { length: 1 + Math.floor(model.random() * 4) },
        () => model.random() < 0.6 ? model.write() : model.ask(),
      );
      await Promise.all(work);
      if (model.random() < 0.05) model.restart();
      await model.check(`seed ${seed}, step ${step}`);
    }
  }
});

Deno.test("a count that begins during another one includes what was committed before it", async () => {
  const store = new Store(new DirectDriver(new SimulatedKv()), { monotonic: () => NOON });
  const newId = seededUlids(seededRandom(1));
  const add = async () => {
    const id = newId(NOON);
    const operation = new Operation().set(rowKey(id), "done A");
    stampCounted(operation, "jobs", id);
    await store.commit(operation);
  };
  await add();
  const counted = new CountedRows(store, SOURCE);
  const total = (windows: Awaited<ReturnType<typeof counted.current>>) =>
    windows.page({ fits: () => true, skip: 0, limit: 1 }).total;
  await counted.current();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { driver } = store;
  const { list } = driver;
  driver.list = async function* (range, options) {
    const rows = await Array.fromAsync(list.call(driver, range, options));
    await gate;
    yield* rows;
  };
  const first = counted.current();
  await eventLoopTurn();
  await add();
  const [second, third] = [counted.current(), counted.current()];
  open();
  await first;
  assertEquals([total(await second), total(await third)], [2, 2]);
});

Deno.test("counted rows are read again only where they changed", async () => {
  const store = new Store(new DirectDriver(new SimulatedKv()), { monotonic: () => NOON });
  const newId = seededUlids(seededRandom(1));
  const add = async (second: number, count: number) => {
    const operation = new Operation();
    for (let n = 0; n < count; n++) {
      const id = newId(NOON + second * 1024);
      operation.set(rowKey(id), "done A");
      stampCounted(operation, "jobs", id);
    }
    await store.commit(operation);
  };
  for (let second = 0; second < 30; second++) await add(second * 40, 100);
  const counted = new CountedRows(store, SOURCE);
  const all = { fits: () => true, skip: 0, limit: 1 };
  assertEquals((await counted.current()).page(all).total, 3_000);
  let rows = 0;
  const list = store.driver.list;
  store.driver.list = async function* (range, options) {
    for await (const entry of list.call(store.driver, range, options)) {
      rows += 1;
      yield entry;
    }
  };

  assertEquals((await counted.current()).page(all).total, 3_000);
  const idle = rows;
  await add(1_001, 1);
  assertEquals((await counted.current()).page(all).total, 3_001);

  assert(idle <= 3, `${idle} rows were read where nothing had changed`);
  assert(rows - idle <= 40, `${rows - idle} rows were read for one that was added`);
});
