/**
 * A queue of work on one thing: requests that arrive while a piece is running are served together by the next
 * piece.
 *
 * @module
 */

/** The requests of a piece that has not started. */
interface Batch<T, R> {
  requests: T[];
  result: Promise<R>;
}

/** A queue that serves its waiting requests together. */
export class CombiningQueue<T, R> {
  readonly #serve: (requests: T[]) => Promise<R>;
  readonly #pause: () => Promise<void>;
  #waiting: Batch<T, R> | null = null;
  #tail: Promise<unknown> = Promise.resolve();

  /** `pause` lets requests of the same moment arrive before a piece starts. */
  constructor(serve: (requests: T[]) => Promise<R>, pause: () => Promise<void>) {
    this.#serve = serve;
    this.#pause = pause;
  }

  /** Resolves with the result of a piece that starts after this call. */
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

  /** Runs alone, after all earlier requests. */
  alone<A>(run: () => Promise<A>): Promise<A> {
    const result = this.#tail.then(run, run);
    this.#tail = result.catch(() => {});
    return result;
  }
}
