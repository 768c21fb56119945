/**
 * Moments, as people say them, with the exact time behind.
 *
 * @module
 */

/** The reference time and zone of a shown time. */
export interface Clock {
  /** Epoch seconds. */
  now: number;
  timezone: string;
  /** Cached, because creating a formatter is slower than using it. */
  formats?: Formats;
}

/** How times are spelled in a zone. */
export class Formats {
  readonly timezone: string;
  readonly exact: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly relative: Intl.RelativeTimeFormat;

  constructor(timezone: string) {
    this.timezone = timezone;
    this.exact = new Intl.DateTimeFormat("en-GB", {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "short",
      timeZone: timezone,
    });
    this.day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: timezone });
    this.relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  }
}

/** A zone by its name, or as a page knows it. */
type ZoneOrClock = string | Clock;

function formatsOf(zone: ZoneOrClock): Formats {
  if (typeof zone === "string") return new Formats(zone);
  return zone.formats ?? new Formats(zone.timezone);
}

const STEPS: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [3_600, "minute"],
  [86_400, "hour"],
  [7 * 86_400, "day"],
];

/** Relative time; the exact time if it is more than a week away. */
export function relativeTime(at: number, clock: Clock): string {
  const away = at - clock.now;
  const distance = Math.abs(away);
  if (distance < 10) return "just now";
  let size = 1;
  for (const [limit, unit] of STEPS) {
    if (distance < limit) return formatsOf(clock).relative.format(Math.trunc(away / size), unit);
    size = limit;
  }
  return dayOf(at, clock);
}

/** Day, month and year. */
export function dayOf(at: number, zone: ZoneOrClock): string {
  return formatsOf(zone).day.format(at * 1000);
}

/** Day and minute, with the zone. */
export function exactTime(at: number, zone: ZoneOrClock): string {
  return formatsOf(zone).exact.format(at * 1000);
}

/** A moment. */
export function Time({ at, clock, exact }: { at: number; clock: Clock; exact?: boolean }) {
  const whole = exactTime(at, clock);
  return (
    <time datetime={new Date(at * 1000).toISOString()} title={whole}>
      {exact ? whole : relativeTime(at, clock)}
    </time>
  );
}
