/**
 * The in-process wake-up: tells the runner when something is due.
 *
 * @module
 */
/** Tells its listeners that something is due. */
export class DueNotifier {
  #listeners: ((dueAt: number) => void)[] = [];

  /** Calls `listener` with the time (ms) from which something is due; answers how to end that. */
  listen(listener: (dueAt: number) => void): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  notify(dueAt: number): void {
    for (const listener of this.#listeners) listener(dueAt);
  }
}
