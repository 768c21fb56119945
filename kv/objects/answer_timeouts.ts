/**
 * Questions to a server that may not answer: each is given up when no answer has begun in time. From then on,
 * until the server answers again, all are refused at once, so that a request, which makes several, is not kept
 * waiting by each.
 *
 * @module
 */
import { Outage } from "../store/outage.ts";

/** Something that is asked of the server; the signal is aborted when it has taken too long. */
type Question<T> = (signal: AbortSignal) => Promise<T>;

/** Bounds questions, and knows whether the server is out of reach. */
export class AnswerTimeouts {
  readonly #ms: number;
  readonly #outage: Outage;
  readonly #asked = new Set<AbortController>();

  /** `ms` is the longest wait; `reach` asks something, and succeeds with any answer. */
  constructor(ms: number, reach: Question<void>) {
    this.#ms = ms;
    this.#outage = new Outage(() => this.#withTimeout(reach));
  }

  /** Comes back when something may be asked; throws while the server is out of reach. */
  async pass(): Promise<void> {
    if (this.#outage.lasts) await this.#outage.pass();
  }

  /** Asks, and gives up when no answer has begun in time: what follows may take longer. */
  async ask<T>(question: Question<T>): Promise<T> {
    await this.pass();
    return await this.#withTimeout(question, () => this.#outage.begin());
  }

  /** Nothing is asked any more, and what is asked is given up. */
  stop(): void {
    this.#outage.stop();
    for (const asked of this.#asked) asked.abort();
  }

  async #withTimeout<T>(question: Question<T>, late = () => {}): Promise<T> {
    const asked = new AbortController();
    const timer = setTimeout(() => {
      late();
      asked.abort();
    }, this.#ms);
    this.#asked.add(asked);
    try {
      return await question(asked.signal);
    } finally {
      clearTimeout(timer);
      this.#asked.delete(asked);
    }
  }
}
