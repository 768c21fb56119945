/**
 * A store at a distance, without waiting: what is asked for while nothing is answered is answered together,
 * in one turn. The number of turns is the longest chain of calls that wait for one another.
 *
 * @module
 */
import type { Key } from "../../../kv/keys.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../../kv/store/driver.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";

/**
 * A turn ends after so many looks, so many milliseconds apart, at which nothing more had been asked for. A process that
 * does not get a processor, or computes, misses looks: it is not taken for one that has no more to ask.
 */
const QUIET_LOOKS = 5;
const POLL_INTERVAL_MS = 3;

/** Answers in turns. */
export class TurnDriver implements Driver {
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  /** What was asked for in each turn. */
  turns: string[][] = [];
  /** Whether it answers at once. */
  isNear = false;
  readonly #inner: Driver;
  #asked: { what: string; answer: () => void }[] = [];
  /** Calls that the store has not answered yet: who waits for one may ask for more after it. */
  #underWay = 0;
  #quietLooks = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(inner: Driver, { inFlightMax = 8 } = {}) {
    this.#inner = inner;
    this.groupChecksMax = inner.groupChecksMax;
    this.inFlightMax = inFlightMax;
  }

  async getMany(keys: Key[]): Promise<Entry[]> {
    await this.#turn(`get ${keys.map(nameOf).join(", ")}`);
    return await this.#answered(this.#inner.getMany(keys));
  }

  list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    return this.isNear ? this.#inner.list(range, options) : this.#listInTurns(range, options);
  }

  async *#listInTurns(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const entries = this.#inner.list(range, options)[Symbol.asyncIterator]();
    const batch = options.batchSize ?? 100;
    const what = `list ${nameOf("prefix" in range ? range.prefix : range.start)}`;
    for (let n = 0; n < (options.limit ?? Infinity); n++) {
      if (n % batch === 0) await this.#turn(what);
      const next = await this.#answered(entries.next());
      if (next.done) return;
      yield next.value;
    }
  }

  async commit(operation: Operation): Promise<CommitResult> {
    const keys = operation.sets.map(({ key }) => nameOf(key));
    await this.#turn(`commit ${keys.join(", ")}`);
    return await this.#answered(this.#inner.commit(operation));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#inner.close();
  }

  #turn(what: string): Promise<void> {
    if (this.isNear) return Promise.resolve();
    this.#quietLooks = 0;
    if (this.#asked.length === 0) this.#look();
    return new Promise((answer) => this.#asked.push({ what, answer }));
  }

  async #answered<T>(call: Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await call;
    } finally {
      this.#underWay--;
      this.#quietLooks = 0;
    }
  }

  #look(): void {
    this.#timer = setTimeout(() => {
      if (this.#underWay === 0 && ++this.#quietLooks >= QUIET_LOOKS) this.#end();
      else this.#look();
    }, POLL_INTERVAL_MS);
  }

  #end(): void {
    const asked = this.#asked;
    this.#asked = [];
    this.turns.push(asked.map(({ what }) => what));
    for (const { answer } of asked) answer();
  }
}

function nameOf(key: Key): string {
  return key.filter((part) => typeof part === "string").slice(0, 2).join("/");
}
