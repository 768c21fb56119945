/**
 * Signs of life of a lease's holder, and the holder's own judgement when they no longer get through: it must
 * stop before anybody else may begin.
 *
 * @module
 */
import { BEAT_MS, LEASE_MS } from "./lease.ts";
import type { RunnerClock } from "./runner_clock.ts";

/** A holder whose own signs have not got through for so long expects that another goes on soon. */
const SILENCE_MS = LEASE_MS - BEAT_MS;

/** Beats every few seconds from its creation to {@linkcode Heartbeat.end}. */
export class Heartbeat {
  readonly #clock: RunnerClock;
  readonly #beat: () => Promise<boolean>;
  readonly #lost: () => void;
  #cancelBeat = () => {};
  #cancelSilence = () => {};
  #ended = false;

  /** `beat` answers whether the sign got through; `lost` is called when none has for too long. */
  constructor(clock: RunnerClock, beat: () => Promise<boolean>, lost: () => void) {
    this.#clock = clock;
    this.#beat = beat;
    this.#lost = lost;
    this.heard();
    this.#next();
  }

  /** A sign got through: a beat, or a commit under the lease. */
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
        // Others count from the moment of the beat, not from that of its answer.
        if (through && this.#clock.monotonic() - sentAt < BEAT_MS) this.heard();
      }).finally(() => this.#next());
    });
  }
}
