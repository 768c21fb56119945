/**
 * A store at a distance, in simulated time: every call takes {@linkcode CALL_MS} of it, and calls that are asked for
 * while others are on their way are answered with them, in one turn. The number of turns is the longest chain of calls
 * that wait for one another.
 *
 * Time passes only when the process has nothing left to do, so a busy machine counts the same turns as an idle one.
 *
 * @module
 */
import type { Key } from "../../../kv/keys.ts";
import type { CommitResult, Driver, ListOptions, Range } from "../../../kv/store/driver.ts";
import { eventLoopTurn } from "../../../kv/store/event_loop_turn.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";
import { NOON } from "./context.ts";

/** How long a call takes, milliseconds of simulated time. */
const CALL_MS = 20;
/**
 * The process has nothing left to do after so many rounds of the event loop in which it neither called the store nor
 * paused: streams and compression take a few rounds.
 */
const QUIET_ROUNDS = 50;
/** A process that has had nothing to do for so long, in real milliseconds, waits for something that never comes. */
const STANDSTILL_MS = 60_000;

interface Timer {
  at: number;
  run: () => void;
}

/** Simulated time, for one or more processes over {@linkcode TurnDriver}s. */
export class TurnTime {
  /** What was asked for in each turn. */
  turns: string[][] = [];
  #now = NOON;
  #timers: Timer[] = [];
  #asked: { what: string; answer: () => void }[] = [];
  /** When the calls that are asked for are answered. */
  #answersAt = 0;
  /** Calls that the store behind the distance has not answered yet. */
  #underWay = 0;
  #quietRounds = 0;

  /** Whole milliseconds, as the clock of a machine has them. */
  readonly now = (): number => Math.floor(this.#now);

  readonly monotonic = (): number => this.#now - NOON;

  /** Calls `run` after `ms`; answers how to cancel it. */
  readonly setTimer = (ms: number, run: () => void): () => void => {
    const timer = { at: this.#now + Math.max(0, ms), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** Waits `ms`, or one turn of the event loop if 0. */
  readonly sleep = (ms: number): Promise<void> => {
    this.#quietRounds = 0;
    return ms === 0 ? eventLoopTurn() : new Promise((done) => void this.setTimer(ms, done));
  };

  /** Moves the clock. */
  advance(ms: number): void {
    this.#now += ms;
  }

  /** Lets time pass until `work` is settled. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isSettled = false;
    const watched = work.finally(() => isSettled = true);
    watched.catch(() => {});
    let busyAt = performance.now();
    while (!isSettled) {
      await eventLoopTurn();
      if (isSettled || this.#underWay > 0 || ++this.#quietRounds < QUIET_ROUNDS) continue;
      this.#quietRounds = 0;
      if (this.#pass()) busyAt = performance.now();
      else if (performance.now() - busyAt > STANDSTILL_MS) {
        throw new Error("Nothing is left to do, and the work is not done");
      }
    }
    return await watched;
  }

  /** Waits for the answers of the current turn. */
  turn(what: string): Promise<void> {
    this.#quietRounds = 0;
    if (this.#asked.length === 0) this.#answersAt = this.#now + CALL_MS;
    return new Promise((answer) => void this.#asked.push({ what, answer }));
  }

  /** A call of the store behind the distance, during which no time passes. */
  async call<T>(call: Promise<T>): Promise<T> {
    this.#underWay++;
    try {
      return await call;
    } finally {
      this.#underWay--;
      this.#quietRounds = 0;
    }
  }

  /** Lets what comes next happen: the first timer, or the answers of the current turn; false if nothing will. */
  #pass(): boolean {
    const answersAt = this.#asked.length > 0 ? this.#answersAt : Infinity;
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    if (first !== undefined && first.at <= answersAt) {
      this.#timers = this.#timers.filter((timer) => timer !== first);
      this.#now = Math.max(this.#now, first.at);
      first.run();
      return true;
    }
    if (answersAt === Infinity) return false;
    this.#now = Math.max(this.#now, answersAt);
    const asked = this.#asked;
    this.#asked = [];
    this.turns.push(asked.map(({ what }) => what));
    for (const { answer } of asked) answer();
    return true;
  }
}

/** Answers in turns. */
export class TurnDriver implements Driver {
  readonly groupChecksMax: number;
  readonly inFlightMax: number;
  /** Whether it answers at once. */
  isNear = false;
  readonly #inner: Driver;
  readonly #time: TurnTime;

  constructor(
    inner: Driver,
    time: TurnTime,
    { inFlightMax = 8, groupChecksMax = inner.groupChecksMax } = {},
  ) {
    this.#inner = inner;
    this.#time = time;
    this.groupChecksMax = groupChecksMax;
    this.inFlightMax = inFlightMax;
  }

  async getMany(keys: Key[]): Promise<Entry[]> {
    await this.#turn(`get ${keys.map(nameOf).join(", ")}`);
    return await this.#time.call(this.#inner.getMany(keys));
  }

  async *list(range: Range, options: ListOptions): AsyncIterable<Entry> {
    const entries = this.#inner.list(range, options)[Symbol.asyncIterator]();
    const batch = options.batchSize ?? 100;
    const what = `list ${nameOf("prefix" in range ? range.prefix : range.start)}`;
    for (let n = 0; n < (options.limit ?? Infinity); n++) {
      if (n % batch === 0) await this.#turn(what);
      const next = await this.#time.call(entries.next());
      if (next.done) return;
      yield next.value;
    }
  }

  async commit(operation: Operation): Promise<CommitResult> {
    const keys = operation.sets.map(({ key }) => nameOf(key));
    await this.#turn(`commit ${keys.join(", ")}`);
    return await this.#time.call(this.#inner.commit(operation));
  }

  close(): void {
    this.#inner.close();
  }

  async #turn(what: string): Promise<void> {
    // A near store takes no time, and is asked for more before it answers.
    if (this.isNear) await this.#time.sleep(0);
    else await this.#time.turn(what);
  }
}

function nameOf(key: Key): string {
  return key.filter((part) => typeof part === "string").slice(0, 2).join("/");
}
