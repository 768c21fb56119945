/**
 * Work on one thing, one piece after the other; those who ask while a piece is under way are served
 * together by the next.
 *
 * @module
 */

/** What is asked for and has not begun. */
interface Batch<T, R> {
  requests: T[];
  result: Promise<R>;
}

/** A queue whose waiting requests are taken up as one. */
export class CombiningQueue<T, R> {
  readonly #serve: (requests: T[]) => Promise<R>;
  readonly #pause: () => Promise<void>;
  #waiting: Batch<T, R> | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  /** `pause` lets those who ask at the same moment come, before a piece begins. */
  constructor(serve: (requests: T[]) => Promise<R>, pause: () => Promise<void>) {
    this.#serve = serve;
    this.#pause = pause;
  }

  /** Is served by a piece that begins after this call. */
  ask(request: T): Promise<R> {
    if (this.#waiting === null) {
      const requests: T[] = [];
      const result = this.alone(async () => {
        await this.#pause();
        this.#waiting = null;
        return await this.#serve(requests);
      });
      this.#waiting = { requests, result };
    }
    this.#waiting.requests.push(request);
    return this.#waiting.result;
  }

  /** Runs when everything that was asked before is done, and nothing else meanwhile. */
  alone<A>(run: () => Promise<A>): Promise<A> {
    const result = this.#tail.then(run, run);
    this.#tail = result.catch(() => {});
    return result;
  }
}
