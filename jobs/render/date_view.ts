/**
 * Times for readers and for machines.
 *
 * @module
 */
import type { SiteFacts } from "./site_facts.ts";

/** A time in a template. */
export interface DateView {
  /** Epoch seconds. */
  seconds: number;
  /** `2026-11-21T08:30:00.000Z` */
  iso: string;
  /** The day, in the language and time zone of the site. */
  text: string;
}

/** Last second that a date can hold. */
const SECONDS_MAX = 8_640_000_000_000;

/** How a site spells days. One for each rendering: making one is slow. */
export function dayFormat(site: SiteFacts): Intl.DateTimeFormat {
  const options = { dateStyle: "long", timeZone: site.timezone } as const;
  try {
    return new Intl.DateTimeFormat(site.language, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // A language tag of the right form that no language has.
    return new Intl.DateTimeFormat("en", options);
  }
}

/** A time as templates see it. */
export function dateView(at: number, format: Intl.DateTimeFormat): DateView {
  const seconds = Math.max(-SECONDS_MAX, Math.min(Math.floor(at), SECONDS_MAX));
  const date = new Date(seconds * 1000);
  return { seconds, iso: date.toISOString(), text: format.format(date) };
}
