/**
 * Times for readers and for machines.
 *
 * @module
 */
import { DATE_SECONDS_MAX } from "../../../kv/limits/content.ts";
import { SPELLED_DAYS_MAX } from "../../limits.ts";
import type { SiteFacts } from "../site_facts.ts";

/** A time in a template. */
export interface DateView {
  /** Epoch seconds. */
  seconds: number;
  /** `2026-11-21T08:30:00.000Z` */
  iso: string;
  /** The day, in the language and time zone of the site. */
  text: string;
}

/** A time that matters to the minute: when something begins. */
export interface MomentView extends DateView {
  /** The day and, unless it is the first one of a day, the minute. */
  moment: string;
}

/** Seconds that no boundary of days divides, in any time zone since the last odd one went, in 1972. */
const QUARTER = 900;
const EVEN_SINCE = Date.UTC(1973, 0) / 1000;

/** Date formats of a site, created once per rendering, because creating and using a formatter is slow. */
export class DayFormat {
  readonly #format: Intl.DateTimeFormat;
  readonly #minutes: Intl.DateTimeFormat;
  readonly #midnight: Intl.DateTimeFormat;
  readonly #spelled = new Map<number, string>();

  constructor(site: Pick<SiteFacts, "language" | "timezone">) {
    this.#format = formatOf(site, { dateStyle: "long" });
    this.#minutes = formatOf(site, { dateStyle: "long", timeStyle: "short" });
    this.#midnight = formatOf({ ...site, language: "en" }, {
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
      hourCycle: "h23",
    });
  }

  /** Date and time; only the date for midnight, which means a whole day. */
  moment(seconds: number): string {
    const date = new Date(seconds * 1000);
    const isMidnight = /^[0:]+$/.test(this.#midnight.format(date));
    return isMidnight ? this.text(seconds) : this.#minutes.format(date);
  }

  /** The day of a second. */
  text(seconds: number): string {
    if (seconds < EVEN_SINCE) return this.#format.format(new Date(seconds * 1000));
    const quarter = Math.floor(seconds / QUARTER);
    const known = this.#spelled.get(quarter);
    if (known !== undefined) return known;
    if (this.#spelled.size >= SPELLED_DAYS_MAX) this.#spelled.clear();
    const text = this.#format.format(new Date(seconds * 1000));
    this.#spelled.set(quarter, text);
    return text;
  }
}

/** A time as templates see it. */
export function dateView(at: number, format: DayFormat): DateView {
  const seconds = Math.max(-DATE_SECONDS_MAX, Math.min(Math.floor(at), DATE_SECONDS_MAX));
  return { seconds, iso: new Date(seconds * 1000).toISOString(), text: format.text(seconds) };
}

/** The same to the minute. */
export function momentView(at: number, format: DayFormat): MomentView {
  const view = dateView(at, format);
  return { ...view, moment: format.moment(view.seconds) };
}

function formatOf(
  { language, timezone }: Pick<SiteFacts, "language" | "timezone">,
  style: Intl.DateTimeFormatOptions,
) {
  const options = { ...style, timeZone: timezone };
  try {
    return new Intl.DateTimeFormat(language, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // A language tag of the right form that no language has.
    return new Intl.DateTimeFormat("en", options);
  }
}
