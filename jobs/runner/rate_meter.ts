/**
 * Counts the jobs that end in this process, and tells so often enough for somebody who watches.
 *
 * @module
 */
import { type JobRates, noRates } from "../../kv/jobs/job_rates.ts";
import { type Lane, LANES } from "../../kv/jobs/due.ts";

/** How often it is told while jobs end, milliseconds: each time costs a commit. */
const REPORT_EVERY_MS = 10_000;
/** Spans that make a minute. */
const SPANS = 6;

/** Jobs ended by lane, over the last minute. */
export class RateMeter {
  readonly #monotonic: () => number;
  readonly #report: (rates: JobRates) => Promise<void>;
  /** The present span last. */
  #spans: { since: number; ended: JobRates }[] = [];

  constructor(monotonic: () => number, tell: (rates: JobRates) => Promise<void>) {
    this.#monotonic = monotonic;
    this.#report = tell;
  }

  /** A job of a lane has ended. */
  count(lane: Lane): void {
    const now = this.#monotonic();
    const present = this.#spans.at(-1);
    if (present === undefined || now - present.since >= REPORT_EVERY_MS) {
      if (present !== undefined) void this.#report(this.#perMinute(now));
      this.#spans.push({ since: now, ended: noRates() });
      this.#spans = this.#spans.filter(({ since }) => now - since < SPANS * REPORT_EVERY_MS);
    }
    this.#spans.at(-1)!.ended[lane] += 1;
  }

  /** What has ended, as if the time since the first span were a minute. */
  #perMinute(now: number): JobRates {
    const rates = noRates();
    const minutes = (now - this.#spans[0]!.since) / (SPANS * REPORT_EVERY_MS);
    for (const { ended } of this.#spans) {
      for (const lane of LANES) rates[lane] += ended[lane] / minutes;
    }
    for (const lane of LANES) rates[lane] = Math.round(rates[lane]);
    return rates;
  }
}
