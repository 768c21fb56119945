/**
 * The compute queue: long computations run in small pieces, one at a time, with requests between them. Without
 * it, jobs that wait for one commit would all continue in the same turn of the event loop. While requests are
 * running, pieces rest after each slice for a multiple of its time, so that they use a limited share of the
 * event loop. Pieces that a user waits for go first and do not rest.
 *
 * Results are handed over together once no other piece waits, so that they share commits: a small commit costs
 * nearly as much as a large one.
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

/** The length of a slice, milliseconds. */
const SLICE_MS = 1;
/**
 * The rest after a slice as a multiple of its time under full load; scaled by the square of the load. Measured
 * so that writing published documents keeps four fifths of the rate of writing drafts.
 */
export const REST_PER_SLICE = 30;
/**
 * The same per running request, up to {@linkcode REQUESTS_GIVEN_WAY_MAX}, if requests have a thread of their
 * own, which shares only processors and commits.
 */
export const REST_PER_SLICE_ELSEWHERE = 12;
/** The same for overdue work, whose backlog must shrink. */
export const REST_PER_OVERDUE_SLICE = 6;
/** Shorter rests are skipped, milliseconds: timers are less exact. */
const SHORTEST_REST_MS = 0.5;

/** Runs pieces of work. */
export interface ComputeLane {
  /** Runs a piece when it is its turn. */
  run: <T>(piece: () => T) => Promise<T>;
}

/** Computes a result; returns the function that hands it over. */
type Piece = () => () => void;

/** Runs pieces of work one after another, with rests for requests. */
export class ComputeQueue implements ComputeLane {
  /** For pieces that a user waits for: they go before all others. */
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

  /** `monotonic` is a clock in milliseconds that never goes back. */
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
    // Yield once so that pieces added in the same tick arrive first.
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

  #restPerSlice(): number {
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

  /** Rests; an urgent piece ends it. */
  async #rest(): Promise<void> {
    const { load } = this.#traffic;
    const ms = this.#usedMs * load ** 2 * this.#restPerSlice();
    this.#usedMs = 0;
    await this.#store.sleep(0);
    if (ms < SHORTEST_REST_MS || this.#urgent.length > 0) return;
    this.#called = Promise.withResolvers();
    await Promise.race([this.#store.sleep(Math.min(REST_MS_MAX, ms)), this.#called.promise]);
  }
}
