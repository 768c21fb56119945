/**
 * Minimum speed of request bodies. A client that stalls or sends a byte at a time would otherwise
 * hold its connection and memory for hours.
 *
 * @module
 */
import { UPLOAD_BYTES_PER_SECOND_MIN, UPLOAD_GRACE_MS } from "../../kv/limits/requests.ts";
import { Refusal } from "../../kv/refusals.ts";

/** The slowest that a body may arrive. */
export interface Pace {
  /** Time before the minimum speed applies. */
  graceMs: number;
  bytesPerSecond: number;
}

/** The pace of every body. */
export const PACE: Pace = {
  graceMs: UPLOAD_GRACE_MS,
  bytesPerSecond: UPLOAD_BYTES_PER_SECOND_MIN,
};

/** The remaining time of one body. Only waiting for the client counts, not processing. */
export class Arrival {
  readonly #pace: Pace;
  readonly #now: () => number;
  readonly #kind: string;
  #waitedMs = 0;
  #bytes = 0;

  constructor(options: { pace?: Pace; now?: () => number; kind?: string } = {}) {
    const { pace = PACE, now = () => performance.now(), kind = "" } = options;
    this.#pace = pace;
    this.#now = now;
    this.#kind = kind;
  }

  #tooSlow(): Refusal {
    return new Refusal("BODY_INVALID", {
      about: `${this.#kind}it is arriving too slowly`,
      closes: true,
    });
  }

  /** Counts bytes that have arrived, or are known to come. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /**
   * Waits for the sender.
   *
   * @throws {Refusal} BODY_INVALID when that takes too long.
   */
  async wait<T>(begin: () => Promise<T>): Promise<T> {
    const { graceMs, bytesPerSecond } = this.#pace;
    const allowedMs = graceMs + this.#bytes / bytesPerSecond * 1_000 - this.#waitedMs;
    if (allowedMs <= 0) throw this.#tooSlow();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(this.#tooSlow()), allowedMs);
    const since = this.#now();
    const read = begin();
    // After the timeout, no caller waits for its failure.
    read.catch(() => {});
    try {
      return await Promise.race([read, late.promise]);
    } finally {
      clearTimeout(timer);
      this.#waitedMs += Math.max(0, this.#now() - since);
    }
  }
}

/** A body that fails when it is arriving too slowly. */
export function pacedBody(
  body: ReadableStream<Uint8Array>,
  pace: Pace = PACE,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const arrival = new Arrival({ pace });
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A read that is given up is not cancelled: Deno would then never close the connection.
      const { value, done } = await arrival.wait(() => reader.read());
      if (done) return controller.close();
      arrival.count(value.byteLength);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
