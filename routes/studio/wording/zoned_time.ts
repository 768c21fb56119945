/**
 * Moments in the site's time zone, as inputs for date and time spell them, and back.
 *
 * @module
 */
import { Temporal } from "temporal-polyfill";

/** The value of a date and time input; seconds or the time may be missing. */
const LOCAL = /^(\d{4,6})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** A time zone. */
export class Zone {
  constructor(readonly name: string) {}

  /** Epoch seconds of a local time; null if invalid. A time skipped by a clock change is moved forward. */
  instantOf(text: string): number | null {
    if (!LOCAL.test(text)) return null;
    try {
      const local = Temporal.PlainDateTime.from(text);
      return local.toZonedDateTime(this.name).epochMilliseconds / 1000;
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /** Epoch seconds of the beginning of a day, such as `2026-07-01`. */
  startOf(day: string): number {
    const at = this.instantOf(day);
    if (at === null) throw new RangeError(`Not a day: ${day}`);
    return at;
  }

  /** Epoch seconds of the end of a day: the beginning of the next one. */
  endOf(day: string): number {
    return this.startOf(Temporal.PlainDate.from(day).add({ days: 1 }).toString());
  }

  /** Whether a local time is one that a change of clocks skips. */
  skips(text: string): boolean {
    const at = this.instantOf(text);
    return at !== null && /T/.test(text) && this.timeAt(at).slice(0, 16) !== text.slice(0, 16);
  }

  /** `2026-07-01T20:30:15`. */
  timeAt(at: number): string {
    return this.#at(at).toPlainDateTime().toString({ smallestUnit: "second" });
  }

  /** `2026-07-01`. */
  dayAt(at: number): string {
    return this.#at(at).toPlainDate().toString();
  }

  #at(at: number): Temporal.ZonedDateTime {
    return Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(this.name);
  }
}
