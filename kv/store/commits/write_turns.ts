/**
 * Turns of those who write to the same keys in one process. Far from the store everybody who tries at once loses to
 * the first, so most of them would still try when their time is over; one after the other each gets through.
 *
 * @module
 */

/** Gives a turn back. */
export type EndTurn = () => void;

/** Queues by key, first come, first served; a key that nobody waits for takes no memory. */
export class WriteTurns {
  readonly #queues = new Map<string, EndTurn[]>();

  /** Whether somebody has the turn. */
  isTaken(key: string): boolean {
    return this.#queues.has(key);
  }

  /** Waits until everybody who came before has given the turn back. */
  async take(key: string): Promise<EndTurn> {
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, []);
    else await new Promise<void>((begin) => queue.push(begin));
    return () => this.#end(key);
  }

  #end(key: string): void {
    const next = this.#queues.get(key)!.shift();
    if (next === undefined) this.#queues.delete(key);
    else next();
  }
}
