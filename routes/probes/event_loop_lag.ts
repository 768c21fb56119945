/**
 * The delay of timers by the event loop: what computation costs every request.
 *
 * @module
 */

/** Between two looks, milliseconds. */
const EVERY_MS = 100;

/** Watches the event loop of this process. */
export class EventLoopLag {
  #longestMs = 0;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor() {
    let last = performance.now();
    this.#timer = setInterval(() => {
      const at = performance.now();
      this.#longestMs = Math.max(this.#longestMs, at - last - EVERY_MS);
      last = at;
    }, EVERY_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** The longest delay since the last call, seconds. */
  take(): number {
    const seconds = this.#longestMs / 1000;
    this.#longestMs = 0;
    return seconds;
  }

  /** Ends the watch. */
  stop(): void {
    clearInterval(this.#timer);
  }
}
