/**
 * Turns of those who write to the same keys in one process. Far from the store everybody who tries at once loses to
 * the first, so most of them would still try when their time is over; one after the other each gets through.
 *
 * @module
 */

/** Gives a turn back. */
export type ReleaseLock = () => void;

/** Queues by key, first come, first served; a key that nobody waits for takes no memory. */
export class WriteLocks {
  readonly #queues = new Map<string, ReleaseLock[]>();

  /** Whether somebody has the turn. */
  isHeld(key: string): boolean {
    return this.#queues.has(key);
  }

  /** Waits until everybody who came before has given the turn back. */
  async acquire(key: string): Promise<ReleaseLock> {
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, []);
    else await new Promise<void>((begin) => queue.push(begin));
    return () => this.#release(key);
  }

  #release(key: string): void {
    const next = this.#queues.get(key)!.shift();
    if (next === undefined) this.#queues.delete(key);
    else next();
  }
}
