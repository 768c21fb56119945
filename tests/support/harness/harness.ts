/**
 * The simulation harness: one seeded scheduler decides who goes on next, time passes only when everybody
 * waits, and processes with clocks of their own can be killed at any await. Equal seeds, equal runs.
 *
 * @module
 */
import { eventLoopTurn } from "../../../kv/store/event_loop_turn.ts";
import { NOON } from "./context.ts";
import { logLine } from "../run_log.ts";
import { seededRandom } from "../seeded_random.ts";

export { seededRandom };

interface Timer {
  at: number;
  run: () => void;
}

/** Nothing could go on for this many rounds of the real event loop: something waits for ever. */
const IDLE_ROUNDS_MAX = 2_000;

/** Time and order of everything that the processes in it do. */
export class Harness {
  /** True time, milliseconds; processes may disagree with it. */
  now = NOON;
  readonly random: () => number;
  #ready: (() => void)[] = [];
  #timers: Timer[] = [];
  #ids = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  /** An empty harness at the same time. */
  fork(seed: number): Harness {
    const fork = new Harness(seed);
    fork.now = this.now;
    fork.#ids = this.#ids;
    return fork;
  }

  /** Whether an event of this probability happens. */
  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** Waits until the scheduler picks the caller. */
  turn(): Promise<void> {
    return new Promise((go) => this.#ready.push(go));
  }

  /** Waits for `ms` of simulated time. */
  sleep(ms: number): Promise<void> {
    return new Promise((done) => this.setTimer(ms, done));
  }

  /** Calls `run` after `ms` of simulated time; answers how to call it off. */
  setTimer(ms: number, run: () => void): () => void {
    const timer = { at: this.now + Math.max(0, ms), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** A ULID that no other call answers. */
  newId(ms: number): string {
    const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let text = "";
    for (let rest = Math.floor(ms), digit = 0; digit < 10; digit++) {
      text = alphabet[rest % 32] + text;
      rest = Math.floor(rest / 32);
    }
    return text + (this.#ids++).toString(32).toUpperCase().padStart(16, "0")
      .replace(/[ILOU]/g, (letter) => ({ I: "W", L: "X", O: "Y", U: "Z" })[letter]!);
  }

  /** Lets the harness go on until `work` is settled. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const watched = work.finally(() => settled = true);
    watched.catch(() => {});
    let idle = 0;
    while (!settled) {
      await eventLoopTurn();
      if (settled) break;
      if (this.#step()) idle = 0;
      else if (++idle > IDLE_ROUNDS_MAX) throw new Error("The simulated harness stands still");
    }
    return await watched;
  }

  /** Lets the harness go on for `ms` of simulated time. */
  async pass(ms: number): Promise<void> {
    await this.run(this.sleep(ms));
  }

  #step(): boolean {
    if (this.#ready.length > 0) {
      const picked = Math.floor(this.random() * this.#ready.length);
      logLine(() => `turn ${picked} of ${this.#ready.length}`);
      const [go] = this.#ready.splice(picked, 1);
      go!();
      return true;
    }
    let first: Timer | undefined;
    for (const timer of this.#timers) if (first === undefined || timer.at < first.at) first = timer;
    if (first === undefined) return false;
    this.#timers = this.#timers.filter((timer) => timer !== first);
    this.now = Math.max(this.now, first.at);
    logLine(() => `time ${this.now}`);
    first.run();
    return true;
  }
}

/** One process of a harness: its clock may be wrong, and it may die. */
export class SimulatedProcess {
  readonly harness: Harness;
  /** How far its clock is ahead of the true time, milliseconds. */
  skewMs: number;
  alive = true;
  #startedAt: number;
  #frozenUntil = 0;

  constructor(harness: Harness, options: { skewMs?: number } = {}) {
    this.harness = harness;
    this.skewMs = options.skewMs ?? 0;
    this.#startedAt = harness.now;
  }

  /** The clock on its wall. */
  readonly now = (): number => this.harness.now + this.skewMs;

  /** Milliseconds since its start, which no wrong clock disturbs. */
  readonly monotonic = (): number => this.harness.now - this.#startedAt;

  readonly random = (): number => this.harness.random();

  readonly newId = (ms: number): string => this.harness.newId(ms);

  /** Waits; for ever once the process is dead. */
  readonly sleep = (ms: number): Promise<void> => new Promise((done) => this.setTimer(ms, done));

  readonly setTimer = (ms: number, run: () => void): () => void => {
    let cancel = this.harness.setTimer(ms, () => {
      if (this.frozen) cancel = this.setTimer(this.#frozenUntil - this.harness.now, run);
      else if (this.alive) run();
    });
    return () => cancel();
  };

  /** Whether it stands still, and knows nothing of it. */
  get frozen(): boolean {
    return this.harness.now < this.#frozenUntil;
  }

  /** Lets it stand still for `ms`, as a paused machine does. */
  freeze(ms: number): void {
    this.#frozenUntil = this.harness.now + ms;
  }

  /** Waits until it moves again; for ever once it is dead. */
  async awake(): Promise<void> {
    while (this.alive && this.frozen) {
      await this.harness.sleep(this.#frozenUntil - this.harness.now);
    }
    if (!this.alive) await new Promise<never>(() => {});
  }

  /** Ends the process here and now: nothing it waits for ever comes. */
  kill(): void {
    this.alive = false;
  }
}
