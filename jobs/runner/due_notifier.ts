/**
 * The wake-up within a process: notifies the runner when an entry is due.
 *
 * @module
 */
import type { Lane } from "../../kv/jobs/due.ts";

/** Receives the time (ms) from which an entry of a lane is due. */
export type DueListener = (dueAt: number, lane: Lane) => void;

/** Notifies its listeners of due entries. */
export class DueNotifier {
  #listeners: DueListener[] = [];

  /** Adds a listener; returns the function that removes it. */
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
