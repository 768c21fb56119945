/**
 * The in-process wake-up: tells the runner when something is due.
 *
 * @module
 */
import type { Lane } from "../../kv/jobs/due.ts";

/** Is told the time (ms) from which something in a lane is due. */
export type DueListener = (dueAt: number, lane: Lane) => void;

/** Tells its listeners that something is due. */
export class DueNotifier {
  #listeners: DueListener[] = [];

  /** Answers how to end that `listener` is told. */
  listen(listener: DueListener): () => void {
    this.#listeners.push(listener);
    return () => {
      this.#listeners = this.#listeners.filter((other) => other !== listener);
    };
  }

  notify(dueAt: number, lane: Lane): void {
    for (const listener of this.#listeners) listener(dueAt, lane);
  }
}
