/**
 * Taking turns: everything that computes for long does so in small pieces, one at a time, and requests come
 * between. Without this, jobs that wait for one commit would all go on in the same turn of the event loop.
 * While requests are under way, pieces rest after each turn for several times as long as it took, so that they
 * have a share of the event loop, in parts too small to be noticed. What somebody waits for goes first, without
 * a rest.
 *
 * What pieces have made is handed over together once no other piece waits, so that it shares commits: a commit of
 * little costs nearly as much as one of much.
 *
 * @module
 */
import type { Store } from "../../kv/store/store.ts";
import {
  PIECES_BESIDE_REQUESTS_MAX,
  PIECES_BESIDE_THREAD_MAX,
  PIECES_TOGETHER_MAX,
  REQUESTS_GIVEN_WAY_MAX,
  REST_MS_MAX,
} from "../limits.ts";
import { Traffic } from "../runner/traffic.ts";

/** How long pieces may follow one another before others have their turn, milliseconds. */
const SLICE_MS = 1;
/**
 * How many times as long as a turn the rest after it is while a request is always under way, measured so that
 * writing what is published keeps four fifths of the rate of writing drafts. It goes with the square of the load: a
 * process that has time publishes.
 */
export const REST_PER_SLICE = 30;
/**
 * The same for each request under way, up to {@linkcode REQUESTS_GIVEN_WAY_MAX} of them, where requests have a thread
 * of their own: they share processors and commits with it, nothing else.
 */
export const REST_PER_SLICE_ELSEWHERE = 12;
/** The same once work is overdue: what waits must become less. */
export const REST_PER_OVERDUE_SLICE = 6;
/** A shorter rest is none, milliseconds: timers are not as exact. */
const SHORTEST_REST_MS = 0.5;

/** Where pieces of work wait for their turn. */
export interface ComputeLane {
  /** Runs a piece when its turn comes. */
  run: <T>(piece: () => T) => Promise<T>;
}

/** Computes what a piece makes; answers how to hand it over. */
type Piece = () => () => void;

/** Runs pieces of work one after the other, with turns for others between. */
export class ComputeQueue implements ComputeLane {
  /** For what somebody waits for: goes before all others. */
  readonly urgent: ComputeLane = { run: (piece) => this.#add(this.#urgent, piece) };
  readonly #store: Pick<Store, "sleep">;
  readonly #traffic: Traffic;
  readonly #monotonic: () => number;
  readonly #urgent: Piece[] = [];
  readonly #others: Piece[] = [];
  #finished: (() => void)[] = [];
  #usedMs = 0;
  #running = false;
  #called = Promise.withResolvers<void>();

  /** `monotonic` is a clock in milliseconds that only goes forward. */
  constructor(
    store: Pick<Store, "sleep">,
    traffic = new Traffic(),
    monotonic: () => number = () => performance.now(),
  ) {
    this.#store = store;
    this.#traffic = traffic;
    this.#monotonic = monotonic;
  }

  run<T>(piece: () => T): Promise<T> {
    return this.#add(this.#others, piece);
  }

  #add<T>(queue: Piece[], piece: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    queue.push(() => {
      try {
        const made = piece();
        return () => resolve(made);
      } catch (error) {
        return () => reject(error);
      }
    });
    if (queue === this.#urgent) this.#called.resolve();
    if (!this.#running) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Those who ask in the same moment have come by then.
    await Promise.resolve();
    while (this.#urgent.length + this.#others.length > 0) {
      if (this.#usedMs >= SLICE_MS) await this.#rest();
      const begun = this.#monotonic();
      const isUrgent = this.#urgent.length > 0;
      const piece = this.#urgent.shift() ?? this.#others.shift()!;
      this.#finished.push(piece());
      this.#usedMs += this.#monotonic() - begun;
      this.#handOver(isUrgent);
    }
    this.#running = false;
  }

  #handOver(isUrgent: boolean): void {
    const isEnough = this.#others.length === 0 || this.#finished.length >= this.#togetherMax();
    if (!isUrgent && !isEnough) return;
    for (const hand of this.#finished) hand();
    this.#finished = [];
  }

  #restPerTurn(): number {
    const { isElsewhere, isOverdue, depth } = this.#traffic;
    if (isOverdue) return REST_PER_OVERDUE_SLICE;
    if (!isElsewhere) return REST_PER_SLICE;
    return REST_PER_SLICE_ELSEWHERE * Math.min(REQUESTS_GIVEN_WAY_MAX, Math.max(1, depth));
  }

  #togetherMax(): number {
    const { isLoaded, isElsewhere } = this.#traffic;
    if (!isLoaded) return PIECES_TOGETHER_MAX;
    return isElsewhere ? PIECES_BESIDE_THREAD_MAX : PIECES_BESIDE_REQUESTS_MAX;
  }

  /** Ends at the latest when somebody waits. */
  async #rest(): Promise<void> {
    const { load } = this.#traffic;
    const ms = this.#usedMs * load ** 2 * this.#restPerTurn();
    this.#usedMs = 0;
    await this.#store.sleep(0);
    if (ms < SHORTEST_REST_MS || this.#urgent.length > 0) return;
    this.#called = Promise.withResolvers();
    await Promise.race([this.#store.sleep(Math.min(REST_MS_MAX, ms)), this.#called.promise]);
  }
}
