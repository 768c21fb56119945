/**
 * Locks for writers of the same keys in one process. With a remote store, of all that try at once all but the
 * first fail, so most would still be trying at their deadline; one after another, each succeeds.
 *
 * @module
 */

/** Releases a lock. */
export type ReleaseLock = () => void;

/** Queues by key, first come, first served; an unused key takes no memory. */
export class WriteLocks {
  readonly #queues = new Map<string, ReleaseLock[]>();

  /** Whether a lock is held. */
  isHeld(key: string): boolean {
    return this.#queues.has(key);
  }

  /** Resolves when all earlier holders have released the lock. */
  async acquire(key: string): Promise<ReleaseLock> {
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, []);
    else await new Promise<void>((begin) => queue.push(begin));
    return () => this.#release(key);
  }

  #release(key: string): void {
    const next = this.#queues.get(key)?.shift();
    if (next === undefined) this.#queues.delete(key);
    else next();
  }
}
