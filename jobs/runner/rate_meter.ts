/**
 * Counts the jobs that end in this process and reports the rates for the studio.
 *
 * @module
 */
import { type JobRates, noRates } from "../../kv/jobs/job_rates.ts";
import { type Lane, LANES } from "../../kv/jobs/due.ts";

/** Interval of reports while jobs end, milliseconds: each costs a commit. */
const REPORT_EVERY_MS = 10_000;
/** Spans that make a minute. */
const SPANS = 6;

/** Jobs that ended in the last minute, by lane. */
export class RateMeter {
  readonly #monotonic: () => number;
  readonly #report: (rates: JobRates) => Promise<void>;
  /** The current span is last. */
  #spans: { since: number; ended: JobRates }[] = [];

  constructor(monotonic: () => number, tell: (rates: JobRates) => Promise<void>) {
    this.#monotonic = monotonic;
    this.#report = tell;
  }

  /** Counts a job of a lane that has ended. */
  count(lane: Lane): void {
    const now = this.#monotonic();
    const present = this.#spans.at(-1);
    if (present === undefined || now - present.since >= REPORT_EVERY_MS) {
      if (present !== undefined) void this.#report(this.#perMinute(now));
      this.#spans.push({ since: now, ended: noRates() });
      this.#spans = this.#spans.filter(({ since }) => now - since < SPANS * REPORT_EVERY_MS);
    }
    const last = this.#spans.at(-1);
    if (last !== undefined) last.ended[lane] += 1;
  }

  /** The counts, scaled to a minute. */
  #perMinute(now: number): JobRates {
    const rates = noRates();
    const minutes = (now - (this.#spans[0]?.since ?? now)) / (SPANS * REPORT_EVERY_MS);
    for (const { ended } of this.#spans) {
      for (const lane of LANES) rates[lane] += ended[lane] / minutes;
    }
    for (const lane of LANES) rates[lane] = Math.round(rates[lane]);
    return rates;
  }
}
