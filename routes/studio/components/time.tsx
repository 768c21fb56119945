/**
 * Moments, as people say them, with the exact time behind.
 *
 * @module
 */

/** What a time is shown against. */
export interface Clock {
  /** Epoch seconds. */
  now: number;
  timezone: string;
}

const STEPS: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, "second"],
  [3_600, "minute"],
  [86_400, "hour"],
  [7 * 86_400, "day"],
];

/** How long ago, or in how long; the exact time for what is more than a week away. */
export function relativeTime(at: number, { now, timezone }: Clock): string {
  const away = at - now;
  const distance = Math.abs(away);
  if (distance < 10) return "just now";
  const step = STEPS.findIndex(([limit]) => distance < limit);
  if (step < 0) return dayOf(at, timezone);
  const size = step === 0 ? 1 : STEPS[step - 1]![0];
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return format.format(Math.trunc(away / size), STEPS[step]![1]);
}

/** Day, month and year. */
export function dayOf(at: number, timezone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: timezone })
    .format(at * 1000);
}

/** Day and minute, with the zone. */
export function exactTime(at: number, timezone: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone: timezone,
  });
  return format.format(at * 1000);
}

/** A moment. */
export function Time({ at, clock, exact }: { at: number; clock: Clock; exact?: boolean }) {
  const whole = exactTime(at, clock.timezone);
  return (
    <time datetime={new Date(at * 1000).toISOString()} title={whole}>
      {exact ? whole : relativeTime(at, clock)}
    </time>
  );
}
