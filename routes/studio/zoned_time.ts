/**
 * Moments in the site's time zone, as inputs for date and time spell them, and back.
 *
 * @module
 */

/** What an input for date and time sends; seconds may be missing, or the time. */
const LOCAL = /^(\d{4,6})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** A time zone. */
export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;

  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat("en-GB", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  }

  /** Epoch seconds of a local time; null for what is none. What a change of clocks skips is moved on. */
  instantOf(text: string): number | null {
    if (!LOCAL.test(text)) return null;
    const asUtc = Date.parse(`${text.includes("T") ? text : `${text}T00:00`}Z`) / 1000;
    if (!Number.isSafeInteger(asUtc)) return null;
    const guess = asUtc - this.#offsetAt(asUtc);
    return asUtc - this.#offsetAt(guess);
  }

  /** `2026-07-01T20:30:15`. */
  timeAt(at: number): string {
    return new Date((at + this.#offsetAt(at)) * 1000).toISOString().slice(0, 19);
  }

  /** `2026-07-01`. */
  dayAt(at: number): string {
    return this.timeAt(at).slice(0, 10);
  }

  /** Seconds by which the zone's clocks are ahead of UTC. */
  #offsetAt(at: number): number {
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(at * 1000)) {
      parts[type] = Number(value);
    }
    const { year, month, day, hour, minute, second } = parts;
    return Date.UTC(year!, month! - 1, day, hour, minute, second) / 1000 - at;
  }
}

/** The day that is some days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Monday is 0. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7;
}

/** Whether a text names a day that there is. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && text > "0001-01-01" &&
    !Number.isNaN(Date.parse(`${text}T00:00Z`)) && dayAfter(text, 0) === text;
}
