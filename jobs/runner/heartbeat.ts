/**
 * Heartbeats of a lease's holder, and its own judgement when they fail: it must stop before another runner may
 * start.
 *
 * @module
 */
import { BEAT_MS, LEASE_MS } from "./lease.ts";
import type { RunnerClock } from "./runner_clock.ts";

/**
 * After this time without a successful heartbeat the holder assumes that it has lost the lease, milliseconds.
 */
const SILENCE_MS = LEASE_MS - BEAT_MS;

/** Beats every few seconds until {@linkcode Heartbeat.end}. */
export class Heartbeat {
  readonly #clock: RunnerClock;
  readonly #beat: () => Promise<boolean>;
  readonly #lost: () => void;
  #cancelBeat = () => {};
  #cancelSilence = () => {};
  #ended = false;

  /** `beat` returns whether the heartbeat succeeded; `lost` is called when none has for too long. */
  constructor(clock: RunnerClock, beat: () => Promise<boolean>, lost: () => void) {
    this.#clock = clock;
    this.#beat = beat;
    this.#lost = lost;
    this.heard();
    this.#next();
  }

  /** Records a success: a heartbeat, or a commit under the lease. */
  heard(): void {
    if (this.#ended) return;
    this.#cancelSilence();
    this.#cancelSilence = this.#clock.setTimer(SILENCE_MS, () => this.#lost());
  }

  end(): void {
    this.#ended = true;
    this.#cancelBeat();
    this.#cancelSilence();
  }

  #next(): void {
    if (this.#ended) return;
    this.#cancelBeat = this.#clock.setTimer(BEAT_MS, () => {
      const sentAt = this.#clock.monotonic();
      this.#beat().then((through) => {
        // Other processes count from the time of the heartbeat, not from its response.
        if (through && this.#clock.monotonic() - sentAt < BEAT_MS) this.heard();
      }).finally(() => this.#next());
    });
  }
}
